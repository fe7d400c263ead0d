"""Transactions as the fakes know them: each has an identity, so that lost and doubled ones can be told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.core.binlog.events import RowImages
from backend.core.positions import MariadbGtid

ROW_EVENT = "Write_rows_v1"
COMPRESSED = "Write_rows_compressed_v1"


PLAIN, TRIGGER, CASCADE = "plain", "trigger", "cascade"
SHAPES = (PLAIN, TRIGGER, CASCADE)
"""One table; a second one, written by a trigger; a child, mapped for a cascade whose rows no log shows."""


@dataclass(frozen=True, slots=True)
class Txn:
    """One transaction; two with equal text and shape have equal content but another `uid`."""

    uid: int
    server_id: int
    statement: str
    kind: str = "dml"
    table: str = "shop.orders"
    row_events: int = 1
    row_bytes: int = 40
    is_local: bool = False
    is_compressed: bool = False
    shape: str = PLAIN


@dataclass(frozen=True, slots=True)
class Dress:
    """What differs from node to node in the log of the same transaction; a checksum is 4 bytes an event.

    `compresses`: log_bin_compress; `row_images`: binlog_row_image and the release; `map_bytes` grow with
    binlog_row_metadata.
    """

    gtid_bytes: int = 42
    query_bytes: int = 92
    table_id: int = 30
    has_checksums: bool = True
    compresses: bool = False
    row_images: RowImages = RowImages.FULL
    map_bytes: int = 60
    is_mysql: bool = False


@dataclass(frozen=True, slots=True)
class Relogging:
    """How a transaction came into a log: `hops` appliers logged it again, and one of them may have dropped its text."""

    hops: int = 0
    has_text: bool = True


WRITTEN = Relogging()
"""As the node logs it through which a client wrote."""


def parts_of(
    txn: Txn, xid: int | None, gtid: MariadbGtid | None, dress: Dress, by: Relogging = WRITTEN
) -> Iterator[tuple[str, int, str]]:
    """Its events as (type, size, info), in the form SHOW BINLOG EVENTS gives them."""
    for kind, size, info in _parts(txn, xid, gtid, dress, by):
        yield kind, size if dress.has_checksums else size - 4, info


def _parts(
    txn: Txn, xid: int | None, gtid: MariadbGtid | None, dress: Dress, by: Relogging
) -> Iterator[tuple[str, int, str]]:
    if dress.is_mysql:
        yield from _mysql_parts(txn, xid, gtid, dress, by)
        return
    if txn.kind == "ddl":
        yield "Gtid", dress.gtid_bytes, f"GTID {gtid}"
        yield "Query", dress.query_bytes + len(txn.statement), txn.statement
        return
    yield "Gtid", dress.gtid_bytes, f"BEGIN GTID {gtid}"
    if by.has_text:
        yield "Annotate_rows", 20 + len(txn.statement), txn.statement
    for number, table in _maps(txn, dress, by):
        yield "Table_map", dress.map_bytes, f"table_id: {number} ({table})"
    yield from _rows(txn, dress, by)
    if txn.kind == "other":
        yield "Query", 70, "COMMIT"
    else:
        yield "Xid", 31, f"COMMIT /* xid={xid} */"


def _mysql_parts(
    txn: Txn, xid: int | None, gtid: MariadbGtid | None, dress: Dress, by: Relogging
) -> Iterator[tuple[str, int, str]]:
    """As MySQL 9.7.4 shows them: the GTID does not tell what follows, and a statement ends in a number."""
    yield "Gtid", dress.gtid_bytes, f"SET @@SESSION.GTID_NEXT= '{mysql_gtid(gtid)}'"
    if txn.kind == "ddl":
        yield "Query", dress.query_bytes + len(txn.statement), f"{txn.statement} /* xid={xid} */"
        return
    yield "Query", 75, "BEGIN"
    for number, table in _maps(txn, dress, by):
        yield "Table_map", dress.map_bytes, f"table_id: {number} ({table})"
    for kind, size, info in _rows(txn, dress, by):
        yield kind.replace("_compressed", "").replace("_v1", ""), size, info
    if txn.kind == "other":
        yield "Query", 70, "COMMIT"
    else:
        yield "Xid", 31, f"COMMIT /* xid={xid} */"


def mysql_gtid(gtid: MariadbGtid | None) -> str:
    """The same GTID as the wsrep patch gives it: the state UUID inverted; of a node-local write the server's own."""
    if gtid is None:
        return "ANONYMOUS"
    return f"{server_uuid(gtid.server_id) if not gtid.domain else cluster_uuid(gtid.domain)}:{gtid.seq_no}"


def cluster_uuid(domain: int) -> str:
    """Under which a cluster's transactions are logged, whose state UUID begins with that number."""
    return f"{domain:08x}-0000-0000-0000-000000000001".translate(str.maketrans("0123456789abcdef", "fedcba9876543210"))


def server_uuid(server_id: int) -> str:
    """A server's own."""
    return f"{server_id:08x}-0000-0000-0000-00000000ffff"


def _maps(txn: Txn, dress: Dress, by: Relogging) -> list[tuple[int, str]]:
    """Each applier maps the tables in the opposite order, and a cascade's child again (10.11.19)."""
    first, second = (dress.table_id, txn.table), (dress.table_id + 1, f"{txn.table}_{txn.shape}")
    if txn.shape == PLAIN:
        return [first]
    ordered = [second, first] if by.hops % 2 else [first, second]
    return [*ordered, second] if txn.shape == CASCADE and by.hops else ordered


def _rows(txn: Txn, dress: Dress, by: Relogging) -> Iterator[tuple[str, int, str]]:
    """A trigger's rows stand between those that fired it."""
    kind = COMPRESSED if txn.is_compressed or dress.compresses else ROW_EVENT
    size = txn.row_bytes // 2 if dress.compresses else txn.row_bytes
    if dress.row_images is RowImages.PARTIAL:
        size -= 6 if by.hops else 12
    tables = [dress.table_id, dress.table_id + 1] if txn.shape == TRIGGER else [dress.table_id]
    numbers = tables * txn.row_events
    for n, number in enumerate(numbers):
        yield kind, size, f"table_id: {number}{' flags: STMT_END_F' if n == len(numbers) - 1 else ''}"

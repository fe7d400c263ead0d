"""Transactions as the fakes know them: each has an identity, so that lost and doubled ones can be told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.core.positions import MariadbGtid

ROW_EVENT = "Write_rows_v1"
COMPRESSED = "Write_rows_compressed_v1"


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


@dataclass(frozen=True, slots=True)
class Dress:
    """What differs from node to node in the log of the same transaction."""

    gtid_bytes: int = 42
    query_bytes: int = 92
    table_id: int = 30
    has_checksums: bool = True


def parts_of(txn: Txn, xid: int | None, gtid: MariadbGtid | None, dress: Dress) -> Iterator[tuple[str, int, str]]:
    """Its events as (type, size, info), in the form SHOW BINLOG EVENTS gives them; a checksum is 4 bytes each."""
    for kind, size, info in _parts(txn, xid, gtid, dress):
        yield kind, size if dress.has_checksums else size - 4, info


def _parts(txn: Txn, xid: int | None, gtid: MariadbGtid | None, dress: Dress) -> Iterator[tuple[str, int, str]]:
    if txn.kind == "ddl":
        yield "Gtid", dress.gtid_bytes, f"GTID {gtid}"
        yield "Query", dress.query_bytes + len(txn.statement), txn.statement
        return
    yield "Gtid", dress.gtid_bytes, f"BEGIN GTID {gtid}"
    yield "Annotate_rows", 20 + len(txn.statement), txn.statement
    yield "Table_map", 60, f"table_id: {dress.table_id} ({txn.table})"
    for n in range(txn.row_events):
        flags = " flags: STMT_END_F" if n == txn.row_events - 1 else ""
        yield COMPRESSED if txn.is_compressed else ROW_EVENT, txn.row_bytes, f"table_id: {dress.table_id}{flags}"
    if txn.kind == "other":
        yield "Query", 70, "COMMIT"
    else:
        yield "Xid", 31, f"COMMIT /* xid={xid} */"

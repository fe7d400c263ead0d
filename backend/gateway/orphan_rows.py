"""Reads the orphans of one node: its groups after the divergence point, with their row images."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backend.core.binlog.groups import Group
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.orphans.model import OrphanList, RowImage, TableShape
from backend.core.orphans.reading import OrphanReader, overwritten_rows
from backend.core.orphans.rows.information_schema import read_shape
from backend.core.orphans.rows.row_lookup import lookup_sql, row_of
from backend.core.orphans.schema_changes.history import read_history
from backend.core.orphans.tally import OrphanTally
from backend.core.orphans.transactions import RawEvent, is_schema_change, is_trivial
from backend.core.ports import NodeReader
from backend.core.positions import FilePosition
from backend.gateway.binlog_dump import read_events
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.gateway import NodeGateway
from backend.gateway.reader import Reader

LIMIT_S = 60.0
SCAN_S = 1_800.0
"""A million orphans are read in this time; the dump of a log that takes longer is abandoned."""
BATCH = 100
BATCH_CHARACTERS = 500_000
CHECK_S = 30.0
_AS_LOGGED = ", time_zone='+00:00', wsrep_sync_wait=1"
"""The time zone as in the log, and rows as they are once the node has applied all that its cluster committed."""


def orphan_reader(
    reader: NodeReader, survivor_ids: Sequence[int] = (), schema_changes: Sequence[str] = ()
) -> OrphanReader:
    """Returns table definitions from the information_schema of `reader`'s node, as they were when rows were written."""
    history = read_history(schema_changes)
    return OrphanReader(lambda schema, table: read_shape(reader, schema, table), survivor_ids, history)


def raw_events(access: NodeAccess, begins: FilePosition, *, limit_s: float = LIMIT_S) -> Iterator[RawEvent]:
    """Raw events by the dump protocol, with the monitor account; raises NodeError."""
    return read_events(access.ref.name, access.monitor, begins, limit_s=limit_s)


def read_orphans(access: NodeAccess, reader: NodeReader, begins: FilePosition, groups: Sequence[Group]) -> OrphanList:
    """These few groups of the node with every row before and after; raises NodeError, TooManyError."""
    reading = orphan_reader(reader, (), [group.statement or "" for group in groups if is_schema_change(group)])
    has_rows = not all(is_trivial(group) for group in groups)
    tally = OrphanTally()
    found = tuple(tally.counted(reading.transactions(groups, raw_events(access, begins) if has_rows else ())))
    used = {row.name for one in found for row in one.rows}
    tables = {key: shape for key, shape in reading.table_definitions.items() if shape.name in used}
    return OrphanList(tally.digest.hexdigest(), found, tables)


class RowReader:
    """Implements `NodeRows` with the operator account, the only one that may read the application's tables."""

    def __init__(self, access: NodeAccess) -> None:
        self.node = access.ref.name
        self.session = Reader(access.ref, access.operator, read_s=CHECK_S, settings=_AS_LOGGED)

    def count(self, asked: Sequence[str]) -> Mapping[str, int]:
        """Count many statements in one query; raises NodeError."""
        return count_rows(self.session, asked)

    def find(self, shape: TableShape, image: RowImage) -> RowImage | None:
        """Look up a row by its key; raises NodeError."""
        rows = self.session.query(lookup_sql(shape, image))
        return row_of(shape, tuple(rows[0].values())) if rows else None

    def close(self) -> None:
        """End the session."""
        self.session.close()


class LinkRows:
    """Implements the core's `SideRows`."""

    def __init__(self, gateway: NodeGateway) -> None:
        self._gateway = gateway

    def on(self, node_id: str) -> RowReader:
        """Return a session that connects with its first query."""
        return RowReader(self._gateway.access(node_id))

    def overwritten(
        self, node_id: str, since: FilePosition, survivor_ids: Sequence[int], book: OrphanList
    ) -> Mapping[str, int]:
        """Read the rows from the node's log, once the node has applied all that its cluster committed."""
        access = self._gateway.access(node_id)
        self._gateway.reader(node_id).query(SYNC_SQL)
        events = read_events(access.ref.name, access.monitor, since, limit_s=LIMIT_S)
        return overwritten_rows(events, survivor_ids, book.table_definitions, len(book))


class RebuiltRows:
    """Implements the core's `RowSource`: a log on one node, the tables it describes on another."""

    def __init__(self, gateway: NodeGateway) -> None:
        self._gateway = gateway

    def book(self, source_id: str, replica_id: str, begins: FilePosition, groups: Sequence[Group]) -> OrphanList:
        """These groups of the source's log; the rebuilt side has the table definitions of the backup's time."""
        return read_orphans(self._gateway.access(source_id), self._gateway.reader(replica_id), begins, groups)

    def count(self, node_id: str, asked: Sequence[str]) -> Mapping[str, int]:
        """Count on the node."""
        rows = RowReader(self._gateway.access(node_id))
        try:
            return rows.count(asked)
        finally:
            rows.close()


def count_rows(reader: Reader, asked: Sequence[str]) -> dict[str, int]:
    """The results of counting statements, many in one query; raises NodeError."""
    found: dict[str, int] = {}
    batch: list[str] = []
    size = 0
    for sql in asked:
        if batch and (len(batch) == BATCH or size + len(sql) > BATCH_CHARACTERS):
            found |= _ask(reader, batch)
            batch, size = [], 0
        batch.append(sql)
        size += len(sql)
    return found | (_ask(reader, batch) if batch else {})


def _ask(reader: Reader, batch: Sequence[str]) -> dict[str, int]:
    parts = [f"SELECT {i} AS i, ({sql}) AS n" for i, sql in enumerate(batch)]
    rows = reader.query(" UNION ALL ".join(parts))
    return {batch[int(str(row["i"]))]: int(str(row["n"])) for row in rows}

"""Orphans of one node: its groups behind the point where the histories part, with their row images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.core.binlog.groups import Group
from backend.core.orphans.model import OrphanList
from backend.core.orphans.rows.information_schema import read_shapes
from backend.core.orphans.transactions import build_orphan_list, is_trivial, split_groups, tables_of
from backend.core.ports import NodeReader
from backend.core.positions import FilePosition
from backend.gateway.binlog_dump import read_events
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.gateway import NodeGateway
from backend.gateway.reader import Reader

LIMIT_S = 60.0
BATCH = 100
BATCH_CHARACTERS = 500_000
CHECK_S = 30.0


def read_orphans(
    access: NodeAccess, reader: NodeReader, begins: FilePosition, groups: Sequence[Group], *, limit_s: float = LIMIT_S
) -> OrphanList:
    """These groups of that node with every row before and after; raises NodeError, TooManyError.

    `reader` is of the node whose catalogue describes the tables as they were when the rows were written.
    """
    if all(is_trivial(group) for group in groups):
        return build_orphan_list(groups, {}, {})
    raws = split_groups(read_events(access.ref.name, access.monitor, begins, limit_s=limit_s), groups)
    return build_orphan_list(groups, raws, read_shapes(reader, tables_of(raws.values())))


class RebuiltRows:
    """Implements the core's `RowSource`: a log on one node, the tables it describes on another."""

    def __init__(self, gateway: NodeGateway) -> None:
        self._gateway = gateway

    def book(self, source_id: str, replica_id: str, begins: FilePosition, groups: Sequence[Group]) -> OrphanList:
        """These groups of the source's log; the copy's catalogue is the one of that moment."""
        return read_orphans(self._gateway.access(source_id), self._gateway.reader(replica_id), begins, groups)

    def count(self, node_id: str, asked: Sequence[str]) -> Mapping[str, int]:
        """Counted with the operator account, which alone may look into the application's tables."""
        access = self._gateway.access(node_id)
        reader = Reader(access.ref, access.operator, read_s=CHECK_S)
        try:
            return count_rows(reader, asked)
        finally:
            reader.close()


def count_rows(reader: Reader, asked: Sequence[str]) -> dict[str, int]:
    """Counting statements, many in one question; raises NodeError."""
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

"""Simulates a transaction on the replica's rows as its SQL thread would, to find the row on which it stops.

The SQL thread finds a row to change by its key alone and does not compare the rest of the row; a table without a key
is searched for the whole row. So a row that only differs stops nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from backend.core.channel_errors.model import FailedRow
from backend.core.orphans.model import RowChange, RowImage, TableShape
from backend.core.orphans.rows.row_keys import RowKey, key_digest, row_key_of, unique_row_keys
from backend.core.orphans.side_rows import NodeRows
from backend.core.orphans.statements import count_sql, key_count_sql

BATCH = 200
"""Rows that are queried at once."""
MAX_COMPARED = 1_000
"""The maximum of rows that are looked up to find whether all of a transaction was applied."""
TableDefinitions = Mapping[str, TableShape]


@dataclass(slots=True)
class _Paper:
    """What the rows before this one changed: unique values used or free, equal rows of tables without a key."""

    replica: NodeRows
    counts: Mapping[str, int] = field(default_factory=dict)
    taken: dict[str, bool] = field(default_factory=dict)
    more: dict[str, int] = field(default_factory=dict)

    def is_taken(self, shape: TableShape, image: RowImage, row_key: RowKey) -> bool:
        """Whether some row has these values of a unique key."""
        known = self.taken.get(_name(row_key))
        return known if known is not None else self.counts[key_count_sql(shape, row_key[1], image)] > 0

    def is_there(self, shape: TableShape, image: RowImage) -> bool:
        """Whether the SQL thread finds the row."""
        row_key = row_key_of(image, shape)
        if shape.key:
            return self.is_taken(shape, image, row_key)
        return self.counts[count_sql(shape, image)] + self.more.get(_name(row_key), 0) > 0

    def in_the_way(self, shape: TableShape, image: RowImage, row_key: RowKey) -> RowImage | None:
        """The other row with these values of a unique key, unless this transaction changed or removed it before.

        The server compares by collation: a row that changes from `a` to `A` does not conflict with itself.
        """
        if not self.is_taken(shape, image, row_key):
            return None
        there = self.replica.find(replace(shape, keys=(row_key[1],)), image)
        is_touched = there is not None and bool(shape.key) and _name(row_key_of(there, shape)) in self.taken
        return None if is_touched else there

    def put(self, shape: TableShape, image: RowImage) -> None:
        """Record that the row exists from now on."""
        for row_key in unique_row_keys(image, shape):
            self.taken[_name(row_key)] = True
        self._count(shape, image, 1)

    def take(self, shape: TableShape, image: RowImage) -> None:
        """Record that the row was removed. The replica's row may have had other values under its other unique keys."""
        for row_key in unique_row_keys(image, shape):
            self.taken.pop(_name(row_key), None)
        if shape.key:
            self.taken[_name(row_key_of(image, shape))] = False
        self._count(shape, image, -1)

    def _count(self, shape: TableShape, image: RowImage, change: int) -> None:
        if not shape.key:
            name = _name(row_key_of(image, shape))
            self.more[name] = self.more.get(name, 0) + change


def _name(row_key: RowKey) -> str:
    return key_digest((f"{row_key[0]}/{','.join(row_key[1])}", (), row_key[2]))


def first_failing_row(
    rows: Iterable[RowChange], table_definitions: TableDefinitions, replica: NodeRows
) -> FailedRow | None:
    """The row on which the replica would stop now; None where the whole transaction passes. Raises NodeError."""
    paper, rest = _Paper(replica), iter(rows)
    while some := list(islice(rest, BATCH)):
        asked = (sql for row in some for sql in _questions(row, table_definitions[row.definition]))
        paper.counts = replica.count(list(dict.fromkeys(asked)))
        for row in some:
            failed = _try(row, table_definitions[row.definition], paper)
            if failed is not None:
                return failed
    return None


def _questions(row: RowChange, shape: TableShape) -> Iterator[str]:
    if row.before is not None:
        yield key_count_sql(shape, shape.key, row.before) if shape.key else count_sql(shape, row.before)
    if row.after is not None:
        yield from (key_count_sql(shape, row_key[1], row.after) for row_key in unique_row_keys(row.after, shape))


def _try(row: RowChange, shape: TableShape, paper: _Paper) -> FailedRow | None:
    if row.before is not None:
        if not paper.is_there(shape, row.before):
            return FailedRow(row, shape)
        paper.take(shape, row.before)
    if row.after is not None:
        found = ((key[1], paper.in_the_way(shape, row.after, key)) for key in unique_row_keys(row.after, shape))
        blockers = tuple((key, there) for key, there in found if there is not None)
        if blockers:
            return FailedRow(row, shape, blockers)
        paper.put(shape, row.after)
    return None


def stands_as_left(rows: Sequence[RowChange], table_definitions: TableDefinitions, replica: NodeRows) -> bool:
    """Whether every row that the transaction changes is on the replica with the values that it wrote.

    False also where that is unknown: a table without a key, too many rows. Raises NodeError.
    """
    last: dict[str, tuple[TableShape, RowImage, RowImage | None]] = {}
    for row in rows:
        shape = table_definitions[row.definition]
        if not shape.key or len(last) > MAX_COMPARED:
            return False
        for image, left in ((row.before, None), (row.after, row.after)):
            if image is not None:
                last[_name(row_key_of(image, shape))] = (shape, image, left)
    return bool(last) and all(replica.find(shape, image) == left for shape, image, left in last.values())

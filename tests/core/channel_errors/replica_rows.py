"""A replica's rows as images, and what its SQL thread does with a transaction: the judge of what is told on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from backend.core.orphans.model import RowChange, RowImage, TableShape, Value
from backend.core.ports import NodeError
from tests.core.builders.orphan_worlds import KEYED, KEYLESS, stored
from tests.fakes.rows import FakeTables

NAMED = replace(KEYED, table="named", keys=(("id",), ("name",)))
"""A table with a second unique key; texts compare without case, as in most collations."""
DEFINITIONS = {shape.name: shape for shape in (KEYED, KEYLESS, NAMED)}


@dataclass
class ReplicaRows:
    """Implements `NodeRows`; `fails` with that error."""

    rows: dict[str, list[RowImage]] = field(default_factory=lambda: {name: [] for name in DEFINITIONS})
    fails: NodeError | None = None
    node: str = "b1"

    def with_rows(self, shape: TableShape, *images: RowImage) -> ReplicaRows:
        """These stand there."""
        self.rows[shape.name] += images
        return self

    def count(self, asked: Sequence[str]) -> Mapping[str, int]:
        """As a server counts."""
        if self.fails is not None:
            raise self.fails
        tables = FakeTables({name: [stored(row) for row in found] for name, found in self.rows.items()})
        return {sql: tables.count(sql) for sql in asked}

    def find(self, shape: TableShape, image: RowImage) -> RowImage | None:
        """By the key."""
        wanted = _values(shape, shape.key, image)
        return next((one for one in self.rows[shape.name] if _values(shape, shape.key, one) == wanted), None)

    def close(self) -> None:
        """Nothing to end."""

    def apply(self, rows: Sequence[RowChange]) -> tuple[int, str] | None:
        """Row by row as the SQL thread does it: where it stops, and on what; None where all of it was applied."""
        for number, row in enumerate(rows):
            shape, table = DEFINITIONS[row.name], self.rows[row.name]
            if row.before is not None:
                found = self.find(shape, row.before) if shape.key else next((r for r in table if r == row.before), None)
                if found is None:
                    return number, "missing"
                table.remove(found)
            if row.after is not None:
                if any(self.find(replace(shape, keys=(key,)), row.after) for key in _unique(shape, row.after)):
                    return number, "duplicate"
                table.append(row.after)
        return None


def _unique(shape: TableShape, image: RowImage) -> list[tuple[str, ...]]:
    return [key for key in shape.keys if None not in _values(shape, key, image)]


def _values(shape: TableShape, key: tuple[str, ...], image: RowImage) -> tuple[Value, ...]:
    by_name = {c.name: cell for c, cell in zip(shape.columns, image, strict=True)}
    values = (by_name[name] for name in key)
    return tuple(cell.lower() if isinstance(cell, bytes) else cell for cell in values)

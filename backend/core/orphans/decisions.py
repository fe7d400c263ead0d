"""An operator's decisions on rows that orphans and the active side changed in different ways.

A row's decision takes precedence over its table's. Its effect on each orphan is computed when the plan is created
(`Resolution`), so that the run sends what was confirmed and detects a row that changed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from backend.core.orphans.model import OrphanTransaction, RowChange, RowImage, TableShape
from backend.core.orphans.rows.row_keys import key_digest, row_key_of
from backend.core.orphans.serialization import image_from_json, image_to_json
from backend.core.orphans.statements import change_statement, replay_statement
from backend.core.orphans.transactions import OWN_SCHEMA
from backend.core.ports import RowStatement

MAX_RESOLVED = 5_000
"""The maximum of rows that a plan decides on one by one; more need a decision by table."""


class Decision(StrEnum):
    """Keep the active side's row, take the orphan's, or skip the whole transaction."""

    KEEP_ACTIVE = "keep_active"
    TAKE_ORPHAN = "take_orphan"
    LEAVE_OUT = "leave_out"


@dataclass(slots=True)
class Decisions:
    """Decisions by table and row; it records which ones were used, so that one without effect is found."""

    by_table: Mapping[str, Decision] = field(default_factory=dict)
    by_row: Mapping[tuple[str, str], Decision] = field(default_factory=dict)
    _asked: set[tuple[str, str]] = field(default_factory=set)

    def of(self, table: str, row: str) -> Decision | None:
        """The decision on a row; None without one."""
        self._asked |= {(table, row), (table, "")}
        return self.by_row.get((table, row)) or self.by_table.get(table)

    def meaningless(self) -> tuple[str, ...]:
        """Decisions about rows and tables without a conflict."""
        rows = [f"row {row} of {table}" for table, row in self.by_row if (table, row) not in self._asked]
        return (*(f"table {name}" for name in self.by_table if (name, "") not in self._asked), *rows)


def read_decisions(options: Sequence[Mapping[str, Any]]) -> Decisions:
    """Build the decisions from a plan's option: `table`, `row` (None or empty: the whole table) and `decision`."""
    by_table: dict[str, Decision] = {}
    by_row: dict[tuple[str, str], Decision] = {}
    for one in options:
        decision = Decision(one["decision"])
        if one.get("row"):
            by_row[one["table"], one["row"]] = decision
        else:
            by_table[one["table"]] = decision
    return Decisions(by_table, by_row)


@dataclass(frozen=True, slots=True)
class Resolution:
    """What one orphan does to one row by decision; `current` is the active side's row that is replaced.

    `is_alike`: that row already has the orphan's values. Nothing is written, and the undo leaves the row, too: an
    applier whose event would change nothing logs nothing, so the channel may have applied it and will not do so again.
    """

    index: int
    row: str
    decision: Decision
    current: RowImage | None = None
    is_alike: bool = False

    @property
    def is_written(self) -> bool:
        """Whether the replay writes the row."""
        return self.decision is Decision.TAKE_ORPHAN and not self.is_alike

    def to_json(self) -> list[Any]:
        """The resolution as a step's parameter."""
        return [self.index, self.row, self.decision.value, image_to_json(self.current), self.is_alike]


def resolutions_from_json(data: Iterable[Sequence[Any]]) -> dict[tuple[int, str], Resolution]:
    """Inverse of `to_json`, by orphan and row."""
    found = (Resolution(one[0], one[1], Decision(one[2]), image_from_json(one[3]), one[4]) for one in data)
    return {(one.index, one.row): one for one in found}


def row_name(row: RowChange, shape: TableShape) -> str:
    """The row's name in a decision: the digest of its key before the orphan; empty without a key."""
    image = row.before if row.before is not None else row.after
    assert image is not None
    return key_digest(row_key_of(image, shape)) if shape.key else ""


def resolved_statements(
    transaction: OrphanTransaction,
    table_definitions: Mapping[str, TableShape],
    resolutions: Mapping[tuple[int, str], Resolution],
) -> tuple[RowStatement, ...]:
    """The orphan's rows under the decisions: kept rows are omitted, and the first change of a taken row starts from
    the active side's row."""
    found: list[RowStatement] = []
    taken: set[str] = set()
    for row in transaction.rows:
        if row.schema == OWN_SCHEMA:
            continue
        shape = table_definitions[row.definition]
        name = row_name(row, shape)
        resolution = resolutions.get((transaction.index, name))
        if resolution is None or name in taken:
            found.append(replay_statement(row, shape))
        elif resolution.decision is Decision.TAKE_ORPHAN:
            taken.add(name)
            if resolution.is_written and (resolution.current is not None or row.after is not None):
                found.append(change_statement(shape, resolution.current, row.after))
    return tuple(found)

"""The columns of a table at each time: its current definition, reverted change by change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from backend.core.orphans.model import TableShape
from backend.core.orphans.schema_change import ChangeKind, SchemaChange
from backend.core.orphans.schema_changes.parse import parse_logged
from backend.core.orphans.schema_changes.tokens import UnsupportedChangeError

NO_INVERSE = "no log has what it removed"


def read_history(logged: Sequence[str]) -> SchemaHistory:
    """The history of the statements as the log's pages show them, oldest first."""
    changes: list[SchemaChange | None] = []
    refused: dict[int, str] = {}
    for ordinal, text in enumerate(logged):
        try:
            changes.append(parse_logged(text))
        except UnsupportedChangeError as error:
            changes.append(None)
            refused[ordinal] = str(error)
    return SchemaHistory(changes, refused)


@dataclass(slots=True)
class SchemaHistory:
    """The table definition changes among the orphans, oldest first; None is one that could not be parsed.

    A table that is created and dropped among them leaves no trace: those changes, and the rows in between, are void.
    """

    changes: Sequence[SchemaChange | None]
    refused: dict[int, str] = field(default_factory=dict)
    """Why a change can be neither replayed nor undone, by its index."""
    void: frozenset[int] = field(init=False)
    _lives: dict[str, list[tuple[int, int]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        void: set[int] = set()
        for name in {change.name for change in self.changes if change is not None}:
            void |= self._void_of(name)
        self.void = frozenset(void)

    def _void_of(self, name: str) -> set[int]:
        """Indexes of a table's changes that a later drop made void."""
        void: set[int] = set()
        life: list[int] | None = None
        """Changes since the table was created among the orphans; None where it existed before."""
        for ordinal, change in self._of(name):
            if _creates(change):
                life = [ordinal]
            elif change.kind is not ChangeKind.DROP:
                if life is not None:
                    life.append(ordinal)
            elif life:
                void |= {*life, ordinal}
                self._lives.setdefault(name, []).append((life[0], ordinal))
                life = []
            elif life is not None and change.is_conditional:
                void.add(ordinal)
            else:
                self.refused[ordinal] = NO_INVERSE
        return void

    def _of(self, name: str) -> list[tuple[int, SchemaChange]]:
        return [(i, change) for i, change in enumerate(self.changes) if change is not None and change.name == name]

    def is_void(self, name: str, passed: int) -> bool:
        """Whether rows of the table after N changes were dropped with it."""
        return any(first < passed <= last for first, last in self._lives.get(name, ()))

    def version(self, name: str, passed: int) -> int:
        """The number of changes of the table that follow the first N changes of all."""
        return sum(1 for ordinal, _ in self._of(name) if ordinal >= passed and ordinal not in self.void)

    def shape(self, now: TableShape, version: int) -> TableShape | None:
        """The table N changes before its current definition; None where it did not exist yet."""
        live = [change for ordinal, change in self._of(now.name) if ordinal not in self.void]
        shape: TableShape | None = now
        for change in reversed(live[len(live) - version :]):
            shape = None if shape is None or _creates(change) else _before(shape, change)
        if shape is None or not version:
            return shape
        refusals = shape.refusals
        if shape.key != now.key:
            refusals = (*refusals, f"orphaned transactions changed the key of {now.name}; its rows cannot be tracked")
        return replace(shape, version=version, refusals=refusals)


def _creates(change: SchemaChange) -> bool:
    """Whether the table certainly did not exist before."""
    return change.kind is ChangeKind.CREATE and not change.is_conditional


def _before(shape: TableShape, change: SchemaChange) -> TableShape:
    """The definition without what the change added."""
    added = set(change.columns)
    keys = [key for key in shape.keys if not (key and set(key) <= added)]
    for index in change.indexes:
        if index.is_unique and index.columns in keys:
            keys.remove(index.columns)
    return replace(shape, columns=tuple(c for c in shape.columns if c.name not in added), keys=tuple(keys))

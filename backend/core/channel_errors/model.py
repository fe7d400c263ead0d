"""The failed row as values, and the report on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from backend.core.orphans.model import RowChange, RowImage, TableShape
from backend.core.positions import FilePosition
from backend.core.topology import Direction


class ErrorState(StrEnum):
    """The state of the channel's transaction."""

    NONE = "none"
    ROW_IN_THE_WAY = "row_in_the_way"
    ROW_MISSING = "row_missing"
    ALREADY_APPLIED = "already_applied"
    PASSES_NOW = "passes_now"
    OTHER_ERROR = "other_error"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FailedRow:
    """The first row of a transaction that the replica cannot apply.

    `blockers`: unique keys, each with the replica's row with the same values; () where the row to change is missing.
    """

    change: RowChange
    shape: TableShape
    blockers: tuple[tuple[tuple[str, ...], RowImage], ...] = ()

    @property
    def in_the_way(self) -> tuple[RowImage, ...]:
        """The replica's conflicting rows, each once."""
        return tuple(dict.fromkeys(image for _, image in self.blockers))

    @property
    def differing(self) -> tuple[str, ...]:
        """Columns in which the first conflicting row differs from the one to be written."""
        wanted = self.change.after
        if wanted is None or not self.blockers:
            return ()
        triples = zip(self.shape.columns, wanted, self.blockers[0][1], strict=True)
        return tuple(column.name for column, want, there in triples if want != there)


@dataclass(frozen=True, slots=True)
class SourceRow:
    """The row as the source has it now; `unread` is the reason why that is unknown."""

    image: RowImage | None = None
    unread: str = ""


@dataclass(frozen=True, slots=True)
class NodeStatement:
    """One statement for an operator to run, and its node."""

    node: str
    sql: str


@dataclass(frozen=True, slots=True)
class WayOn:
    """A solution that an operator may choose; `plan_kind` is the operation that Hawser runs for it, if any.

    `put_back`: statements that undo the fix, to be saved first.
    """

    code: str
    title: str
    sentence: str
    statements: tuple[NodeStatement, ...] = ()
    plan_kind: str = ""
    put_back: tuple[NodeStatement, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedTransaction:
    """The transaction the channel stopped on, in its source's log."""

    begin: FilePosition
    end: FilePosition
    seqno: int | None
    gtid: str | None
    at_s: int
    tables: tuple[str, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class ChannelErrorReport:
    """The report on a channel's error; `detail` is a sentence, with the reason where something is unknown."""

    direction: Direction
    state: ErrorState
    detail: str
    errno: int = 0
    error: str = ""
    replica: str | None = None
    source: str | None = None
    transaction: FailedTransaction | None = None
    row: FailedRow | None = None
    source_row: SourceRow = field(default_factory=SourceRow)
    ways: tuple[WayOn, ...] = field(default_factory=tuple)

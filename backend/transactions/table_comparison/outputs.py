"""What the endpoints of comparisons return."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

StateName = Literal["running", "paused", "finished", "stopped"]
TableStateName = Literal["waiting", "comparing", "equal", "different", "not_compared"]


@dataclass(frozen=True, slots=True)
class ComparedNode:
    """A node that is read; the first one is what the others are compared with."""

    id: str
    name: Annotated[str, "Empty where it is no longer registered."]
    cluster: str


@dataclass(frozen=True, slots=True)
class TableComparison:
    """A comparison of the tables of a link while they are written. Nothing is written on any node."""

    id: str
    link_id: str
    state: StateName
    actor: str
    nodes: list[ComparedNode]
    only: Annotated[list[str], "Schemas, or SCHEMA.TABLE; all tables where it is empty."]
    rows_per_s: int
    busy_percent: Annotated[int, "The share of the time in which a node works for it, at most."]
    sentence: Annotated[str, "What it came to, or what it waits for."]
    started_at: datetime
    ended_at: datetime | None
    tables: Annotated[int, "0 until they are listed."]
    tables_equal: int
    tables_different: int
    tables_not_compared: Annotated[int, "Or not whole."]
    rows: Annotated[int, "Compared so far, on the first node."]
    rows_while_written: Annotated[int, "Of these, equal while their table was being written between the reads."]
    estimated_rows: Annotated[int, "By the servers' estimates, and of tables that ended what was compared."]
    different: Annotated[int, "Rows that differ."]
    remaining_s: Annotated[int | None, "Estimated, while it runs; null where it is unknown."]


@dataclass(frozen=True, slots=True)
class TableComparisons:
    """The newest comparisons of a link."""

    results: list[TableComparison]


@dataclass(frozen=True, slots=True)
class ComparedTable:
    """A table of a comparison."""

    name: str
    state: TableStateName
    estimated_rows: int
    rows: int
    rows_while_written: int
    different: int
    doubtful: Annotated[int, "Rows that differed while the table was written, and are looked at again."]
    code: str
    sentence: str
    left_out: Annotated[list[str], "Columns and definitions that are not compared, each with the reason."]
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A row that is not the same on a node. Operators see values, viewers where it is."""

    component: ClassVar[str] = "RowDifference"
    id: int
    table: str
    node: str
    node_id: str
    apart: Annotated[Literal["different", "missing", "extra"], "On the node, against the first one."]
    is_confirmed: Annotated[bool, "False: it differed in each of 20 looks while the table was written."]
    columns: Annotated[list[str], "Those that differ; empty where a row is missing or extra, or has no key."]
    has_key: Annotated[bool, "False: the table as a whole differs, and no row of it is known."]
    key: Annotated[dict[str, Any] | None, "By column; null for viewers, and of a table without a key."]
    reference: Annotated[dict[str, Any] | None, "The row on the first node; null for viewers, or where it is missing."]
    held: Annotated[dict[str, Any] | None, "The row on this node; null for viewers, or where it is missing."]
    found_at: datetime


@dataclass(frozen=True, slots=True)
class LoggedRowChange:
    """A transaction that changed a row."""

    at: Annotated[datetime, "When its statement began."]
    operation: Annotated[Literal["insert", "update", "delete"], "Of an update of the key, `update`."]
    gtid: Annotated[str, "As this log has it; empty where it has none."]
    server_id: int
    written_on: Annotated[list[str], "Nodes that have this server_id now."]
    file: Annotated[str, "Binary log of the node."]
    position: Annotated[int, "Within the transaction."]


@dataclass(frozen=True, slots=True)
class RowWriter:
    """What the log of one node tells of a row that differs."""

    node_id: str
    node: Annotated[str, "Empty where it is no longer registered."]
    since: Annotated[datetime | None, "From when its log was read; null: it was not."]
    changes: Annotated[int, "Of the row, in the log since then."]
    is_as_logged: Annotated[
        bool | None,
        "Whether the comparison found the row as a logged transaction left it, or as it was before; null: unknown.",
    ]
    sentence: str
    last: Annotated[LoggedRowChange | None, "The last change in the log, also one behind the comparison."]
    writer: Annotated[LoggedRowChange | None, "The last change that left the row as the comparison found it."]


@dataclass(frozen=True, slots=True)
class RowWriters:
    """What is known of how a row came to differ: of the first node, and of the one on which it differs."""

    results: list[RowWriter]


@dataclass(frozen=True, slots=True)
class ComparisonSchedule:
    """When a link's tables are compared automatically. It is off by default."""

    enabled: bool
    every_hours: int
    every_node: bool
    only: list[str]
    rows_per_s: int
    busy_percent: int
    next_at: Annotated[datetime | None, "Null: as soon as a worker is free, or never while off."]

"""A kind of step that sends many transactions, each with an intent and an outcome of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from backend.core.plan import Step
from backend.core.ports import RowStatement, SchemaStatement
from backend.core.steps.base import StepContext


@dataclass(frozen=True, slots=True)
class BatchTransaction:
    """One transaction: its index in the list, its statements and its marker; or one change of a definition."""

    index: int
    statements: Sequence[RowStatement]
    marker: str
    schema_change: SchemaStatement | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Transactions under one intent: the SQL shown for them, and the state before them."""

    display_sql: str
    state_before: Mapping[str, Any]
    transactions: Sequence[BatchTransaction]


@runtime_checkable
class BatchStepKind(Protocol):
    """A step that sends many transactions; `look` reads how many of them are committed already."""

    def batches(self, ctx: StepContext, step: Step) -> Iterator[Batch]:
        """The transactions still to be sent, in order; raises where the plan does not fit the stored list."""
        ...

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
    """One transaction: its place in the list, its statements and its marker; or a change of a definition, alone."""

    index: int
    statements: Sequence[RowStatement]
    marker: str
    schema_change: SchemaStatement | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Transactions under one intent: what the record shows of them, and the state before them."""

    display_sql: str
    state_before: Mapping[str, Any]
    transactions: Sequence[BatchTransaction]


@runtime_checkable
class BatchStepKind(Protocol):
    """A step whose deed is many transactions; `look` tells how many of them stand already."""

    def batches(self, ctx: StepContext, step: Step) -> Iterator[Batch]:
        """What is left to do, in order; raises where the plan does not fit what is there."""
        ...

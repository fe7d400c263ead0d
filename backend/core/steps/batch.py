"""A kind of step that sends many transactions, each with an intent and an outcome of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from backend.core.plan import Step
from backend.core.ports import RowStatement
from backend.core.steps.base import StepContext


@dataclass(frozen=True, slots=True)
class BatchTransaction:
    """One transaction: what the record shows, the state before it, its statements and its marker."""

    display_sql: str
    state_before: Mapping[str, Any]
    statements: Sequence[RowStatement]
    marker: str


@runtime_checkable
class BatchStepKind(Protocol):
    """A step whose deed is several transactions; `look` tells how many of them stand already."""

    def transactions(self, ctx: StepContext, step: Step) -> Iterator[BatchTransaction]:
        """What is left to do, in order; raises where the plan does not fit what is there."""
        ...

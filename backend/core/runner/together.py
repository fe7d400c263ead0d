"""Statements that are sent at once: of neighbouring steps of one kind, on different nodes, none after another's proof.

All their intents are stored before the first is sent. Where anything is unusual (a node does not answer, an earlier
worker had begun, one of them is the point of no return) there is no group, and each step goes its own way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from backend.core.plan import Plan, Step
from backend.core.ports import Clock, NodeError, NodeWriter
from backend.core.runner.transitions import Progress
from backend.core.steps.base import STATEMENT_LIMIT_S

TOGETHER = frozenset({"fence", "unfence"})
"""Steps that only set a variable of their own node. Those of a channel look at more than that just before they send."""

Sent = bool | Exception
"""What became of a statement: True, the server accepted it; False, unknown, so that its node is observed again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer to one statement."""

    warnings: tuple[str, ...]
    error: NodeError | None
    duration_ms: float

    @property
    def state(self) -> str:
        """The outcome as the console stores it."""
        if self.error is None:
            return "ok"
        return "indeterminate" if self.error.indeterminate else "failed"

    @property
    def text(self) -> str:
        """The error's text."""
        return "" if self.error is None else str(self.error)


@dataclass(frozen=True, slots=True)
class Sending:
    """One statement that is ready to be sent, over a session whose server was identified."""

    step: Step
    sql: str
    before: Mapping[str, Any]
    writer: NodeWriter
    connection_id: int

    def send(self, secrets: Mapping[str, str], clock: Clock) -> Answer:
        """Send it; an error is its answer."""
        started = clock.monotonic_s()
        error: NodeError | None = None
        warnings: Sequence[str] = ()
        try:
            warnings = self.writer.execute(self.sql, secrets=secrets, timeout_s=STATEMENT_LIMIT_S)
        except NodeError as failed:
            error = failed
        return Answer(tuple(warnings), error, round((clock.monotonic_s() - started) * 1000, 1))


def groups(plan: Plan) -> Iterator[tuple[Step, ...]]:
    """The steps of a plan in order: those that may be sent at once together, each other one alone."""
    for code, steps in groupby(plan.steps, key=lambda step: step.code):
        those = tuple(steps)
        if code in TOGETHER and _are_independent(those):
            yield those
        else:
            yield from ((step,) for step in those)


def is_untouched(steps: Sequence[Step], progress: Progress) -> bool:
    """Whether no worker has begun any of these steps."""
    begun = progress.done | progress.intended | progress.undone
    return not any(step.index in begun for step in steps)


def _are_independent(steps: Sequence[Step]) -> bool:
    """On different nodes, before or after the point of no return, without what must hold just before each statement."""
    nodes = {step.node_id for step in steps}
    is_plain = all(not step.point_of_no_return and "parted_from" not in step.params for step in steps)
    return is_plain and None not in nodes and len(nodes) == len(steps)

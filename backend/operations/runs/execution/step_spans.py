"""A span for each step of a run, from its start until its outcome is stored."""

from __future__ import annotations

from backend.common import tracing
from backend.core.plan import Step


class StepSpans:
    """The spans of one worker's steps; those whose statements are sent at once overlap."""

    def __init__(self) -> None:
        self._open: dict[int, tracing.Span] = {}

    def started(self, step: Step) -> None:
        """A step begins; an attempt that had no outcome is left to its end."""
        self._open.pop(step.index, tracing.NO_SPAN).end()
        attributes: tracing.Attributes = {
            "hawser.step.index": step.index,
            "hawser.step.code": step.code,
            "hawser.node": step.node or "",
        }
        self._open[step.index] = tracing.begin(f"step {step.code}", attributes)

    def ended(self, step: Step, state: str) -> None:
        """The step's outcome is stored."""
        span = self._open.pop(step.index, tracing.NO_SPAN)
        span.set_attribute("hawser.step.state", state)
        span.end()

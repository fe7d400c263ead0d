"""A span for each step of a run, from its start until its outcome is stored."""

from __future__ import annotations

from backend.common import tracing
from backend.core.plan import Step


class StepSpans:
    """The spans of one worker's steps, one at a time."""

    def __init__(self) -> None:
        self._current = tracing.NO_SPAN

    def started(self, step: Step) -> None:
        """A step begins; one that had no outcome is left to its end."""
        self._current.end()
        attributes: tracing.Attributes = {
            "hawser.step.index": step.index,
            "hawser.step.code": step.code,
            "hawser.node": step.node or "",
        }
        self._current = tracing.begin(f"step {step.code}", attributes)

    def ended(self, state: str) -> None:
        """The step's outcome is stored."""
        self._current.set_attribute("hawser.step.state", state)
        self._current.end()
        self._current = tracing.NO_SPAN

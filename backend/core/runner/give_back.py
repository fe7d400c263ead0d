"""What a run that failed past its point of no return gives back: the direction that did not fail replicates again.

Both directions of a link are stopped before one of them is changed. If the first one cannot be completed, the other one
would stand stopped although nothing is wrong with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.plan import Plan, Step
from backend.core.runner.transitions import Progress

_STARTS = "start_channel"
_OF_A_CHANNEL = frozenset({"reset_channel", "set_gtid_position", "change_source", _STARTS})
"""Steps that complete one direction and concern no other."""


def stopped_directions(plan: Plan, progress: Progress) -> list[str]:
    """The directions whose channel this run stopped and is to start again but did not yet, in the order of the plan."""
    stopped = {_direction(step) for step in plan.steps if step.code == "stop_channel" and step.index in progress.done}
    due = [_direction(step) for step in plan.steps if step.code == _STARTS and step.index not in progress.done]
    return [direction for direction in due if direction and direction in stopped]


def said_of(direction: str, failed: Step, *, is_started: bool) -> str:
    """What the end of the run says of a direction that it had stopped."""
    if is_started:
        return f"The {direction} channel, which this run had stopped, was started again at its proven position."
    if direction == _direction(failed):
        return f"The {direction} channel does not replicate until then."
    return f"The {direction} channel, which this run had stopped, is still stopped."


def steps_to_give_back(plan: Plan, progress: Progress, failed: Step, direction: str) -> Sequence[Step]:
    """The steps that are left until the channel of that direction runs; none where something else comes before them.

    Only steps of the direction that failed may be passed over.
    """
    failed_direction = _direction(failed)
    if not failed_direction or failed_direction == direction:
        return ()
    last = next((s.index for s in reversed(plan.steps) if s.code == _STARTS and _direction(s) == direction), None)
    if last is None:
        return ()
    left = [s for s in plan.steps if s.index <= last and s.index not in progress.done]
    own = [step for step in left if _direction(step) == direction]
    others = [step for step in left if _direction(step) not in (direction, failed_direction)]
    return () if others or any(step.code not in _OF_A_CHANNEL for step in own) else own


def _direction(step: Step) -> str:
    return str(step.params.get("direction") or "")

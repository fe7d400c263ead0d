"""Boundary hooks that crash or stop a worker at one exact point, so that recovery can be tested.

`HAWSER_FAULT_AT=BOUNDARY:STEP[:ACTION]` (for example `after-sql:5:kill`) acts once per process. `5+` stands for the
first step from the sixth on that passes the boundary, because not every step sends something.
Without the variable this is one comparison per boundary.
"""

from __future__ import annotations

import os
import signal

BOUNDARIES = ("step-start", "before-intent", "after-intent", "after-sql", "after-outcome", "step-end")
_ACTIONS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}


def reach(boundary: str, step_index: int) -> None:
    """Pass a boundary of a step; ends or stops this process if the variable names it."""
    wanted = os.environ.get("HAWSER_FAULT_AT")
    if not wanted:
        return
    where, _, rest = wanted.partition(":")
    step, _, action = rest.partition(":")
    is_there = step_index >= int(step[:-1]) if step.endswith("+") else step_index == int(step)
    if where == boundary and is_there:
        os.environ.pop("HAWSER_FAULT_AT")
        os.kill(os.getpid(), _ACTIONS[action or "kill"])

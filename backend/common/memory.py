"""When a process searches its memory for objects that refer to each other and to nothing else (Python's `gc`).

Python looks through all that a process keeps again after each quarter that was added: its modules, and in a monitor the
facts of thousands of nodes. That was a quarter of a monitor's processor time, and more than the time of a long answer.
What is kept is set aside instead, and in a process that keeps much of what comes later all is searched now and then.
"""

from __future__ import annotations

import gc
import time

SEARCH_EVERY_S = 600.0
FIRST_AFTER_S = 10.0
"""By then most of the nodes were polled."""
_THRESHOLDS = (50_000, 20, 20)


def set_aside() -> None:
    """Search all of the memory once, and from now on only what comes later."""
    gc.set_threshold(*_THRESHOLDS)
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class RareSearch:
    """For a process that keeps much: `after_tick` sets aside what was added, too."""

    def __init__(self) -> None:
        self._due_s = time.monotonic() + FIRST_AFTER_S

    def after_tick(self) -> None:
        """Search all of the memory if it is time: also what was set aside before."""
        if time.monotonic() >= self._due_s:
            set_aside()
            self._due_s = time.monotonic() + SEARCH_EVERY_S

"""The one way in which tests wait: for a condition, up to a limit that HAWSER_PATIENCE multiplies."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from deploy.services.patience import patience

__all__ = ["patience", "wait_for"]

Answer = TypeVar("Answer")


def wait_for(
    ask: Callable[[], Answer],
    what: str,
    limit_s: float = 60.0,
    pause_s: float = 0.2,
    *,
    seen: Callable[[Answer], object] = repr,
) -> Answer:
    """The first true answer; AssertionError naming what was waited for and, by `seen`, what was there instead."""
    limit_s *= patience()
    until = time.monotonic() + limit_s
    while True:
        # Asked once more behind the limit: the time may have passed while this process had no processor.
        is_last = time.monotonic() >= until
        answer = ask()
        if answer:
            return answer
        assert not is_last, f"waited {limit_s:.0f} s for {what}; last seen: {seen(answer)}"
        time.sleep(pause_s)

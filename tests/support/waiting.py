"""Waits that end on a condition; how long one may take at most is a matter of the machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any


def patience() -> float:
    """Factor on every deadline: HAWSER_PATIENCE, 1 by default. It makes no wait longer that ends by its condition."""
    return float(os.environ.get("HAWSER_PATIENCE", "1"))


def wait_for(ask: Callable[[], Any], what: str, limit_s: float = 60.0, pause_s: float = 0.2) -> Any:
    """Ask until the answer is true; AssertionError naming what was waited for."""
    limit_s *= patience()
    until = time.monotonic() + limit_s
    while True:
        answer = ask()
        if answer:
            return answer
        assert time.monotonic() < until, f"waited {limit_s:g} s for {what}"
        time.sleep(pause_s)

"""A worker that was told to end lets go of its run in time: another one looks, and goes on from there.

A run mostly ends first. A longer one is let go at a boundary or between two looks of a wait, never within a statement.
The word comes to a worker's main process; those that carry runs are forked from it and share this page with it.
"""

from __future__ import annotations

import mmap
import struct
import time
from typing import Final

FINISH_WITHIN_S: Final = 15.0
"""From the word on; what supervises a worker waits 30 s at the least."""
_TOLD_AT_S = struct.Struct("d")
_page = mmap.mmap(-1, _TOLD_AT_S.size)


class WorkerShutdownError(Exception):
    """This process ends; the run goes on in another one."""


def request_shutdown() -> None:
    """This worker is to end."""
    _TOLD_AT_S.pack_into(_page, 0, time.monotonic())


def check_shutdown() -> None:
    """At a place where a run may be let go; WorkerShutdownError where it is time."""
    (told_at_s,) = _TOLD_AT_S.unpack_from(_page)
    if told_at_s and time.monotonic() - told_at_s >= FINISH_WITHIN_S:
        raise WorkerShutdownError("told to end")

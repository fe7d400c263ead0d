"""Releases the run of a worker whose shutdown was requested; another worker observes and resumes it.

Most runs end first. A longer one is released at a boundary or between two observations of a wait, never within a
statement. The request reaches a worker's main process; the processes that execute runs are forked from it and share
this memory page with it.
"""

from __future__ import annotations

import mmap
import struct
import time
from typing import Final

FINISH_WITHIN_S: Final = 15.0
"""Measured from the request on; a worker's supervisor waits at least 30 s."""
_TOLD_AT_S = struct.Struct("d")
_page = mmap.mmap(-1, _TOLD_AT_S.size)


class WorkerShutdownError(Exception):
    """This process ends; the run is resumed by another one."""


def request_shutdown() -> None:
    """Request the shutdown of this worker."""
    _TOLD_AT_S.pack_into(_page, 0, time.monotonic())


def check_shutdown() -> None:
    """Called where a run can be released; raises WorkerShutdownError when it is time."""
    (told_at_s,) = _TOLD_AT_S.unpack_from(_page)
    if told_at_s and time.monotonic() - told_at_s >= FINISH_WITHIN_S:
        raise WorkerShutdownError("worker shutdown requested")

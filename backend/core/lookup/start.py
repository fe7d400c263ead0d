"""Chooses where to start reading a log, so that as little as possible is read and nothing is missed.

A file's first event has the time at which the server began it. A transaction is logged at its own time or later, so it
stands neither in a file that ended before that time nor before a position that was the log's end then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition


@dataclass(frozen=True, slots=True)
class Start:
    """A boundary to read from. `since_s`: all that was logged since then stands after it; None where it is unknown."""

    position: FilePosition
    since_s: int | None = None
    is_first: bool = False


CreatedAt = Callable[[str], int]
"""The time at which the server began a file; raises NodeError."""


def start_at_time(files: Sequence[str], created_at_s: CreatedAt, wanted_s: int) -> Start | None:
    """The newest file that began at or before that time, by binary search; the oldest one where none did.

    None without any file.
    """
    if not files:
        return None
    low, high = 0, len(files)
    while low + 1 < high:
        middle = (low + high) // 2
        if created_at_s(files[middle]) <= wanted_s:
            low = middle
        else:
            high = middle
    return Start(FilePosition(files[low], FIRST_EVENT_OFFSET), created_at_s(files[low]), is_first=low == 0)


def nearer(start: Start, sample: tuple[FilePosition, int] | None, size: int | None, created_s: int | None) -> Start:
    """The start, or a later one at a position that was observed as the log's end, and when.

    A sample is not used where the log was reset since: its file then is younger than the sample, or shorter.
    """
    if sample is None or size is None or created_s is None:
        return start
    position, observed_s = sample
    if position.base != start.position.base or position <= start.position:
        return start
    if created_s > observed_s or position.offset > size:
        return start
    return Start(position, observed_s)

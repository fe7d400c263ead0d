"""In which order workers take their messages, and the process that is kept for operators."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Priority(IntEnum):
    """The lower comes first, whatever waits behind it. The broker has a list for each of these numbers.

    `OPERATORS`: runs that a person started one by one, and fences. `AUTOMATIC`: what Hawser starts, incidents with
    their plans, notifications. `BACKGROUND`: rehearsals.
    """

    OPERATORS = 0
    AUTOMATIC = 3
    BACKGROUND = 6


def is_last_kept(processes: int, under_way: Iterable[int]) -> bool:
    """Whether a worker takes only what operators start, because all its processes but one do other work.

    A worker of one process keeps none.
    """
    busy = sum(priority > Priority.OPERATORS for priority in under_way)
    return processes > 1 and busy >= processes - 1

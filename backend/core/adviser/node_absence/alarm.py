"""When the time a node may be away is too short, and when it is long enough again."""

from __future__ import annotations

from backend.core.adviser.node_absence.forecast import Time, Unlimited

CLEARED_AT = 1.25
"""An alarm ends at this multiple of its threshold, so that a rate around it does not raise it again and again."""


def is_alarmed(time: Time, *, threshold_s: float, was_alarmed: bool) -> bool:
    """Whether the time is too short; an unknown time changes nothing, and a threshold of 0 means no alarm."""
    if threshold_s <= 0:
        return False
    if isinstance(time, Unlimited):
        return False
    if not isinstance(time, float):
        return was_alarmed
    return time < (threshold_s * CLEARED_AT if was_alarmed else threshold_s)

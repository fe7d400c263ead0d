"""Which kinds of operations are planned changes, and which end an emergency."""

from __future__ import annotations

from typing import Final

EMERGENCY: Final = frozenset(
    {
        "relocate", "failover", "start_channel", "reprotect", "fence_returned_side", "accept_state_uuid",
        "remove_stray_channel", "fence_standby",
    }
)  # fmt: skip
"""They restore or protect replication after a failure; the calendar never blocks them."""


def is_planned(kind: str) -> bool:
    """Whether the calendar applies to the kind; a kind that is unknown here is a planned one."""
    return kind not in EMERGENCY

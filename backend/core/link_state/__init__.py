"""What state a link is in, in one sentence, from facts alone: pure, told what time it is.

Unknown is a state of its own: where a side cannot be seen, nothing is claimed about it.
"""

from __future__ import annotations

from backend.core.link_state.channels import ChannelState, ChannelView, DirectionView, view_direction
from backend.core.link_state.clusters import ClusterBrief, brief
from backend.core.link_state.debounce import debounce
from backend.core.link_state.derive import CleanupDue, History, LinkState, LinkView, derive

__all__ = [
    "ChannelState",
    "ChannelView",
    "CleanupDue",
    "ClusterBrief",
    "DirectionView",
    "History",
    "LinkState",
    "LinkView",
    "brief",
    "debounce",
    "derive",
    "view_direction",
]

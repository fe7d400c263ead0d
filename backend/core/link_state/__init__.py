"""What state a link is in, in one sentence, from facts alone: pure, told what time it is.

Unknown is a state of its own: where a side cannot be seen, nothing is claimed about it.
"""

from __future__ import annotations

from backend.core.link_state.channels import ChannelState, ChannelView, DirectionView, view_direction
from backend.core.link_state.clusters import ClusterBrief, brief
from backend.core.link_state.debounce import settle
from backend.core.link_state.derive import Due, History, LinkState, LinkView, derive

__all__ = [
    "ChannelState",
    "ChannelView",
    "ClusterBrief",
    "DirectionView",
    "Due",
    "History",
    "LinkState",
    "LinkView",
    "brief",
    "derive",
    "settle",
    "view_direction",
]

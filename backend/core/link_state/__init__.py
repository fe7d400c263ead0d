"""The state of a link, and the sentence that says it. Both are derived from facts alone; the caller passes the time.

Unknown is a state of its own: nothing is claimed about a side that is unreachable from the console.
"""

from __future__ import annotations

from backend.core.link_state.channels import ChannelState, ChannelView, DirectionView, view_direction
from backend.core.link_state.clusters import ClusterBrief, brief
from backend.core.link_state.debounce import debounce
from backend.core.link_state.derive import CleanupDue, History, LinkState, LinkView, derive, view_directions

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
    "view_directions",
]

"""Which of several states of a link is the worst: of a time span, the worst is shown.

An acute failure is worse than a known lack of protection, and unknown is worse than degraded. The numbers are stored;
new states take numbers in between.
"""

from __future__ import annotations

from typing import Final

from backend.core.link_state.derive import LinkState

RANKS: Final = {
    LinkState.PROTECTED: 0,
    LinkState.UNPROVEN: 5,
    LinkState.DEGRADED: 10,
    LinkState.UNKNOWN: 20,
    LinkState.FAILED_OVER: 30,
    LinkState.UNPROTECTED: 40,
    LinkState.BROKEN: 50,
}
_STATES: Final = {rank: state for state, rank in RANKS.items()}


def state_of_rank(rank: int | None) -> LinkState:
    """The state with this rank; without one, or with one of another version, unknown."""
    return LinkState.UNKNOWN if rank is None else _STATES.get(rank, LinkState.UNKNOWN)

"""One missed poll is not a lost node: after the first miss the last known facts stay, with their age."""

from __future__ import annotations

from backend.core.topology import NodeFacts, Reach

MISSES_BEFORE_DOWN = 2
_SILENT = (Reach.HUNG, Reach.UNKNOWN)


def debounce(before: NodeFacts | None, now: NodeFacts, misses: int) -> tuple[NodeFacts, int]:
    """The facts to use, and how many polls in a row were missed.

    A closed port or a refused login is an answer and counts at once. A missed poll counts from the second one on.
    """
    if now.reach not in _SILENT:
        return now, 0
    missed = misses + 1
    if before is not None and before.is_up and missed < MISSES_BEFORE_DOWN:
        return before, missed
    return now, missed

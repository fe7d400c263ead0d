"""The judge: proves a position or refuses it, never guesses.

A position is proven when two families name the same place, or one names it and another bears it
out, and one of the two is content. Anything that disagrees, matches twice or cannot be told
refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.locate.evidence import Evidence, Family


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the place is proven; `index` names it (last held stream group), `reasons` say why not."""

    is_proven: bool
    index: int | None
    reasons: tuple[str, ...]


def judge(evidence: Sequence[Evidence]) -> Verdict:
    """Weigh all evidence of one direction."""
    against = [e.detail for e in evidence if e.agrees is False]
    places = {e.index for e in evidence if e.agrees and e.index is not None and not e.is_bound}
    if against:
        return Verdict(False, None, tuple(f"Evidence disagrees: {detail}" for detail in against))
    if not places:
        silent = [f"{e.family.value}: {e.detail}" for e in evidence]
        return Verdict(False, None, ("No evidence names a place.", *silent))
    if len(places) > 1:
        named = [f"{e.family.value} names group {e.index}" for e in evidence if e.index in places]
        return Verdict(False, None, ("Evidence names different places.", *named))
    index = next(iter(places))
    families = {e.family for e in evidence if e.agrees}
    if len(families) < 2:
        return Verdict(False, index, ("Only one kind of evidence speaks for this place.",))
    if Family.CONTENT not in families:
        return Verdict(False, index, ("Nothing compares content: seqno and GTID are not two facts.",))
    return Verdict(True, index, ())

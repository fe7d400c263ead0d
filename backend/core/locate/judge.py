"""The judge: proves a position or refuses it, never guesses.

A position is proven when two families name it, or one names it and another corroborates it, and one
of the two is content. It is refused when any evidence disagrees, matches twice or is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.locate.evidence import Evidence, Family


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the position is proven; `index` names it (last stream group applied), `reasons` say why not."""

    is_proven: bool
    index: int | None
    reasons: tuple[str, ...]


def judge(evidence: Sequence[Evidence]) -> Verdict:
    """Judge all evidence of one direction."""
    against = [e.detail for e in evidence if e.agrees is False]
    indexes = {e.index for e in evidence if e.agrees and e.index is not None and not e.is_bound}
    if against:
        return Verdict(False, None, tuple(f"Evidence disagrees: {detail}" for detail in against))
    if not indexes:
        details = [f"{e.family.value}: {e.detail}" for e in evidence]
        return Verdict(False, None, ("No evidence names a position.", *details))
    if len(indexes) > 1:
        named = [f"{e.family.value} names transaction {e.index}." for e in evidence if e.index in indexes]
        return Verdict(False, None, ("Evidence names different positions.", *named))
    index = next(iter(indexes))
    families = {e.family for e in evidence if e.agrees}
    if len(families) < 2:
        return Verdict(False, index, ("Only one evidence source supports this position.",))
    if Family.CONTENT not in families:
        return Verdict(False, index, ("No content evidence. Seqno and GTID are not independent of each other.",))
    return Verdict(True, index, ())

"""The part of a readiness report about the standing proof: for how much of the period each direction was proven."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import floor
from typing import Any, Final

from backend.core.documents.model import Block, paragraph, table
from backend.core.history.times import short
from backend.core.plural import pluralize
from backend.core.reports.shared import time_text

Shown = Mapping[str, Any]
_PROVEN: Final = (
    "Proven: it was shown, within the time for which a proof stands, that each transaction of one side is on the other "
    "side. What was caught up with later, and what is not recorded, is not proven."
)


def proof_blocks(directions: Sequence[Shown]) -> Iterator[Block]:
    """A sentence for each direction, then the longest gaps of both."""
    yield paragraph(_PROVEN)
    for one in directions:
        yield paragraph(proof_sentence(one))
    gaps = [
        (f"{one['source']} → {one['receiving']}", time_text(gap["began_at"]), _lasted(gap), gap["sentence"])
        for one in directions
        for gap in one["longest_gaps"]
    ]
    if gaps:
        yield table(("longest gaps", "from", "lasted", "why"), gaps)


def proof_sentence(one: Shown) -> str:
    """For example: "Milan → Frankfurt: proven 99.98 % of the period; 2 gaps, 9 min in all"."""
    way = f"{one['source']} → {one['receiving']}"
    if one["proven_share"] is None:
        return f"{way}: nothing of the period is recorded."
    gaps = f"{pluralize(one['gaps'], 'gap')}, {short(one['not_proven_s'])} in all" if one["gaps"] else "no gap"
    unrecorded = f" Nothing is recorded of {short(one['unrecorded_s'])}." if one["unrecorded_s"] else ""
    return f"{way}: proven {percent(one['proven_share'])} of the period; {gaps}.{unrecorded}"


def percent(share: float) -> str:
    """Never more than it is: 100 % has no gap."""
    return f"{floor(share * 10_000) / 100:.2f} %"


def _lasted(gap: Shown) -> str:
    return short((gap["ended_at"] - gap["began_at"]).total_seconds())

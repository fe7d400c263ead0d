"""What the servers themselves show, twice a second: that no two of one site ever receive at one instant.

Of two samples of a node, one after the other, both running, it is taken that it ran all the while; another node of its
site that was seen running wholly in between ran beside it. A node that was down may run its old channel on its return
until it was once seen without: that is told and cleaned, not prevented.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from tests.faults.judges.channels import Event, site


@dataclass(frozen=True)
class Sample:
    """One look at a node, true of some instant between its two ends; None where it did not answer."""

    began: float
    ended: float
    node: str
    runs: bool | None


def breaks(samples: Iterable[Sample], events: Iterable[Event]) -> list[str]:
    """Pairs of nodes that were seen to receive at once, each named once."""
    known = list(events)
    seen: dict[str, list[Sample]] = {}
    for sample in sorted(samples, key=lambda sample: sample.began):
        seen.setdefault(sample.node, []).append(sample)
    counted = {node: list(_not_excused(found, known)) for node, found in seen.items()}
    pairs = {
        tuple(sorted((one, other)))
        for one in counted
        for other in counted
        if one != other and site(one) == site(other) and _is_beside(counted[one], counted[other])
    }
    return [f"{one} and {other} were seen to run that direction at once" for one, other in sorted(pairs)]


def _not_excused(samples: list[Sample], events: list[Event]) -> Iterator[Sample]:
    """Without those between a node's fall and the first look after its return that found it at rest."""
    for sample in samples:
        falls = [e.at for e in events if e.node == sample.node and e.what == "down" and e.at <= sample.ended]
        if not falls or any(s.runs is False and max(falls) < s.began <= sample.began for s in samples):
            yield sample


def _is_beside(one: list[Sample], other: list[Sample]) -> bool:
    """Whether the other was seen running wholly between two looks at the one that both found it running."""
    stretches = [(before.ended, after.began) for before, after in pairwise(one) if before.runs and after.runs]
    seen = [sample for sample in other if sample.runs]
    return any(begin <= sample.began and sample.ended <= end for sample in seen for begin, end in stretches)

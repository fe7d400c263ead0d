"""A cluster's absences as one value: what the page, the command and the alarm show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.core.adviser.node_absence.cache import Cache, cache_of
from backend.core.adviser.node_absence.donors import SYNCED, Context, Donor, donors_for
from backend.core.adviser.node_absence.forecast import Time, Verdict, longest, time_away, time_left, verdict
from backend.core.adviser.node_absence.rates import Rate, Window
from backend.core.estimates import Unknown
from backend.core.topology import NodeFacts

NO_SEQNO = -1
"""As the provider writes it: nothing of this history was applied."""


@dataclass(frozen=True, slots=True)
class Position:
    """Up to where a node applied, when last counted; `at_s` is Unix time."""

    state_uuid: str
    seqno: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Absence:
    """One node: `times` are the seconds until it needs an SST, from now on, at the rate of each window."""

    node: NodeFacts
    verdict: Verdict
    reason: str
    last_seqno: int | Unknown
    missed: int | Unknown
    times: Mapping[Window, Time]
    cache: Cache
    donors: tuple[Donor, ...]

    @property
    def is_member(self) -> bool:
        """Whether it is a synced member now."""
        return self.verdict is Verdict.MEMBER


def is_synced(node: NodeFacts) -> bool:
    """Whether it is a Synced member of the Primary Component."""
    wsrep = node.wsrep
    return node.is_up and wsrep is not None and wsrep.cluster_status == "Primary" and wsrep.local_state == SYNCED


def absences(
    nodes: Sequence[NodeFacts],
    positions: Mapping[str, Position],
    rates: Mapping[Window, Rate | Unknown],
    context: Context,
) -> tuple[Absence, ...]:
    """Every node of a cluster; `positions` by node id are those of the last counting."""
    return tuple(_absence(node, nodes, positions.get(node.node.id), rates, context) for node in nodes)


def _absence(
    node: NodeFacts,
    nodes: Sequence[NodeFacts],
    position: Position | None,
    rates: Mapping[Window, Rate | Unknown],
    context: Context,
) -> Absence:
    peers = [other for other in nodes if other.node.id != node.node.id and is_synced(other)]
    caches = [cache_of(other) for other in peers]
    is_member = is_synced(node)
    last = node.wsrep.last_committed if is_member and node.wsrep else _last_seqno(position, peers)
    found, reason = _judged(last, caches, is_member=is_member)
    return Absence(
        node,
        found,
        reason,
        last,
        _missed(last, caches, is_member=is_member),
        {
            window: longest([time_away(c, rate) if is_member else time_left(c, last, rate) for c in caches])
            for window, rate in rates.items()
        },
        cache_of(node),
        donors_for(node, nodes, context, Unknown("a member") if is_member else last),
    )


def _last_seqno(position: Position | None, peers: Sequence[NodeFacts]) -> int | Unknown:
    """At least what was counted last: it may have applied a few more before it left, which only helps it."""
    if position is None:
        return Unknown("The node was not read as a synced member in the last eight days.")
    if any(other.wsrep is not None and other.wsrep.state_uuid != position.state_uuid for other in peers):
        return NO_SEQNO
    return position.seqno


def _judged(last: int | Unknown, caches: Sequence[Cache], *, is_member: bool) -> tuple[Verdict, str]:
    if is_member:
        return Verdict.MEMBER, "It is a synced member."
    if isinstance(last, Unknown):
        return Verdict.UNKNOWN, last.reason
    if not caches:
        return Verdict.UNKNOWN, "No other node is a synced member that could be its donor."
    if last < 0:
        return Verdict.SST, "Its cluster was bootstrapped again since it left, under another state UUID."
    return _from_caches(last, caches)


def _from_caches(last: int, caches: Sequence[Cache]) -> tuple[Verdict, str]:
    found = verdict(caches, last)
    missing = next((cache.downto for cache in caches if isinstance(cache.downto, Unknown)), None)
    reasons = {
        Verdict.IST: "The gcache of a donor still holds all that it is missing.",
        Verdict.DEPENDS: "Not every donor's gcache still holds what it is missing: name one that does.",
        Verdict.SST: "No donor that could be read still holds all that it is missing in its gcache.",
        Verdict.UNKNOWN: missing.reason if missing else "The gcaches could not be read.",
    }
    return found, reasons[found]


def _missed(last: int | Unknown, caches: Sequence[Cache], *, is_member: bool) -> int | Unknown:
    if isinstance(last, Unknown):
        return last
    newest = max((cache.committed for cache in caches if isinstance(cache.committed, int)), default=None)
    if is_member:
        return 0
    if newest is None or last < 0:
        return Unknown("There is no donor with the same history to count from.")
    return max(0, newest - last)

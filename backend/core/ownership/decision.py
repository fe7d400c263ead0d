"""What one monitor polls, claims and hands over, from the stored leases and the living monitors.

A lease in force is only ever given away by its holder, and only to a monitor that has polled the whole group: so a link
that moves between living monitors has an owner all the time. A lapsed lease is claimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from backend.core.ownership.groups import Group
from backend.core.ownership.rendezvous import owner_of

ANYONE_AFTER_S = 1.5
"""A lease that lapsed so long ago is claimed by any monitor: the one that should may be frozen, and counts as alive."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A cluster's stored lease; `lapsed_s`: since when it is over, by the database's clock, None while in force."""

    holder: str
    epoch: int
    lapsed_s: float | None


@dataclass(frozen=True, slots=True)
class Stored:
    """Leases by cluster, and the living monitors with the clusters that each has polled without owning them."""

    leases: Mapping[str, Lease]
    ready: Mapping[str, frozenset[str]]

    def holder(self, cluster: str) -> str | None:
        """Who holds a lease in force; None if no monitor does."""
        lease = self.leases.get(cluster)
        return None if lease is None or lease.lapsed_s is not None else lease.holder

    def lapsed_s(self, cluster: str) -> float | None:
        """Since when no monitor holds the cluster; None while one does. A cluster without a lease is new."""
        lease = self.leases.get(cluster)
        return 0.0 if lease is None else lease.lapsed_s


@dataclass(slots=True)
class Decision:
    """Clusters to poll, sets of clusters to claim together, and clusters to hand over, each with its next owner."""

    polls: set[str] = field(default_factory=set)
    claims: list[Group] = field(default_factory=list)
    hand_over: dict[str, str] = field(default_factory=dict)


def decide(me: str, stored: Stored, groups: Iterable[Group]) -> Decision:
    """What this monitor does now; it is alive itself."""
    decision = Decision()
    monitors = {*stored.ready, me}
    for group in groups:
        owner = owner_of(group, monitors) or me
        _decide_group(decision, me, owner, stored, group)
    return decision


def _decide_group(decision: Decision, me: str, owner: str, stored: Stored, group: Group) -> None:
    held = frozenset(cluster for cluster in group if stored.holder(cluster) == me)
    lapsed = frozenset(cluster for cluster in group if stored.lapsed_s(cluster) is not None)
    claims = bool(lapsed) and (owner == me or _is_overdue(stored, lapsed))
    if owner == me or claims:
        decision.polls |= group
    decision.polls |= held
    if claims:
        decision.claims.append(lapsed)
    if owner != me and _is_ready(stored, owner, group):
        decision.hand_over |= dict.fromkeys(held, owner)


def _is_overdue(stored: Stored, lapsed: Group) -> bool:
    return any((stored.lapsed_s(cluster) or 0.0) > ANYONE_AFTER_S for cluster in lapsed)


def _is_ready(stored: Stored, owner: str, group: Group) -> bool:
    """Whether that monitor can store the group at once: it has polled every cluster of it that it does not own yet."""
    ready = stored.ready.get(owner, frozenset())
    return all(cluster in ready or stored.holder(cluster) == owner for cluster in group)

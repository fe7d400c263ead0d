"""One monitor's part in sharing the links: it keeps its leases, and says which clusters it may store now.

The lease's epoch is the fencing token: it rises with each new owner. What a monitor stores was polled after it took the
epoch, and the storing transaction finds the same epoch in force under a lock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from backend.core.ownership.decision import Stored, decide
from backend.core.ownership.groups import Group


class LeaseTable(Protocol):
    """The stored leases, by the database's clock; each method is atomic."""

    def renew(self, monitor: str, ready: Collection[str]) -> None:
        """Extend the monitor's lease of all that it owns, and record what else it has polled."""

    def read(self, clusters: Collection[str]) -> Stored:
        """The leases of these clusters, and all living monitors."""

    def claim(self, monitor: str, groups: Iterable[Group]) -> Mapping[str, int]:
        """Take those sets of leases that lapsed, each whole or not at all; returns the epochs."""

    def hand_over(self, monitor: str, owners: Mapping[str, str]) -> None:
        """Give leases of this monitor to others; the next owner holds them at once."""

    def in_force(self, monitor: str) -> Mapping[str, int]:
        """The epochs that the monitor holds now; no other one takes them before the transaction ends."""


class Owner:
    """What one monitor owns."""

    def __init__(self, monitor: str, table: LeaseTable) -> None:
        self.monitor = monitor
        self.polls: frozenset[str] = frozenset()
        self._table = table
        self._epochs: dict[str, int] = {}

    @property
    def owned(self) -> frozenset[str]:
        """The clusters whose lease it had when it last asked."""
        return frozenset(self._epochs)

    def keep(self, groups: Iterable[Group], ready: Collection[str]) -> frozenset[str]:
        """Renew, claim and hand over. Returns the clusters that are newly owned: facts polled before are not stored."""
        before, known = self._epochs, list(groups)
        self._table.renew(self.monitor, frozenset(ready) - before.keys())
        stored = self._table.read([cluster for group in known for cluster in group])
        decision = decide(self.monitor, stored, known)
        self._epochs = {c: stored.leases[c].epoch for c in decision.polls if stored.holder(c) == self.monitor}
        if decision.hand_over:
            self._table.hand_over(self.monitor, decision.hand_over)
            self._epochs = {c: epoch for c, epoch in self._epochs.items() if c not in decision.hand_over}
        if decision.claims:
            self._epochs |= self._table.claim(self.monitor, decision.claims)
        self.polls = frozenset(decision.polls)
        return frozenset(cluster for cluster, epoch in self._epochs.items() if before.get(cluster) != epoch)

    def forget(self) -> None:
        """Own and poll nothing any more; the stored leases are released already."""
        self.polls, self._epochs = frozenset(), {}

    def confirmed(self) -> frozenset[str]:
        """The clusters that may be stored in this transaction: still owned under the epoch before the poll."""
        in_force = self._table.in_force(self.monitor)
        return frozenset(cluster for cluster, epoch in self._epochs.items() if in_force.get(cluster) == epoch)

"""The leases as the console's database has them (`monitoring.ownership.leases`), statement by statement."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from backend.core.ownership.decision import Lease, Stored
from backend.core.ownership.groups import Group
from tests.sim.shared_links.world import Actor, Row, World

LEASE_S = 3.0


class Table:
    """Implements `core.ownership.owner.LeaseTable` for one process."""

    def __init__(self, world: World, actor: Actor) -> None:
        self._world, self._actor = world, actor

    def renew(self, monitor: str, ready: Collection[str]) -> None:
        """Wait while another transaction has the row locked."""
        self._actor.statement()
        self._wait_for(monitor)
        self._world.processes[monitor] = (self._world.clock + LEASE_S, frozenset(ready))

    def read(self, clusters: Collection[str]) -> Stored:
        """The owners and then, in another statement, the monitors."""
        world = self._world
        self._actor.statement()
        rows = {cluster: (row.holder, row.epoch, row.since) for cluster, row in world.rows.items()}
        for cluster in set(clusters) - rows.keys():
            world.rows.setdefault(cluster, Row(since=world.clock))
        self._actor.statement()
        leases = {c: Lease(holder, epoch, self._lapsed_s(holder, since)) for c, (holder, epoch, since) in rows.items()}
        alive = {name: ready for name, (until, ready) in world.processes.items() if until > world.clock}
        return Stored(leases, alive)

    def claim(self, monitor: str, groups: Iterable[Group]) -> Mapping[str, int]:
        """Lock the lapsed holders whose rows are free, and then take what they hold."""
        world, wanted = self._world, list(groups)
        transaction = world.begin(self._actor)
        self._actor.statement()
        holders = {cluster: world.rows[cluster].holder for group in wanted for cluster in group}
        self._actor.statement()
        free = {name for name in holders.values() if name and self._is_free(name)}
        world.locks |= dict.fromkeys(free, transaction)
        self._actor.statement()
        taken = [c for group in wanted if all(holders[c] in free | {""} for c in group) for c in group]
        won = {c: self._set(c, monitor) for c in taken if world.rows[c].holder in free | {""}}
        world.takeovers += len(won)
        self._actor.rollback()  # the changes are made: only the locks end
        return won

    def hand_over(self, monitor: str, owners: Mapping[str, str]) -> None:
        """Only what is still its own."""
        self._actor.statement()
        for cluster, owner in owners.items():
            if self._world.rows[cluster].holder == monitor:
                self._set(cluster, owner)

    def in_force(self, monitor: str) -> Mapping[str, int]:
        """Lock its own row, within the transaction that the caller began."""
        world, transaction = self._world, self._actor.transaction
        assert transaction is not None
        self._actor.statement()
        self._wait_for(monitor)
        if monitor not in world.processes or world.processes[monitor][0] <= world.clock:
            return {}
        world.locks[monitor] = transaction
        self._actor.statement()
        return {cluster: row.epoch for cluster, row in world.rows.items() if row.holder == monitor}

    def extend(self, monitor: str) -> None:
        """Within the transaction that stores."""
        self._world.processes[monitor] = (self._world.clock + LEASE_S, self._world.processes[monitor][1])

    def _wait_for(self, monitor: str) -> None:
        while self._world.is_locked(monitor, self._actor):
            self._actor.statement()

    def _is_free(self, name: str) -> bool:
        until, _ = self._world.processes[name]
        return until < self._world.clock and not self._world.is_locked(name, self._actor)

    def _set(self, cluster: str, holder: str) -> int:
        row = self._world.rows[cluster]
        row.holder, row.epoch, row.since = holder, row.epoch + 1, self._world.clock
        return row.epoch

    def _lapsed_s(self, holder: str, since: float) -> float | None:
        until = self._world.processes[holder][0] if holder in self._world.processes else since
        return None if until > self._world.clock else self._world.clock - max(until, since)

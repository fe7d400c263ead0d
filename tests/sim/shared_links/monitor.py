"""A monitor's tick over the simulated database: keep the leases, poll, store."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from backend.core.ownership.groups import groups_of
from backend.core.ownership.owner import Owner
from backend.core.topology import NodeFacts, NodeRef, Reach
from backend.monitoring.ownership.observed_nodes import ObservedNodes
from tests.sim.shared_links.table import Table
from tests.sim.shared_links.world import Actor, LostError, World

INTERVAL_S, WAIT_S = 1.0, 0.9


@dataclass(slots=True)
class Poller:
    """Of one node, which stands for its cluster: what a poll tells is as old as its beginning."""

    began_at: float = 0.0
    ends_at: float = 0.0
    latest: NodeFacts | None = None


class Monitor:
    """One process."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._pollers: dict[str, Poller] = {}
        self._observed = ObservedNodes()

    def run(self, actor: Actor) -> None:
        """Tick for ever."""
        self._actor, self._table = actor, Table(self._world, actor)
        self._owner = Owner(actor.name, self._table)
        while True:
            started = self._world.now
            self._tick()
            actor.sleep(max(0.05, started + INTERVAL_S - self._world.now))

    def _tick(self) -> None:
        with suppress(LostError):
            self._keep()
        self._poll()
        with suppress(LostError):
            self._store()

    def _keep(self) -> None:
        links = list(self._world.links)
        groups = groups_of([cluster for link in links for cluster in link], links)
        ready = [cluster for cluster in self._owner.polls if cluster in self._observed.facts]
        self._observed.await_results(self._owner.keep(groups, ready))
        self._observed.keep_only(self._owner.polls)
        self._pollers = {c: self._pollers.get(c) or Poller() for c in sorted(self._owner.polls)}

    def _poll(self) -> None:
        random, now = self._world.random, self._world.now
        for poller in self._pollers.values():
            if poller.ends_at <= now:
                poller.began_at = now
                poller.ends_at = now + (
                    random.uniform(0.9, 1.9) if random.random() < 0.1 else random.uniform(0.02, 0.5)
                )
        self._actor.sleep(min(WAIT_S, max((one.ends_at - now for one in self._pollers.values()), default=0.0)))
        for cluster, poller in self._pollers.items():
            if poller.ends_at <= self._world.now and (
                not poller.latest or poller.latest.observed_at_s < poller.began_at
            ):
                reach = Reach.UNKNOWN if random.random() < 0.05 else Reach.UP
                poller.latest = NodeFacts(NodeRef(cluster, cluster, "", 0, cluster), poller.began_at, reach)
        self._observed.observe({c: one.latest for c, one in self._pollers.items() if one.latest is not None})

    def _store(self) -> None:
        transaction = self._world.begin(self._actor)
        owned = self._owner.confirmed()
        for actor in self._world.actors:
            other = actor.transaction
            if actor is not self._actor and other and not other.is_over and other.stores & owned:
                self._world.faults.append(f"{sorted(other.stores & owned)} have two writers at {self._world.now:.1f}")
        if not owned:
            self._actor.rollback()
            return
        transaction.stores = owned
        facts = self._observed.storable(owned)
        self._actor.sleep(self._world.random.uniform(0.01, 0.4))
        self._actor.statement()
        for cluster, seen in facts.items():
            before = self._world.stored.get(cluster, -1.0)
            if seen.observed_at_s < before:
                fault = f"{cluster}: {seen.observed_at_s:.2f} replaces {before:.2f}"
                self._world.faults.append(fault)
            self._world.stored[cluster] = seen.observed_at_s
            self._world.samples += 1
        self._table.extend(self._actor.name)
        self._actor.rollback()  # what it stored stays: only the locks end

"""The monitor's loop: polls all nodes, debounces, stores in one transaction; it survives a database failure.

Without the database samples are lost, but the loop continues: it polls on and the next tick tries
again. Of several monitors one writes (lease by the database's clock), the others only poll.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection, transaction
from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.clusters.sealing import SealError
from backend.clusters.selectors import cluster_accesses, clusters, links
from backend.clusters.versions import Stamp, registration_stamp
from backend.common import heartbeats
from backend.common.events import services as events
from backend.core.link_state import debounce
from backend.core.topology import NodeFacts
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.pollers import Polled, PollerSet
from backend.monitoring import lease
from backend.monitoring.journal import newest_positions, thin
from backend.monitoring.periodic_jobs import PeriodicJobs
from backend.monitoring.recording.links import store_links
from backend.monitoring.recording.node_rows import NodeRows
from backend.monitoring.recording.nodes import remember_identity, remember_servers, store_nodes, store_samples
from backend.monitoring.write_sets.readings import EVERY_S, store_readings

log = structlog.get_logger(__name__)
INVENTORY_EVERY_S = 3.0
HOUSEKEEPING_EVERY_S = 60.0
BEAT_EVERY_S = 2.0
JOBS_EVERY_S = 5.0


class Monitor:
    """One monitor process."""

    def __init__(self, stop: threading.Event) -> None:
        self.instance = heartbeats.instance_name()
        self._stop = stop
        self._polls = PollerSet()
        self._settled: dict[str, NodeFacts] = {}
        self._misses: dict[str, int] = {}
        self._last_kept: dict[str, datetime] = {}
        self._node_rows = NodeRows()
        self._clusters: list[Cluster] = []
        self._links: list[Link] = []
        self._stamp: Stamp | None = None
        self._due = {"inventory": 0.0, "housekeeping": 0.0, "beat": 0.0, "write_sets": 0.0}
        self._is_leader = False
        self._jobs_after_look = self._jobs(settings.HAWSER_JOBS_AFTER_LOOK, JOBS_EVERY_S)
        self._periodic_jobs = [
            self._jobs_after_look,
            self._jobs(settings.HAWSER_SECOND_JOBS, 1.0),
            self._jobs(settings.HAWSER_PERIODIC_JOBS, JOBS_EVERY_S),
            self._jobs(settings.HAWSER_NODE_JOBS, JOBS_EVERY_S),
        ]

    def _jobs(self, names: Sequence[str], every_s: float) -> PeriodicJobs:
        return PeriodicJobs(names, every_s, lambda: self._is_leader, self._stop)

    def run(self) -> None:
        """Tick until a stop is requested."""
        for jobs in self._periodic_jobs:
            jobs.start()
        interval = float(settings.HAWSER_POLL_INTERVAL_S)
        while not self._stop.is_set():
            started = time.monotonic()
            self.tick(wait_s=min(0.9, interval * 0.9))
            self._stop.wait(max(0.05, interval - (time.monotonic() - started)))
        self.close()

    def close(self) -> None:
        """Stop polling and release the lease."""
        self._polls.close()
        self._guarded(lambda: lease.release(self.instance), "lease")

    def tick(self, *, wait_s: float = 0.9) -> None:
        """Poll every node once and store the results if this monitor has the lease."""
        self._guarded(self._refresh_inventory, "inventory")
        polled = self._polls.tick(wait_s)
        for node_id, seen in polled.items():
            before = self._settled.get(node_id)
            misses = self._misses.get(node_id, 0)
            self._settled[node_id], self._misses[node_id] = debounce(before, seen.facts, misses)
        self._guarded(lambda: self._store(polled), "store")

    def _guarded(self, work: Callable[[], object], part: str) -> None:
        """Do one part of a tick; an unavailable database is logged and tried again in the next tick."""
        try:
            work()
        except (DatabaseError, InterfaceError) as error:
            self._is_leader = False
            log.warning("monitor.database_unavailable", part=part, error=str(error))
            connection.close()
        except Exception:
            log.exception("monitor.tick_failed", part=part)
            connection.close()

    def _is_time(self, part: str, every_s: float) -> bool:
        now = time.monotonic()
        if now < self._due[part]:
            return False
        self._due[part] = now + every_s
        return True

    def _refresh_inventory(self) -> None:
        close_old_connections()
        self._read_registration()

    def _read_registration(self) -> None:
        """Read it again after each change, so that the next poll follows, and every few seconds for what a run changes.

        A run swaps the roles of a link and accepts state UUIDs, which is no change of the registration.
        """
        stamp = registration_stamp()
        if not self._is_time("inventory", INVENTORY_EVERY_S) and stamp == self._stamp:
            return
        self._clusters, self._links = list(clusters()), list(links())
        accesses: list[NodeAccess] = []
        for cluster, access in zip(self._clusters, cluster_accesses(self._clusters), strict=True):
            if isinstance(access, SealError):
                log.error("monitor.credentials_sealed", cluster=cluster.name, error=str(access))
            else:
                accesses += access.nodes
        known = {access.ref.id for access in accesses}
        self._settled = {k: v for k, v in self._settled.items() if k in known}
        starts = newest_positions() if not self._settled else {}
        self._polls.set_nodes(accesses, starts)
        self._stamp = stamp

    def _store(self, polled: dict[str, Polled]) -> None:
        if self._is_time("beat", BEAT_EVERY_S):
            heartbeats.record_heartbeat("monitor", self.instance)
        self._is_leader = lease.acquire(self.instance)
        if not self._is_leader:
            return
        now = timezone.now()
        with transaction.atomic():
            if not lease.is_held(self.instance):
                self._is_leader = False
                return
            if registration_stamp() != self._stamp:
                return  # changed during this tick: its nodes and accounts may be others now
            broken_off = {node_id for node_id, p in polled.items() if not p.tail.is_current}
            store_nodes(self._settled, now, broken_off=broken_off, rows=self._node_rows)
            store_samples([p.sample for p in polled.values() if p.sample is not None], self._last_kept)
            if self._is_time("write_sets", EVERY_S):
                store_readings(self._settled.values(), now)
            for cluster in self._clusters:
                remember_identity(cluster, self._settled)
                remember_servers(cluster, self._settled)
            store_links([link for link in self._links if self._is_seen(link)], self._settled, polled, now)
        self._jobs_after_look.run_soon()
        if self._is_time("housekeeping", HOUSEKEEPING_EVERY_S):
            self._tidy(now)

    def _is_seen(self, link: Link) -> bool:
        nodes = [*link.active_cluster.nodes.all(), *link.standby_cluster.nodes.all()]
        return all(node.id in self._settled for node in nodes)

    def _tidy(self, now: datetime) -> None:
        thin(now)
        events.forget_old(now)

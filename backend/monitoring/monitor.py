"""The monitor's loop: polls the nodes of its links, debounces, stores in one transaction; it survives a lost database.

Without the database samples are lost, but the loop continues: it polls on and the next tick tries again. Several
monitors share the links (`ownership`). One of them calls the periodic jobs, too (`lease`).
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection, transaction
from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.clusters.selectors import cluster_accesses
from backend.clusters.versions import registration_stamp
from backend.common import database_clock, heartbeats
from backend.common.memory import RareSearch
from backend.common.sealing import SealError
from backend.core.dialects import are_rows_alike
from backend.core.dialects.known_defects import may_end_when_read
from backend.core.ownership.owner import Owner
from backend.core.topology import NodeFacts
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.pollers import Polled, PollerSet
from backend.gateway.relay_places import RelayReadings
from backend.gateway.row_streams import Followed, RowStreams
from backend.monitoring import lease
from backend.monitoring.channel_statements import changing_nodes
from backend.monitoring.journal import newest_positions
from backend.monitoring.ownership import leases
from backend.monitoring.ownership.observed_nodes import ObservedNodes
from backend.monitoring.periodic_jobs import PeriodicJobs
from backend.monitoring.recording.cluster_views import ClusterViews
from backend.monitoring.recording.links import store_links
from backend.monitoring.recording.log_watch import LogWatch
from backend.monitoring.recording.node_rows import NodeRows
from backend.monitoring.recording.nodes import remember_identity, remember_servers, store_nodes, store_samples
from backend.monitoring.recording.stream_accounts import StreamAccounts, resume_positions
from backend.monitoring.recording.unsafe_periods import UnsafeInLogs
from backend.monitoring.registration import Registration
from backend.monitoring.write_sets.readings import EVERY_S, store_readings

log = structlog.get_logger(__name__)
INVENTORY_EVERY_S = 3.0
BEAT_EVERY_S = 2.0
JOBS_EVERY_S = 5.0
KEEP_EVERY_S = 1.0
LOGS_WAIT_S = 0.5
"""Some events of a log take milliseconds; one that takes longer is compared in a later tick."""


class Monitor:
    """One monitor process."""

    def __init__(self, stop: threading.Event) -> None:
        self.instance = heartbeats.instance_name()
        # Never the name of an earlier process, whose transaction may still be open.
        self._owner = Owner(f"{self.instance}-{secrets.token_hex(2)}", leases.StoredLeases())
        self._stop = stop
        self._polls, self._relay_logs = PollerSet(), RelayReadings()
        self._observed = ObservedNodes()
        self._logs, self._rows = LogWatch(), RowStreams()
        self._accounts = StreamAccounts()
        self._accesses: dict[str, NodeAccess] = {}
        self._last_kept: dict[str, datetime] = {}
        self._node_rows = NodeRows()
        self._views = ClusterViews()
        self._unsafe_in_logs = UnsafeInLogs()
        self._registration = Registration()
        self._due = {"inventory": 0.0, "beat": 0.0, "write_sets": 0.0}
        self._is_leader = False
        self._clock_offset_s = 0.0
        self._changing: frozenset[str] = frozenset()
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
        interval, memory = float(settings.HAWSER_POLL_INTERVAL_S), RareSearch()
        while not self._stop.is_set():
            started = time.monotonic()
            self.tick(wait_s=min(0.9, interval * 0.9))
            memory.after_tick()
            self._wait(until=max(time.monotonic() + 0.05, started + interval))
        self.close()

    def _wait(self, *, until: float) -> None:
        """Until the next tick; where that is far, the leases are kept meanwhile."""
        while not self._stop.wait(min(KEEP_EVERY_S, max(0.0, until - time.monotonic()))) and time.monotonic() < until:
            self._guarded(self._keep_leases, "leases")

    def close(self) -> None:
        """Stop polling and release what it owns."""
        self._polls.close()
        self._logs.close()
        self._rows.close()
        self._relay_logs.close()
        self._guarded(lambda: leases.release(self._owner.monitor), "leases")
        self._guarded(lambda: lease.release(self._owner.monitor), "lease")

    def tick(self, *, wait_s: float = 0.9) -> None:
        """Poll every node of its links once and store the results."""
        self._guarded(self._refresh_inventory, "inventory")
        self._guarded(self._look_for_channel_statements, "channel statements")
        polled = self._polls.tick(wait_s, self._changing)
        self._observed.observe({node_id: seen.facts for node_id, seen in polled.items()})
        self._guarded(lambda: self._read_logs(polled), "logs")
        polled = self._with_rows(polled)
        self._guarded(self._lead, "lease")
        self._guarded(lambda: self._store(polled), "store")

    def _look_for_channel_statements(self) -> None:
        """Asked while a node runs a release that may end when its channels are read meanwhile, or an unknown one."""
        seen = self._observed.facts.values()
        is_safe = bool(seen) and not any(may_end_when_read(facts.version) for facts in seen)
        self._changing = frozenset() if is_safe else changing_nodes()

    def _guarded(self, work: Callable[[], object], part: str) -> None:
        """Do one part of a tick; an unavailable database is logged and tried again in the next tick."""
        try:
            work()
        except (DatabaseError, InterfaceError) as error:
            self._is_leader = False
            self._forget()
            log.warning("monitor.database_unavailable", part=part, error=str(error))
            connection.close()
        except Exception:
            self._forget()
            log.exception("monitor.tick_failed", part=part)
            connection.close()

    def _forget(self) -> None:
        """What was read and not stored: it is read again, or is unknown."""
        self._logs.forget()
        self._accounts.forget()

    def _is_time(self, part: str, every_s: float) -> bool:
        now = time.monotonic()
        if now < self._due[part]:
            return False
        self._due[part] = now + every_s
        return True

    def _refresh_inventory(self) -> None:
        close_old_connections()
        leases.limit_frozen_transactions()
        if self._is_time("beat", BEAT_EVERY_S):
            self._clock_offset_s = heartbeats.record_heartbeat("monitor", self.instance)
        is_new = self._read_registration()
        polls = self._owner.polls
        self._keep_leases()
        if is_new or self._owner.polls != polls:
            self._set_nodes()

    def _read_registration(self) -> bool:
        """Read it after each change, so that the next poll follows, and every few seconds for what a run changes."""
        return self._registration.read(is_due=self._is_time("inventory", INVENTORY_EVERY_S))

    def _keep_leases(self) -> None:
        """Renew them, claim what lapsed, hand over what another monitor should own."""
        if self._leaves_to_others():
            leases.release(self._owner.monitor)
            self._owner.forget()
            return
        new = self._owner.keep(self._registration.groups, self._ready())
        self._observed.await_results(_nodes_of(self._registration.clusters, new))

    def _ready(self) -> frozenset[str]:
        """The clusters of which every node was polled."""
        polled = [cluster for cluster in self._registration.clusters if cluster.id in self._owner.polls]
        return frozenset(
            cluster.id for cluster in polled if all(node.id in self._observed.facts for node in cluster.nodes.all())
        )

    def _set_nodes(self) -> None:
        """Poll exactly the nodes of its clusters, and of those that it is about to own."""
        accesses: list[NodeAccess] = []
        polled = [cluster for cluster in self._registration.clusters if cluster.id in self._owner.polls]
        for cluster, access in zip(polled, cluster_accesses(polled), strict=True):
            if isinstance(access, SealError):
                log.error("monitor.credentials_sealed", cluster=cluster.name, error=str(access))
            else:
                accesses += access.nodes
        wanted = {access.ref.id for access in accesses}
        starts = resume_positions(newest_positions(wanted - self._observed.facts.keys()))
        self._observed.keep_only(wanted)
        self._polls.set_nodes(accesses, starts)
        self._accesses = {access.ref.id: access for access in accesses}
        self._relay_logs.set_nodes(accesses)

    def _read_logs(self, polled: Mapping[str, Polled]) -> None:
        """What has to be compared is read before the tick is stored: a log that is another one is told at once."""
        self._logs.keep_only(_nodes_of(self._registration.clusters, self._owner.owned))
        self._logs.read(polled, self._accesses, LOGS_WAIT_S)

    def _with_rows(self, polled: dict[str, Polled]) -> dict[str, Polled]:
        """The same with what is known of the rows in the logs of its links' nodes."""
        sides = {side.pk for link in self._registration.links for side in (link.active_cluster, link.standby_cluster)}
        compared = self._owner.owned & sides if settings.HAWSER_COMPARE_ROWS else ()
        wanted = _nodes_of(self._registration.clusters, compared)
        seen = {node_id: polled[node_id] for node_id in wanted if node_id in polled and node_id in self._accesses}
        followed = {
            node_id: Followed(self._accesses[node_id], one.tail, _are_rows_read(one.facts))
            for node_id, one in seen.items()
        }
        self._rows.follow(followed)
        return {node_id: replace(one, rows=self._rows.rows(node_id)) for node_id, one in polled.items()}

    def _lead(self) -> None:
        """One monitor calls the periodic jobs."""
        if self._leaves_to_others():
            self._is_leader = False
            lease.release(self._owner.monitor)
        else:
            self._is_leader = lease.acquire(self._owner.monitor)

    def _leaves_to_others(self) -> bool:
        """With a wrong clock a monitor leaves the links and the periodic jobs to another one whose clock is right."""
        is_wrong = database_clock.is_wrong(self._clock_offset_s)
        return is_wrong and heartbeats.another_is_on_time("monitor", self.instance)

    def _store(self, polled: dict[str, Polled]) -> None:
        now = timezone.now()
        with transaction.atomic():
            owned = self._owner.confirmed()
            if leases.former_version_stores():
                return
            if registration_stamp() != self._registration.stamp:
                return  # changed during this tick: its nodes and accounts may be others now
            if owned:
                self._store_owned(owned, polled, now)
                leases.extend(self._owner.monitor)
        if self._is_leader:
            self._jobs_after_look.run_soon()

    def _store_owned(self, owned: Collection[str], polled: dict[str, Polled], now: datetime) -> None:
        facts = self._observed.storable(_nodes_of(self._registration.clusters, owned))
        seen = {node_id: polled[node_id] for node_id in facts if node_id in polled}
        broken_off = {node_id for node_id, one in seen.items() if not one.tail.is_current}
        store_nodes(facts, now, broken_off=broken_off, rows=self._node_rows)
        doubtful = self._logs.store(seen, now.timestamp())
        samples = [one.sample for node_id, one in seen.items() if one.sample is not None and node_id not in doubtful]
        store_samples(samples, self._last_kept)
        if self._is_time("write_sets", EVERY_S):
            store_readings(facts.values(), now)
        for cluster in self._registration.clusters:
            if cluster.id in owned:
                remember_identity(cluster, facts)
                remember_servers(cluster, facts)
        whole = [one for one in self._registration.clusters if _is_polled(one, owned, facts)]
        self._views.observe(whole, facts, now, self._logs.records, polled)
        links = [link for link in self._registration.links if _is_whole(link, owned, facts)]
        store_links(
            links,
            facts,
            seen,
            now,
            together=self._views.seen,
            places=self._relay_logs,
            accounts=self._accounts,
            doubtful=doubtful,
            unsafe_in_logs=self._unsafe_in_logs.take(seen, self._views.unsafe, now.timestamp()),
        )


def _are_rows_read(facts: NodeFacts) -> bool:
    return facts.is_up and are_rows_alike(facts.flavor, facts.version)


def _is_whole(link: Link, owned: Collection[str], facts: Mapping[str, NodeFacts]) -> bool:
    """Whether both clusters are owned and there are facts of each node."""
    return all(_is_polled(side, owned, facts) for side in (link.active_cluster, link.standby_cluster))


def _is_polled(cluster: Cluster, owned: Collection[str], facts: Mapping[str, NodeFacts]) -> bool:
    return cluster.id in owned and all(node.id in facts for node in cluster.nodes.all())


def _nodes_of(clusters: Collection[Cluster], wanted: Collection[str]) -> set[str]:
    return {node.id for cluster in clusters if cluster.id in wanted for node in cluster.nodes.all()}

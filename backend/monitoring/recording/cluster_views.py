"""Keeps of each cluster which nodes were last seen in one view, and up to which seqno; halves are compared by it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from backend.clusters.models import Cluster
from backend.core.dialects import dialect_to_watch
from backend.core.facts.seen_together import updated
from backend.core.facts.side_logs import Differences, SideLog, SideLogs
from backend.core.link_facts import LogRecord
from backend.core.topology import ClusterFacts, NodeFacts, SeenTogether
from backend.gateway.polling.pollers import Polled
from backend.monitoring.models import ClusterView
from backend.monitoring.recording.stream_accounts import log_read
from backend.monitoring.site_records import parted_json, seen_together
from backend.monitoring.stored_facts import cluster_facts
from backend.monitoring.times import from_unix

STORE_EVERY = timedelta(seconds=10)
"""Counters rise with each poll; they are stored from time to time, and whenever who is together changes."""


class ClusterViews:
    """The records that this monitor holds, by cluster; `unsafe`: what the nodes' logs showed at the last poll of it, as
    `core.facts.side_logs.Differences`."""

    def __init__(self) -> None:
        self.unsafe: dict[tuple[str, str], str] = {}
        self._logs: dict[str, SideLogs] = {}
        self._seen: dict[str, SeenTogether] = {}
        self._stored: dict[str, tuple[Any, datetime]] = {}

    def observe(
        self,
        clusters: Sequence[Cluster],
        facts: Mapping[str, NodeFacts],
        now: datetime,
        logs: Mapping[str, LogRecord | None],
        polled: Mapping[str, Polled],
    ) -> None:
        """Take in one poll of these clusters, and store what is due; those of another monitor are forgotten.

        `logs`: what is known of the nodes' binary logs, by which a node that was copied whole is known. `polled`: with
        what was read of them.
        """
        mine = {cluster.pk for cluster in clusters}
        self._logs = {pk: side for pk, side in self._logs.items() if pk in mine}
        self._seen = {pk: seen for pk, seen in self._seen.items() if pk in mine}
        self._stored = {pk: stored for pk, stored in self._stored.items() if pk in mine}
        self._read([cluster.pk for cluster in clusters if cluster.pk not in self._seen])
        self.unsafe = {}
        for cluster in clusters:
            before = self._seen.get(cluster.pk)
            side = cluster_facts(cluster, facts)
            found = self._differences(side, polled)
            self.unsafe |= found.unsafe
            seen = updated(before, side, now.timestamp(), logs, found.parted)
            if seen is None:
                continue
            self._seen[cluster.pk] = seen
            shape, (known, stored_at) = _shape(seen, facts), self._stored.get(cluster.pk, (None, now))
            if known != shape or now - stored_at >= STORE_EVERY:
                _store(cluster.pk, seen, now)
                self._stored[cluster.pk] = shape, now

    def _differences(self, side: ClusterFacts, polled: Mapping[str, Polled]) -> Differences:
        logs = {node.node.id: _side_log(polled.get(node.node.id)) for node in side.nodes}
        with_server_id = not any(node.variable("wsrep_gtid_mode") in ("ON", "1") for node in side.nodes)
        side_logs = self._logs.setdefault(side.id, SideLogs())
        return side_logs.take(logs, with_server_id=with_server_id)

    def _read(self, cluster_ids: Collection[str]) -> None:
        if cluster_ids:
            self._seen |= seen_together(cluster_ids)

    @property
    def seen(self) -> Mapping[str, SeenTogether]:
        """What is known now, by cluster."""
        return self._seen


def _side_log(polled: Polled | None) -> SideLog | None:
    log = None if polled is None else log_read(polled)
    if polled is None or log is None or polled.facts.wsrep is None:
        return None
    forms = dialect_to_watch(polled.facts.flavor, polled.facts.version).events
    own_id = polled.facts.server_id or 0
    return SideLog(log, polled.facts.wsrep.last_committed, own_id) if forms.keeps_server_id else None


def _shape(seen: SeenTogether, facts: Mapping[str, NodeFacts]) -> Any:
    """What is stored at once when it changes: counters alone are not."""
    up = tuple(sorted(node_id for node_id in seen.seqnos if node_id in facts and facts[node_id].is_up))
    parted = [(half.nodes, half.common_seqno, half.wrote_nothing) for half in seen.parted]
    return seen.state_uuid, up, seen.differs_since_s, parted, dict(seen.logs), seen.is_mixed, dict(seen.addresses)


def _store(cluster_id: str, seen: SeenTogether, now: datetime) -> None:
    ClusterView.objects.update_or_create(
        cluster_id=cluster_id,
        defaults={
            "state_uuid": seen.state_uuid,
            "seqnos": seen.seqnos,
            "differs_since": None if seen.differs_since_s is None else from_unix(seen.differs_since_s),
            "parted": parted_json(seen),
            "observed_at": now,
        },
    )

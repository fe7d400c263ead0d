"""The configuration of registered clusters: as stored, or read now where that is too old."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone

from backend.adviser.advice.models import StoredConfiguration
from backend.clusters.certificates import known_certificates
from backend.clusters.models import Cluster, Link, Node
from backend.clusters.selectors import cluster_access, clusters
from backend.common import heartbeats
from backend.core.adviser.advice.facts import (
    CertificateTime,
    ClusterConfiguration,
    LinkConfiguration,
    NodeConfiguration,
)
from backend.core.adviser.advice.serialization import configuration_from_json, configuration_to_json
from backend.core.topology import Reach
from backend.gateway.configuration import read_configurations
from backend.monitoring.models import ChannelRecord, NodeState

FRESH: Final = timedelta(seconds=60)
"""What is younger is not read again for a page."""
KNOWN_FOR: Final = timedelta(minutes=15)
"""What is older is unknown: a server may have been restarted with other settings since."""
READ_EVERY: Final = timedelta(minutes=5)
PAUSE: Final = timedelta(seconds=10)
CLUSTERS_AT_ONCE: Final = 8


def refresh_due() -> None:
    """Read the clusters whose configuration is oldest; called by the monitor, a few clusters a time."""
    if not heartbeats.is_due("configurations read", PAUSE):
        return
    young = StoredConfiguration.objects.filter(read_at__gt=timezone.now() - READ_EVERY).values("pk")
    up = NodeState.objects.filter(reach=Reach.UP.value, node__cluster__retired_at=None).exclude(pk__in=young)
    due = up.values_list("node__cluster", flat=True).order_by("node__configuration__read_at")
    chosen = list(dict.fromkeys(due))[:CLUSTERS_AT_ONCE]
    read_now(clusters().filter(pk__in=chosen), READ_EVERY)


def read_now(given: Iterable[Cluster], older_than: timedelta = FRESH) -> None:
    """Read and store what is older, from the nodes that answered their last poll."""
    now, accesses = timezone.now(), []
    for cluster in given:
        wanted = _to_read(list(cluster.nodes.all()), now, older_than)
        if wanted:
            accesses += [access for access in cluster_access(cluster).nodes if access.ref.id in wanted]
    for node in read_configurations(accesses):
        if node.read_at_s is not None:
            StoredConfiguration.objects.update_or_create(
                node_id=node.node_id,
                defaults={
                    "read_at": datetime.fromtimestamp(node.read_at_s, UTC),
                    "body": configuration_to_json(node),
                },
            )


def _to_read(nodes: Sequence[Node], now: datetime, older_than: timedelta) -> set[str]:
    """Only nodes that are up: the page does not wait for others."""
    ids = [node.pk for node in nodes]
    up = set(NodeState.objects.filter(pk__in=ids, reach=Reach.UP.value).values_list("pk", flat=True))
    young = StoredConfiguration.objects.filter(pk__in=ids, read_at__gt=now - older_than)
    return up - set(young.values_list("pk", flat=True))


def cluster_configuration(cluster: Cluster, now: datetime) -> ClusterConfiguration:
    """As stored; a node that was not read for a while is unread, with the reason."""
    return configurations([cluster], now)[cluster.pk]


def configurations(given: Sequence[Cluster], now: datetime) -> dict[str, ClusterConfiguration]:
    """Of many clusters by id, in as many queries as of one."""
    nodes = [node.pk for cluster in given for node in cluster.nodes.all()]
    stored = StoredConfiguration.objects.in_bulk(nodes)
    records = ChannelRecord.objects.filter(Q(replica_node__in=nodes) | Q(source_node__in=nodes))
    carrying = {node for pair in records.values_list("replica_node_id", "source_node_id") for node in pair}
    return {cluster.pk: _configuration(cluster, stored, carrying, now) for cluster in given}


def _configuration(
    cluster: Cluster, stored: Mapping[str, StoredConfiguration], carrying: Set[str], now: datetime
) -> ClusterConfiguration:
    nodes = list(cluster.nodes.all())
    return ClusterConfiguration(
        cluster.id,
        cluster.name,
        tuple(_node(node, stored.get(node.pk), now) for node in nodes),
        frozenset(carrying & {node.pk for node in nodes}),
        registered_certificates(cluster),
    )


def registered_certificates(cluster: Cluster) -> tuple[CertificateTime, ...]:
    """What is stored with the registration; two authorities of one name are distinguished by their fingerprint."""
    found = [("client", cluster.tls_cert), ("authority", cluster.tls_ca)]
    return tuple(
        CertificateTime(kind, f"{one.subject} ({one.fingerprint[:8]})", one.ends_at)
        for kind, pem in found
        for one in (known_certificates(pem)[:1] if kind == "client" else known_certificates(pem))
    )


def link_configuration(link: Link, now: datetime) -> LinkConfiguration:
    """Both clusters as stored."""
    found = configurations([link.active_cluster, link.standby_cluster], now)
    return joined_configuration(link, found)


def joined_configuration(link: Link, found: Mapping[str, ClusterConfiguration]) -> LinkConfiguration:
    """Both clusters, of those found."""
    return LinkConfiguration(link.id, link.name, found[link.active_cluster_id], found[link.standby_cluster_id])


def _node(node: Node, stored: StoredConfiguration | None, now: datetime) -> NodeConfiguration:
    if stored is None:
        return NodeConfiguration(node.pk, node.name, error="not read yet")
    if now - stored.read_at > KNOWN_FOR:
        return NodeConfiguration(node.pk, node.name, error=f"not read since {stored.read_at:%Y-%m-%d %H:%M} UTC")
    return replace(configuration_from_json(stored.body), name=node.name)

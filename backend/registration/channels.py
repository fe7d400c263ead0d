"""Which channels depend on a node: those that run on it, and those that read from it."""

from __future__ import annotations

from collections.abc import Sequence

from backend.clusters.models import Link, Node
from backend.common.errors import conflict
from backend.monitoring.models import ChannelRecord
from backend.monitoring.stored_facts import node_facts


def check_is_no_source(node: Node, links: Sequence[Link]) -> None:
    """Refuse to move the address that a channel connects to: the channel names it until it is relocated."""
    reading = _replicas_of(node, links)
    if reading:
        raise conflict(
            "node_carries_channel",
            f"The channel on {', '.join(reading)} reads from {node.name} at {node.host}:{node.port}. Nothing was "
            "changed. Relocate the channel to another node first, then change the address.",
        )


def check_carries_none(node: Node, links: Sequence[Link]) -> None:
    """Refuse where a channel runs on the node or reads from it, by the monitor's records and by the last poll."""
    record = ChannelRecord.objects.filter(link__in=links, replica_node=node).first()
    held = node_facts([node])[node.pk].channels
    if record is not None or held:
        raise conflict(
            "node_carries_channel",
            f"{node.name} holds a channel. Nothing was changed. Relocate the channel to another node first; remove a "
            "stray channel with a plan of the kind remove_stray_channel.",
        )
    reading = _replicas_of(node, links)
    if reading:
        raise conflict(
            "node_carries_channel",
            f"The channel on {', '.join(reading)} reads from {node.name}. Nothing was changed. Relocate the channel "
            "to another node first.",
        )


def _replicas_of(node: Node, links: Sequence[Link]) -> list[str]:
    """Names of the nodes whose channel reads from this one."""
    recorded = ChannelRecord.objects.filter(link__in=links, source_node=node).select_related("replica_node")
    names = {record.replica_node.name for record in recorded}
    clusters = {cluster_id for link in links for cluster_id in (link.active_cluster_id, link.standby_cluster_id)}
    facts = node_facts(Node.objects.filter(cluster__in=clusters).exclude(pk=node.pk))
    for one in facts.values():
        if any((c.source_host.lower(), c.source_port) == (node.host, node.port) for c in one.channels or ()):
            names.add(one.node.name)
    return sorted(names)

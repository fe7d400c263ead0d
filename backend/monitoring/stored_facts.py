"""Facts as the monitor stored them, in the core's own types, and facts queried from the nodes now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.conf import settings

from backend.clusters.models import Cluster, Link, Node
from backend.clusters.selectors import nodes_at, origins_of, recorded_servers
from backend.core.facts.channel_ends import foreign_addresses
from backend.core.facts.origins import told_apart
from backend.core.facts.serialization import node_from_json
from backend.core.link_facts import Divergence, LinkFacts, RecordedChannel
from backend.core.topology import ClusterFacts, NodeFacts, Reach
from backend.monitoring.link_gateway import gateway_for_link, open_divergence, recorded_channels
from backend.monitoring.models import NodeState
from backend.monitoring.site_records import with_site_records


def node_facts(nodes: Iterable[Node]) -> dict[str, NodeFacts]:
    """Facts by node id; a node that was never polled is unknown."""
    wanted = list(nodes)
    states = NodeState.objects.in_bulk([node.pk for node in wanted])
    return {node.id: node_from_json(states[node.id].facts) if node.id in states else unpolled(node) for node in wanted}


def unpolled(node: Node) -> NodeFacts:
    """Facts of a node that was never polled."""
    return NodeFacts(node.ref, 0.0, Reach.UNKNOWN, error="not polled yet")


def cluster_facts(cluster: Cluster, facts: Mapping[str, NodeFacts]) -> ClusterFacts:
    """A cluster with the facts of its nodes."""
    return ClusterFacts(
        id=cluster.id,
        name=cluster.name,
        site=cluster.site,
        nodes=tuple(facts[node.id] for node in cluster.nodes.all()),
        recorded_state_uuid=cluster.state_uuid,
        known_server_ids=cluster.known_server_ids,
        recorded_servers=recorded_servers(cluster),
        logged_origins=origins_of(cluster),
    )


def assemble(link: Link, facts: Mapping[str, NodeFacts]) -> LinkFacts:
    """A link from its nodes' facts and what is stored of it; as old as its oldest fact."""
    return with_site_records(assemble_from(link, facts, recorded_channels(link.id), open_divergence(link.id)))


def assemble_diverged(link: Link, facts: Mapping[str, NodeFacts], divergence: Divergence) -> LinkFacts:
    """The same without its recorded channels, for a list of many links: it queries nothing."""
    return assemble_from(link, facts, (), divergence)


def assemble_from(
    link: Link,
    facts: Mapping[str, NodeFacts],
    recorded: tuple[RecordedChannel, ...],
    divergence: Divergence | None,
) -> LinkFacts:
    """The same from what was read of it before."""
    active, standby = told_apart(cluster_facts(link.active_cluster, facts), cluster_facts(link.standby_cluster, facts))
    return LinkFacts(
        id=link.id,
        name=link.name,
        active=active,
        standby=standby,
        channel_name=link.channel_name,
        recorded=recorded,
        observed_at_s=min(node.observed_at_s for node in active.nodes + standby.nodes),
        divergence=divergence,
        home_cluster_id=link.home_cluster_id,
        elsewhere=nodes_at(foreign_addresses(active, standby)),
        writes_on_both_sides=link.writes_on_both_sides,
        proven_within_s=settings.HAWSER_PROVEN_WITHIN_S,
    )


def link_facts(link: Link) -> LinkFacts:
    """The link as the monitor last observed it."""
    nodes = [*link.active_cluster.nodes.all(), *link.standby_cluster.nodes.all()]
    return assemble(link, node_facts(nodes))


def observe_link_now(link: Link) -> LinkFacts:
    """The current link: every node is queried, for up to about four seconds."""
    gateway = gateway_for_link(link)
    try:
        return gateway.observe_link()
    finally:
        gateway.close()

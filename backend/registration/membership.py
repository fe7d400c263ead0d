"""Compares the members that a cluster names with the nodes that are registered, for offers to add and to remove."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.clusters.models import Cluster
from backend.clusters.versions import links_joining
from backend.common.outgoing.resolving import resolve
from backend.core.facts.named_members import Address, named_members
from backend.core.facts.server_identity import Replacement, replacements
from backend.core.facts.state_uuid import is_another_history, state_uuids
from backend.core.topology import ClusterFacts
from backend.monitoring.models import Divergence
from backend.monitoring.stored_facts import cluster_facts, node_facts


def membership_view(cluster: Cluster) -> dict[str, Any]:
    """The members by the last poll: those that are not registered, those that left, replaced servers.

    `size` is null where the members are unknown, `absent` where it is not certain which node left.
    """
    facts = cluster_facts(cluster, node_facts(cluster.nodes.all()))
    members = named_members(facts, addresses_of(facts))
    names = {node.pk: node.name for node in cluster.nodes.all()}
    absent = None if members is None else members.absent
    return {
        "version": cluster.version,
        "size": None if members is None else members.size,
        "unregistered": [] if members is None else [{"host": h, "port": p} for h, p in members.unregistered],
        "unaddressed": 0 if members is None else members.unaddressed,
        "absent": None if absent is None else [{"id": node_id, "name": names[node_id]} for node_id in absent],
        "replaced": [_replaced(one) for one in replacements(facts)],
        "new_history": new_history(cluster, facts),
    }


def addresses_of(facts: ClusterFacts) -> Mapping[str, set[Address]]:
    """Every address that a registered host name stands for, by node id; the name itself included."""
    found: dict[str, set[Address]] = {}
    for one in facts.nodes:
        host, port = one.node.address
        found[one.node.id] = {(host, port), *((str(address), port) for address in resolve(host))}
    return found


def _replaced(one: Replacement) -> dict[str, Any]:
    return {
        "id": one.node.node.id,
        "name": one.node.node.name,
        "recorded_server": one.recorded.server,
        "recorded_server_id": one.recorded.server_id,
        "observed_server": one.observed.server,
        "observed_server_id": one.observed.server_id,
    }


def new_history(cluster: Cluster, facts: ClusterFacts) -> dict[str, Any] | None:
    """The state UUID that all members report instead of the recorded one, and what follows for the links.

    `reprotect`: a failover lost this side, and its reprotect records the new history and keeps the link. `choose`: if
    the data is the same, a plan accepts the state UUID and keeps the link; if it is another cluster, it is replaced.
    """
    found = state_uuids(facts)
    if not is_another_history(facts) or len(found) != 1:
        return None
    is_lost = Divergence.objects.filter(
        open_link__in=[link.pk for link in links_joining([cluster.pk])], lost_cluster=cluster
    ).exists()
    (state_uuid,) = found
    return {
        "state_uuid": state_uuid,
        "recorded_state_uuid": cluster.state_uuid,
        "way": "reprotect" if is_lost else "choose",
    }

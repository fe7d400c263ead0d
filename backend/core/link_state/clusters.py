"""A cluster in brief: whether it is up, whether it is writable, and which of its nodes could hold a channel."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.facts.halves import is_split
from backend.core.topology import ClusterFacts, NodeFacts, Reach

SYNCED = 4
"""wsrep_local_state of a node that is up to date and serving."""


@dataclass(frozen=True, slots=True)
class ClusterBrief:
    """`last_committed` is the cluster's own counter, None where no member could be queried."""

    id: str
    name: str
    site: str
    status: str
    nodes_up: int
    nodes: int
    last_committed: int | None


def is_primary(facts: NodeFacts) -> bool:
    """Whether the node is up and part of its cluster's Primary Component."""
    return facts.is_up and facts.wsrep is not None and facts.wsrep.cluster_status == "Primary"


def is_serving(facts: NodeFacts) -> bool:
    """Whether the node is Synced, ready and in the Primary Component."""
    wsrep = facts.wsrep
    return is_primary(facts) and wsrep is not None and wsrep.local_state == SYNCED and wsrep.ready


def takes_writes(cluster: ClusterFacts) -> bool:
    """Whether at least one node serves and is not fenced."""
    return any(
        is_serving(n) and n.variable("read_only") == "OFF" and n.variable("wsrep_reject_queries") == "NONE"
        for n in cluster.nodes
    )


def is_candidate(facts: NodeFacts) -> bool:
    """Whether the node could be a source or replica: it serves, and its row-based binary log is complete."""
    settings = tuple(facts.variable(n) for n in ("log_bin", "log_slave_updates", "wsrep_on", "binlog_format"))
    return is_serving(facts) and settings == ("ON", "ON", "ON", "ROW")


def is_lost(cluster: ClusterFacts) -> bool:
    """Whether every node is known to be down."""
    return all(node.reach is Reach.DOWN for node in cluster.nodes)


def is_unseen(cluster: ClusterFacts) -> bool:
    """Whether no node could be queried and at least one may still run."""
    return not any(node.is_up for node in cluster.nodes) and not is_lost(cluster)


def status_of(cluster: ClusterFacts) -> str:
    """`primary`, `degraded`, `split`, `non_primary`, `down` or `unknown`."""
    if is_lost(cluster):
        return "down"
    if is_unseen(cluster):
        return "unknown"
    if not any(is_primary(node) for node in cluster.nodes):
        return "non_primary"
    if is_split(cluster):
        return "split"
    return "primary" if all(is_serving(node) for node in cluster.nodes) else "degraded"


def brief(cluster: ClusterFacts) -> ClusterBrief:
    """The summary of a cluster that lists and cards show."""
    counters = [n.wsrep.last_committed for n in cluster.nodes if n.wsrep is not None and is_primary(n)]
    return ClusterBrief(
        id=cluster.id,
        name=cluster.name,
        site=cluster.site,
        status=status_of(cluster),
        nodes_up=sum(node.is_up for node in cluster.nodes),
        nodes=len(cluster.nodes),
        last_committed=max(counters) if counters else None,
    )

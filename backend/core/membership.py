"""Who belongs to a cluster, as its Primary Component itself tells it."""

from __future__ import annotations

from backend.core.topology import ClusterFacts, NodeFacts


def is_expelled(cluster: ClusterFacts, node: NodeFacts) -> bool:
    """Whether the Primary Component is made up of other nodes that we all see."""
    members = [
        n.wsrep
        for n in cluster.nodes
        if n.is_up and n.wsrep is not None and n.wsrep.cluster_status == "Primary" and n.wsrep.connected
    ]
    if not members or node.is_up:
        return False
    sizes = {(m.state_uuid, m.conf_id, m.cluster_size) for m in members}
    return len(sizes) == 1 and members[0].cluster_size == len(members)

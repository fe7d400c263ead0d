"""Who belongs to a cluster, and does what is written on a node reach the others?"""

from __future__ import annotations

from backend.core.findings import Finding, Severity
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


def bypasses_replication(node: NodeFacts) -> Finding | None:
    """The finding where new sessions of that node, a channel's among them, write past its cluster, or may.

    Galera's status hardly tells: with wsrep_on=OFF a node goes on to call itself Primary, connected and ready, only
    its state is not listed any more (seen, 10.11.19).
    """
    name, value = node.node.name, node.variable("wsrep_on")
    facts = {"node": name, "wsrep_on": value}
    if value is None:
        sentence = f"Whether what is written on {name} reaches its cluster is not known: wsrep_on was not read."
        return Finding("wsrep_on_unknown", Severity.UNKNOWN, sentence, "Check the monitor account.", facts)
    if value.upper() in ("ON", "1"):
        return None
    return Finding(
        "wsrep_off",
        Severity.BLOCKER,
        f"{name} has wsrep_on={value}: what is written or applied there stays on it alone.",
        f"SET GLOBAL wsrep_on=ON on {name}, once it is known that nothing was written there meanwhile; then start its "
        "channels anew (STOP SLAVE, START SLAVE): a thread that began before goes on writing past the cluster.",
        facts,
    )

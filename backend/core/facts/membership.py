"""Which nodes belong to a cluster, and whether the writes on a node reach its peers."""

from __future__ import annotations

from backend.core.facts.variables import how_to_read
from backend.core.findings import Finding, Severity
from backend.core.topology import ClusterFacts, NodeFacts


def is_expelled(cluster: ClusterFacts, node: NodeFacts) -> bool:
    """Whether the Primary Component consists of other nodes, all of which are observed."""
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
    """The finding where new sessions on that node, a channel's included, bypass its cluster, or may.

    Galera's status hardly shows it: with wsrep_on=OFF a node still reports Primary, connected and ready; only its state
    is missing (observed on MariaDB 10.11.19).
    """
    name, value = node.node.name, node.variable("wsrep_on")
    facts = {"node": name, "wsrep_on": value}
    if value is None:
        sentence = f"It is unknown whether writes on {name} reach its cluster: wsrep_on was not read."
        return Finding("wsrep_on_unknown", Severity.UNKNOWN, sentence, how_to_read(name, ("wsrep_on",)), facts)
    if value.upper() in ("ON", "1"):
        return None
    return Finding(
        "wsrep_off",
        Severity.BLOCKER,
        f"{name} has wsrep_on={value}. What is written or applied there stays on this node only.",
        f"Make sure that nothing was written on {name} meanwhile. Then run SET GLOBAL wsrep_on=ON there and restart "
        "its channels (STOP SLAVE, START SLAVE): a thread that started before still bypasses the cluster.",
        facts,
    )

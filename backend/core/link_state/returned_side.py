"""A returned side that is not fenced: no channel replicates its writes."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state.clusters import is_serving
from backend.core.topology import ClusterFacts, NodeFacts


def lost_side(link: LinkFacts) -> ClusterFacts | None:
    """The side that a failover invalidated and that is not reconciled."""
    divergence = link.divergence
    if divergence is None or divergence.is_reconciled:
        return None
    return link.standby if link.standby.id == divergence.lost_cluster_id else link.active


def writing_nodes(link: LinkFacts) -> tuple[str, ...]:
    """Names of the lost side's nodes that serve and may be writable: no fact shows them read-only."""
    side = lost_side(link)
    return () if side is None else tuple(n.node.name for n in side.nodes if is_serving(n) and not _is_closed(n))


def _is_closed(node: NodeFacts) -> bool:
    return (node.variable("read_only") or "").upper() == "ON"


def returned_side_findings(link: LinkFacts) -> Iterator[Finding]:
    """Which nodes of the lost side are writable, and how they are fenced."""
    side, names = lost_side(link), writing_nodes(link)
    if side is None or not names:
        return
    by_hand = f"Fence {side.name} (plan kind reprotect, orphans: fence)."
    fences = link.divergence is not None and link.divergence.fences_on_return
    yield Finding(
        "returned_side_writes",
        Severity.BLOCKER,
        f"{side.name} is reachable again and still writable on {', '.join(names)}. Its writes are orphaned.",
        f"{by_hand} Hawser fences each node once as it returns; do this where a node stays writable."
        if fences
        else by_hand,
        {"cluster_id": side.id, "nodes": list(names)},
    )

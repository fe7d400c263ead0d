"""A lost side that is back and not fenced: it takes writes that nobody carries anywhere."""

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
    """Names of its nodes that serve and are not known to be closed to writes."""
    side = lost_side(link)
    return () if side is None else tuple(n.node.name for n in side.nodes if is_serving(n) and not _is_closed(n))


def _is_closed(node: NodeFacts) -> bool:
    return (node.variable("read_only") or "").upper() == "ON"


def returned_side_findings(link: LinkFacts) -> Iterator[Finding]:
    """Which of its nodes take writes, and who closes them."""
    side, names = lost_side(link), writing_nodes(link)
    if side is None or not names:
        return
    by_hand = f"Fence {side.name} (reprotect, orphans: fence)."
    fences = link.divergence is not None and link.divergence.fences_on_return
    yield Finding(
        "returned_side_writes",
        Severity.BLOCKER,
        f"{side.name} is back and still takes writes on {', '.join(names)}: what it accepts there is orphaned.",
        f"The console fences each node once as it returns; where one stays open: {by_hand}" if fences else by_hand,
        {"cluster_id": side.id, "nodes": list(names)},
    )

"""What is kept of a cluster's views: up to which seqno its nodes held one history, and which halves it had."""

from __future__ import annotations

from dataclasses import replace

from backend.core.facts.halves import View, do_views_differ, halves, views
from backend.core.topology import ClusterFacts, SeenTogether


def updated(seen: SeenTogether | None, cluster: ClusterFacts, now_s: float) -> SeenTogether | None:
    """The record after one more poll of the cluster; None where no member was ever seen.

    While members report different views nothing of them is counted as common.
    """
    found = views(cluster)
    if not found:
        return seen
    if seen is None or seen.state_uuid not in {view.state_uuid for view in found}:
        seen = SeenTogether(found[0].state_uuid, {})
    parts = halves(cluster)
    if len(parts) > 1:
        parted = tuple(tuple(node.node.id for node in half.nodes) for half in parts)
        return replace(seen, differs_since_s=seen.differs_since_s or now_s, parted=parted)
    if do_views_differ(cluster):
        return replace(seen, differs_since_s=seen.differs_since_s or now_s)
    return _as_one(seen, cluster, found[0])


def _as_one(seen: SeenTogether, cluster: ClusterFacts, view: View) -> SeenTogether:
    """All members that respond report this view."""
    counters = {node.node.id: node.wsrep.last_committed for node in view.nodes if node.wsrep is not None}
    known = {node.node.id: dict(seen.seqnos.get(node.node.id, {})) for node in cluster.nodes}
    for one, seqno in counters.items():
        known[one] |= {other: seqno for other in counters if other != one}
    registered = {node.node.id for node in cluster.nodes}
    is_whole = all(node_id in counters for half in seen.parted for node_id in half if node_id in registered)
    return SeenTogether(seen.state_uuid, known, parted=() if is_whole else seen.parted)

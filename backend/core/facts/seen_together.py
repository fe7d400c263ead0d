"""What is kept of a cluster's views: up to which seqno its nodes held one history, and which halves it had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backend.core.facts.halves import View, do_views_differ, halves, lineages, views
from backend.core.facts.lineages import followed, is_one, parted_by_logs
from backend.core.facts.side_logs import Parted
from backend.core.link_facts import LogRecord
from backend.core.topology import ClusterFacts, SeenTogether


def updated(
    seen: SeenTogether | None,
    cluster: ClusterFacts,
    now_s: float,
    logs: Mapping[str, LogRecord | None],
    parted: Parted | None = None,
) -> SeenTogether | None:
    """The record after one more poll of the cluster; None where no member was ever seen.

    While members report different views nothing of them is counted as common. `logs` are the nodes' binary logs;
    `parted` is where they were found to differ.
    """
    found = views(cluster)
    if not found:
        return seen
    if seen is None or seen.state_uuid not in {view.state_uuid for view in found}:
        seen = SeenTogether(found[0].state_uuid, {})
    if parted is not None:
        seen = parted_by_logs(seen, cluster, parted)
    if len(halves(cluster)) > 1:
        return followed(replace(seen, differs_since_s=seen.differs_since_s or now_s), cluster, logs)
    if do_views_differ(cluster):
        return replace(seen, differs_since_s=seen.differs_since_s or now_s)
    return _as_one(followed(replace(seen, differs_since_s=None), cluster, logs), cluster, found[0])


def _as_one(seen: SeenTogether, cluster: ClusterFacts, view: View) -> SeenTogether:
    """All members that respond report this view; nodes of two halves hold no more in common than before."""
    counters = {node.node.id: node.wsrep.last_committed for node in view.nodes if node.wsrep is not None}
    known = {node.node.id: dict(seen.seqnos.get(node.node.id, {})) for node in cluster.nodes}
    held = lineages(replace(cluster, seen_together=seen))
    for one, seqno in counters.items():
        known[one] |= {other: seqno for other in counters if other != one and is_one(held, one, other)}
    return replace(seen, seqnos=known)

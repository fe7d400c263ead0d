"""The loop guard: no transaction may come home and be applied again (domain fact 6)."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.findings import Finding, Severity
from backend.core.topology import ClusterFacts


def check_server_ids(ctx: CheckContext) -> Iterator[Finding]:
    """Every node's server_id is known, and none stands on both sides."""
    unknown = [name for cluster in ctx.clusters for name in nodes_without_server_id(cluster)]
    shared = set(ctx.link.active.server_ids) & set(ctx.link.standby.server_ids)
    if shared:
        yield Finding(
            "server_id_on_both_sides",
            Severity.BLOCKER,
            f"server_id {', '.join(map(str, sorted(shared)))} stands on both sides: "
            "its transactions would be dropped as one's own.",
            "Give the clusters distinct server_ids.",
            {"server_ids": sorted(shared)},
        )
    if unknown:
        yield Finding(
            "server_id_unknown",
            Severity.UNKNOWN,
            f"The server_id of {', '.join(unknown)} was never seen: the loop guard would have a hole.",
            "Bring the node up once, or remove it from the registered cluster.",
            {"nodes": unknown},
        )
    if not shared and not unknown:
        yield Finding(
            "loop_guard_complete",
            Severity.OK,
            "Each channel ignores all server_ids of its own cluster: "
            f"{ctx.link.active.name} {list(ctx.link.active.server_ids)}, "
            f"{ctx.link.standby.name} {list(ctx.link.standby.server_ids)}.",
        )


def nodes_without_server_id(cluster: ClusterFacts) -> list[str]:
    """Names of nodes whose server_id nobody has ever seen."""
    return [
        facts.node.name
        for facts in cluster.nodes
        if facts.server_id is None and facts.node.id not in cluster.known_server_ids
    ]

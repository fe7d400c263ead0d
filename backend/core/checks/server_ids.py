"""The loop guard: no transaction may return to its origin and be applied again (domain fact 6)."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.auto_position import guards_by_gtid
from backend.core.checks.context import CheckContext
from backend.core.facts.origins import Way, loop_guard
from backend.core.findings import Finding, Severity
from backend.core.plural import pick
from backend.core.topology import ClusterFacts


def check_server_ids(ctx: CheckContext) -> Iterator[Finding]:
    """Every node's server_id is known, and none is used in both clusters."""
    unknown = [name for cluster in ctx.clusters for name in nodes_without_server_id(cluster)]
    shared = set(ctx.link.active.server_ids) & set(ctx.link.standby.server_ids)
    if shared:
        yield Finding(
            "server_id_on_both_sides",
            Severity.BLOCKER,
            f"server_id {', '.join(map(str, sorted(shared)))} {pick(len(shared), 'is', 'are')} used in both clusters. "
            "IGNORE_SERVER_IDS would drop its transactions.",
            "Configure different server_ids in the two clusters.",
            {"server_ids": sorted(shared)},
        )
    if unknown:
        yield Finding(
            "server_id_unknown",
            Severity.UNKNOWN,
            f"The server_id of {', '.join(unknown)} is unknown, so a replication loop cannot be ruled out.",
            "Start the node once, or remove it from the registered cluster.",
            {"nodes": unknown},
        )
    if not shared and not unknown and not _has_unclear_origin(ctx):
        guard = "ignores all server_ids of its own cluster"
        if ctx.moves and all(guards_by_gtid(move.replica) for move in ctx.moves):
            guard = "skips transactions of its own cluster by their GTIDs"
        yield Finding(
            "loop_guard_complete",
            Severity.OK,
            f"Each channel {guard}: "
            f"{ctx.link.active.name} {list(ctx.link.active.server_ids)}, "
            f"{ctx.link.standby.name} {list(ctx.link.standby.server_ids)}.",
        )


def _has_unclear_origin(ctx: CheckContext) -> bool:
    """Whether other ids stand in the logs of which it is unknown where they come from; `check_origins` names them."""
    guards = [loop_guard(ctx.link, move.direction) for move in ctx.moves]
    return any(guard.of(Way.UNKNOWN) or guard.of_source for guard in guards)


def nodes_without_server_id(cluster: ClusterFacts) -> list[str]:
    """Names of nodes whose server_id was never read."""
    return [
        facts.node.name
        for facts in cluster.nodes
        if facts.server_id is None and facts.node.id not in cluster.known_server_ids
    ]

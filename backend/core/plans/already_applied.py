"""A channel that stopped on a transaction which the receiving side already has.

A replica's relay-log.info is not part of its commits. After a kill the channel may therefore resume before the last
applied transaction, and stops with 1062 where it hits a unique key. The data is complete: resuming after it is the
fix, and a move does that anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from backend.core.checks.channels import CHANNEL_SQL_ERROR
from backend.core.checks.context import CheckContext, Move
from backend.core.findings import Finding, Severity
from backend.core.locate.evidence import Family
from backend.core.locate.model import Located
from backend.core.plans.presentation import move_of
from backend.core.topology import Direction


def blocks_search(findings: Iterable[Finding]) -> bool:
    """Whether the plan is refused whatever the logs show; a data error does not refuse it, because they explain it."""
    return any(finding.refuses and finding.code != CHANNEL_SQL_ERROR for finding in findings)


def allow_already_applied(
    ctx: CheckContext, findings: Iterable[Finding], located: Mapping[Direction, Located]
) -> tuple[Finding, ...]:
    """The findings; a data error at a transaction that was applied before becomes a warning."""
    return tuple(_weighed(ctx, finding, located) for finding in findings)


def _weighed(ctx: CheckContext, finding: Finding, located: Mapping[Direction, Located]) -> Finding:
    if finding.code != CHANNEL_SQL_ERROR:
        return finding
    direction = Direction(cast("str", finding.facts["direction"]))
    move, found = move_of(ctx, direction), located.get(direction)
    if move.holder is None or found is None or not is_behind_applied(move, found):
        return finding
    node, receiving = move.holder.replica.node.name, ctx.link.receiving_cluster(direction).name
    return Finding(
        "channel_behind_its_data",
        Severity.WARNING,
        f"The {direction} channel stopped on {node} with error {finding.facts['errno']} at a transaction that "
        f"{receiving} already has. After a crash the channel's position is behind its data. The move resumes after the "
        "last applied transaction.",
        facts={**finding.facts, "resumes_at": str(found.position)},
    )


def is_behind_applied(move: Move, located: Located) -> bool:
    """Whether it is proven that more was applied than the stopped channel's own position shows."""
    if not located.is_proven or located.position is None or move.channel is None:
        return False
    groups_behind = [e.facts.get("groups_behind") for e in located.evidence if e.family is Family.SEQNO]
    if any(isinstance(groups, int) and groups > 0 for groups in groups_behind):
        return True
    executed = move.channel.exec_position
    if located.node_id != move.old_source_id or executed is None or executed.base != located.position.base:
        return False
    return executed < located.position

"""Checks of semi-synchronous replication: whether commits of a node would wait is known before a channel is touched."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.facts.semi_sync import ENABLED, semi_sync_of
from backend.core.findings import Finding, Severity


def check_semi_sync(ctx: CheckContext) -> Iterator[Finding]:
    """Every node that responds tells whether its commits wait for replicas."""
    unknown = [node.node.name for node in ctx.link.nodes if node.is_up and semi_sync_of(node).is_on is None]
    if unknown:
        yield Finding(
            "semi_sync_unknown",
            Severity.UNKNOWN,
            f"It is unknown whether commits of {', '.join(unknown)} wait for a semi-synchronous acknowledgement.",
            f"Check with SHOW GLOBAL VARIABLES LIKE '{ENABLED}'. MySQL's plugin from before 8.0.26 has to be replaced "
            "by rpl_semi_sync_source.",
            {"nodes": unknown},
        )

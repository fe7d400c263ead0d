"""Checks that every member of the clusters is registered: the console neither sees nor fences any other."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.facts.unregistered_members import not_recognised_finding, not_registered_finding
from backend.core.findings import Finding
from backend.core.topology import ClusterFacts


def check_members_are_registered(ctx: CheckContext) -> Iterator[Finding]:
    """An unregistered member could accept writes behind the fence, hold a second channel, or write into a loop."""
    for cluster in ctx.clusters:
        yield from _findings(cluster, refuses=True)


def check_members_of_survivor(ctx: CheckContext) -> Iterator[Finding]:
    """In a failover they only warn: the lost side accepts no writes, and the run opens registered nodes."""
    yield from _findings(ctx.link.standby, refuses=False)


def _findings(cluster: ClusterFacts, *, refuses: bool) -> Iterator[Finding]:
    for finding in (not_registered_finding(cluster, refuses=refuses), not_recognised_finding(cluster)):
        if finding is not None:
            yield finding

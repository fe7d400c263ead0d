"""Checks that each side is one Primary Component: what one half commits reaches no other half and no other side."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.facts.halves import do_views_differ, is_split
from backend.core.facts.split_sites import (
    membership_unknown_finding,
    mixed_halves_finding,
    split_finding,
    views_differ_finding,
)
from backend.core.findings import Finding
from backend.core.topology import ClusterFacts


def check_sites_are_whole(ctx: CheckContext) -> Iterator[Finding]:
    """The members of every live view are compared, not those of one node."""
    for cluster in ctx.clusters:
        yield from _of(cluster)


def check_survivor_is_whole(ctx: CheckContext) -> Iterator[Finding]:
    """A failover ends a split of the lost side, whose loss is unknown then; the survivor must be one."""
    if is_split(ctx.link.active):
        yield split_finding(ctx.link.active, refuses=False)
    mixed = mixed_halves_finding(ctx.link.active, refuses=False)
    yield from [mixed] if mixed else ()
    yield from _of(ctx.link.standby)


def _of(cluster: ClusterFacts) -> Iterator[Finding]:
    if is_split(cluster):
        yield split_finding(cluster)
    elif do_views_differ(cluster):
        yield views_differ_finding(cluster)
    mixed = mixed_halves_finding(cluster)
    yield from [mixed] if mixed else ()
    unread = membership_unknown_finding(cluster)
    yield from [unread] if unread else ()

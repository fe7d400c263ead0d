"""Checks whether every transaction that the channels passed stands on both sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from backend.core.checks.context import CheckContext
from backend.core.facts.proven_stream import proven_findings, unproven_finding
from backend.core.facts.unsettled import unsettled_findings
from backend.core.findings import Finding, Severity


def check_transactions_accounted(ctx: CheckContext) -> Iterator[Finding]:
    """Applications that move to a side would miss what that side lacks."""
    yield from unsettled_findings(ctx.link)
    yield from _proven_or_not(ctx)


def warn_of_unaccounted_transactions(ctx: CheckContext) -> Iterator[Finding]:
    """The operation neither brings them nor makes it worse: what a side lacks it lacks afterwards, too."""
    remedy = "This operation does not bring them in. Afterwards make the data of both sides equal, and settle them."
    for finding in unsettled_findings(ctx.link, Severity.WARNING):
        yield replace(finding, remedy=remedy)
    yield from _proven_or_not(ctx)


def _proven_or_not(ctx: CheckContext) -> Iterator[Finding]:
    """What the plan proves of the position it proves by itself, and of what was applied before nothing."""
    finding = unproven_finding(ctx.link)
    yield from () if finding is None else (finding,)
    yield from proven_findings(ctx.link)

"""What keeps a link from being protected until a person settles it, although its channels run now."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.facts.stream_accounts import stream_findings
from backend.core.facts.unsafe_periods import period_findings
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts


def unsettled_findings(link: LinkFacts, severity: Severity = Severity.BLOCKER) -> Iterator[Finding]:
    """Transactions that are not on both sides, and times in which rows may have come to differ."""
    yield from stream_findings(link, severity)
    yield from period_findings(link, severity)


def unsettled_trouble(link: LinkFacts) -> str | None:
    """The first of them as a sentence; None where there is nothing to settle."""
    finding = next(unsettled_findings(link), None)
    return None if finding is None else str(finding.facts["sentence"])

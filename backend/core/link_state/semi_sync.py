"""What the page of a link says of commits that wait for replicas."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.facts.semi_sync import ENABLED, semi_sync_of, why_commits_wait
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts


def commits_that_wait(link: LinkFacts) -> list[str]:
    """A sentence for each node whose commits wait for a replica that is not there."""
    return [why for node in link.nodes if (why := why_commits_wait(node)) is not None]


def semi_sync_findings(link: LinkFacts) -> Iterator[Finding]:
    """One for each node that is set to wait: whether it does, for how long, and whether a replica would answer."""
    for node in link.nodes:
        seen = semi_sync_of(node)
        if not node.is_up or not seen.is_on:
            continue
        name, why = node.node.name, why_commits_wait(node)
        facts = {"node": name, "node_id": node.node.id, "timeout_s": seen.timeout_s, "sessions": seen.sessions}
        if why is not None:
            yield Finding(
                "semi_sync_waits",
                Severity.BLOCKER if seen.sessions else Severity.WARNING,
                f"{why}.",
                f"Start the channel of its replica, or run SET GLOBAL {ENABLED}=OFF on {name}: commits that wait go on "
                "at once.",
                facts,
            )
        elif not seen.is_short and seen.is_active is not False:
            yield Finding(
                "semi_sync_on",
                Severity.INFO,
                f"Each commit of {name} waits {seen.longest} for a semi-synchronous acknowledgement.",
                facts=facts,
            )

"""Stores when a node of a link had a setting with which rows come to differ unseen."""

from __future__ import annotations

from dataclasses import replace

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.core.facts.unsafe_periods import followed, period_findings
from backend.core.link_facts import LinkFacts, UnsafePeriod
from backend.monitoring.models import UnsafePeriod as UnsafePeriodRow
from backend.monitoring.times import from_unix


def follow_unsafe_periods(link: Link, seen: LinkFacts) -> LinkFacts:
    """The link with its periods of now; what began, changed or ended is stored, and what ended is told."""
    periods = followed(seen)
    changed = [one for one in periods if one not in seen.unsafe_periods]
    for one in changed:
        _store(link, one)
    ended = tuple(one for one in changed if one.until_s is not None)
    for finding in period_findings(replace(seen, unsafe_periods=ended)):
        events.raised(link_id=link.pk, kind="link.rows_may_differ", severity="blocker", message=finding.message)
    return replace(seen, unsafe_periods=periods)


def _store(link: Link, one: UnsafePeriod) -> None:
    UnsafePeriodRow.objects.update_or_create(
        link=link,
        node_id=one.node_id,
        variable=one.variable,
        defaults={
            "node_name": one.node,
            "value": one.value,
            "began_at": from_unix(one.since_s),
            "ended_at": None if one.until_s is None else from_unix(one.until_s),
        },
    )

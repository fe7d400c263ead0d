"""What is stored of the sides of links in a tick, and events for sides that are split or not fenced any more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.core.link_facts import LinkFacts, SideFence, UnsafePeriod
from backend.core.link_state import LinkView
from backend.core.link_state.standby_fence import open_nodes
from backend.core.topology import SeenTogether
from backend.monitoring.models import LinkStatus
from backend.monitoring.models import SideFence as SideFenceRow
from backend.monitoring.site_records import seen_together, side_fences, unsafe_periods, with_site_records
from backend.monitoring.times import from_unix

EVENTS = {
    "site_is_split": ("site.split", "blocker", "site.whole", "{} is one Primary Component again."),
    "standby_accepts_writes": ("standby.writable", "warning", "standby.fenced", "The standby side {} is fenced again."),
}
"""By finding: the event when it appears, its severity, and the event and its sentence when it is gone."""
LASTS_AS = {"site_was_split": "site_is_split"}
"""A finding with which another one is not over yet: halves that came together without a copy are no whole side."""


@dataclass(frozen=True, slots=True)
class SiteRecords:
    """Of all links of a tick, read at once."""

    together: Mapping[str, SeenTogether]
    fences: Mapping[str, SideFence]
    periods: Mapping[str, tuple[UnsafePeriod, ...]]

    @classmethod
    def of(cls, links: Sequence[Link], together: Mapping[str, SeenTogether] | None) -> SiteRecords:
        """What is stored of these links and their clusters."""
        ids = {side for link in links for side in (link.active_cluster_id, link.standby_cluster_id)}
        known = seen_together(ids) if together is None else together
        return cls(known, side_fences(ids), unsafe_periods([link.pk for link in links]))

    def added_to(self, link: LinkFacts) -> LinkFacts:
        """The link with its records; that its standby is writable again is noted first."""
        seen = with_site_records(link, self.together, self.fences, self.periods)
        fence = seen.fence_of(seen.standby.id)
        if fence is None or (fence.opened_at_s is not None) == bool(open_nodes(seen.standby)):
            return seen
        opened_at = from_unix(seen.observed_at_s) if fence.opened_at_s is None else None
        SideFenceRow.objects.filter(pk=fence.cluster_id, run_id=fence.run_id).update(opened_at=opened_at)
        return with_site_records(link, self.together, None, self.periods)


def raise_site_changes(link: Link, status: LinkStatus | None, view: LinkView, seen: LinkFacts) -> None:
    """Events for what began or ended since the last tick."""
    stored = status.findings if status is not None else []
    before = {(one["code"], one["facts"].get("cluster_id")) for one in stored}
    now = {(one.code, one.facts.get("cluster_id")): one for one in view.findings}
    names = {side.id: side.name for side in (seen.active, seen.standby)}
    begun = _lasting(now) - _lasting(before)
    for (code, cluster_id), finding in now.items():
        if (LASTS_AS.get(code, code), cluster_id) in begun:
            kind, severity, _, _ = EVENTS[LASTS_AS.get(code, code)]
            events.raised(link_id=link.id, kind=kind, severity=severity, message=finding.message)
    for code, cluster_id in _lasting(before) - _lasting(now):
        _, _, kind, sentence = EVENTS[code]
        if cluster_id in names:
            events.raised(link_id=link.id, kind=kind, severity="ok", message=sentence.format(names[cluster_id]))


def _lasting(keys: Iterable[tuple[str, object]]) -> set[tuple[str, object]]:
    named = {(LASTS_AS.get(code, code), cluster_id) for code, cluster_id in keys}
    return {key for key in named if key[0] in EVENTS}

"""Reads rehearsals and schedules as the API returns them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Max, OuterRef, QuerySet, Subquery

from backend.clusters.models import Link
from backend.common.errors import not_found
from backend.common.rest.pagination import page
from backend.core.history.loss import stated_loss
from backend.core.reports.rehearsal_schedule import GRACE
from backend.operations.rehearsals.models import Rehearsal, RehearsalSchedule, RehearsalState

DEFAULT_KINDS = ["relocate", "switchover", "failover"]
_BRIEF = ("id", "link_id", "kind", "state", "at", "actor", "summary", "sentence", "duration_ms", "estimate_s", "loss")
_FULL = ("options", "timings", "findings", "positions", "steps")


class Result(NamedTuple):
    """What a rehearsal came to."""

    id: str
    link_id: str
    kind: str
    state: str
    at: datetime
    estimate_s: float | None


def rehearsal_get(rehearsal_id: str) -> Rehearsal:
    """One rehearsal; 404 where there is none."""
    found = Rehearsal.objects.filter(pk=rehearsal_id).first()
    if found is None:
        raise not_found("rehearsal")
    return found


def rehearsal_view(rehearsal: Rehearsal) -> dict[str, Any]:
    """A rehearsal as the API returns it."""
    shown = {name: getattr(rehearsal, name) for name in (*_BRIEF, *_FULL)}
    return shown | {"loss": stated_loss(rehearsal.kind, rehearsal.loss)}


def rehearsal_page(link: Link, *, kind: str | None, cursor: str | None, limit: int) -> dict[str, Any]:
    """Rehearsals of a link, newest first."""
    rows = Rehearsal.objects.filter(link=link)
    if kind:
        rows = rows.filter(kind=kind)
    return page(rows, order=("at", "id"), cursor=cursor, limit=limit, shape=rehearsal_view)


def latest_by_kind(link_id: str) -> dict[str, Result]:
    """The newest rehearsal of each kind, by its result alone."""
    return latest_of_links([link_id]).get(link_id, {})


def latest_of_links(link_ids: Collection[str]) -> dict[str, dict[str, Result]]:
    """The same of several links, by link: indexes name the newest, however many rehearsals there are."""
    newest = {(link_id, kind): at for link_id, kind, at in _newest_times(link_ids)}
    rows = Rehearsal.objects.filter(at__in=set(newest.values())).values_list(*Result._fields)
    found: dict[str, dict[str, Result]] = {}
    for row in map(Result._make, sorted(rows)):
        if newest.get((row.link_id, row.kind)) == row.at:
            found.setdefault(row.link_id, {})[row.kind] = row
    return found


def _newest_times(link_ids: Collection[str]) -> QuerySet[Rehearsal, tuple[str, str, datetime]]:
    """The newest time of each link and kind; the index of those three columns is skipped through, not scanned."""
    rows = Rehearsal.objects.filter(link_id__in=link_ids).values_list("link_id", "kind")
    return rows.annotate(newest=Max("at")).order_by()


def with_rehearsals(readiness: dict[str, dict[str, Any]], latest: Mapping[str, Result]) -> dict[str, dict[str, Any]]:
    """A link's readiness by kind, with each kind's last rehearsal and estimated duration."""
    return {kind: {**answer, **_rehearsed(answer, latest.get(kind))} for kind, answer in readiness.items()}


def _rehearsed(answer: dict[str, Any], last: Result | None) -> dict[str, Any]:
    if last is None:
        return {"rehearsed_at": None, "rehearsed_ok": None}
    is_ok = last.state == RehearsalState.PASSED
    known = {"rehearsed_at": last.at, "rehearsed_ok": is_ok}
    use = is_ok and answer["state"] == "ready" and last.estimate_s is not None
    return known | ({"estimate_s": last.estimate_s} if use else {})


def schedule_view(link: Link) -> dict[str, Any]:
    """A link's schedule, or the default."""
    schedule = RehearsalSchedule.objects.filter(pk=link.pk).first()
    if schedule is None:
        return {"enabled": False, "every_hours": 24, "kinds": DEFAULT_KINDS, "next_at": None}
    shown = {name: getattr(schedule, name) for name in ("enabled", "every_hours", "kinds")}
    return shown | {"next_at": _next_at(schedule)}


def _next_at(schedule: RehearsalSchedule) -> datetime | None:
    """When the first kind is due; None where one was never rehearsed (then it is due now) or the schedule is off."""
    latest = latest_by_kind(schedule.pk)
    if not schedule.enabled or not schedule.kinds or any(kind not in latest for kind in schedule.kinds):
        return None
    return min(latest[kind].at for kind in schedule.kinds) + timedelta(hours=schedule.every_hours)


@dataclass(frozen=True, slots=True)
class LastResults:
    """When an operation was last rehearsed successfully, and when it last failed; None: never."""

    passed_at: datetime | None = None
    failed_at: datetime | None = None

    @property
    def last_failed(self) -> bool:
        """Whether the newest rehearsal failed."""
        return self.failed_at is not None and (self.passed_at is None or self.failed_at > self.passed_at)

    @property
    def newest_at(self) -> datetime | None:
        """When it was last rehearsed, whatever the result."""
        return max((at for at in (self.passed_at, self.failed_at) if at is not None), default=None)


def last_results() -> dict[str, dict[str, LastResults]]:
    """The last results by link and operation, of all links in one query that an index answers alone."""
    newest = Rehearsal.objects.values_list("link_id", "kind", "state").annotate(newest=Max("at")).order_by()
    times: dict[tuple[str, str], dict[str, datetime]] = {}
    for link_id, kind, state, at in newest:
        times.setdefault((link_id, kind), {})[f"{state}_at"] = at
    found: dict[str, dict[str, LastResults]] = {}
    for (link_id, kind), by_state in times.items():
        found.setdefault(link_id, {})[kind] = LastResults(**by_state)
    return found


def newest_passed(kind: str) -> dict[str, Rehearsal]:
    """The newest successful rehearsal of the operation by link, without its large columns."""
    passed = Rehearsal.objects.filter(link_id=OuterRef("pk"), kind=kind, state=RehearsalState.PASSED)
    newest = Link.objects.annotate(newest=Subquery(passed.order_by("-at", "-id").values("pk")[:1])).values("newest")
    return {row.link_id: row for row in Rehearsal.objects.filter(pk__in=newest).defer(*_FULL)}


def overdue_rehearsals(results: Mapping[str, Mapping[str, LastResults]], now: datetime) -> dict[str, list[str]]:
    """The operations that a link's schedule demands and that were not rehearsed in time, by link."""
    found: dict[str, list[str]] = {}
    for schedule in RehearsalSchedule.objects.filter(enabled=True, link__retired_at=None):
        latest = now - timedelta(hours=schedule.every_hours) - GRACE
        held = results.get(schedule.pk, {})
        times = {kind: held.get(kind, LastResults()).newest_at for kind in schedule.kinds}
        found[schedule.pk] = [kind for kind, at in times.items() if at is None or at < latest]
    return found

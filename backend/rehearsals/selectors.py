"""Reads rehearsals and schedules as the API returns them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import OuterRef, Subquery

from backend.clusters.models import Link
from backend.common.errors import not_found
from backend.common.rest.pagination import page
from backend.rehearsals.models import Rehearsal, RehearsalSchedule, RehearsalState

DEFAULT_KINDS = ["relocate", "switchover", "failover"]
_BRIEF = ("id", "link_id", "kind", "state", "at", "actor", "summary", "sentence", "duration_ms", "estimate_s", "loss")
_FULL = ("options", "timings", "findings", "positions", "steps")


def rehearsal_get(rehearsal_id: str) -> Rehearsal:
    """One rehearsal; 404 where there is none."""
    found = Rehearsal.objects.filter(pk=rehearsal_id).first()
    if found is None:
        raise not_found("rehearsal")
    return found


def rehearsal_view(rehearsal: Rehearsal) -> dict[str, Any]:
    """A rehearsal as the API returns it."""
    return {name: getattr(rehearsal, name) for name in (*_BRIEF, *_FULL)}


def rehearsal_page(link: Link, *, kind: str | None, cursor: str | None, limit: int) -> dict[str, Any]:
    """Rehearsals of a link, newest first."""
    rows = Rehearsal.objects.filter(link=link)
    if kind:
        rows = rows.filter(kind=kind)
    return page(rows, order=("at", "id"), cursor=cursor, limit=limit, shape=rehearsal_view)


def latest_by_kind(link_id: str) -> dict[str, Rehearsal]:
    """The newest rehearsal of each kind, without its large columns; one query, as every request of a link needs it."""
    same = Rehearsal.objects.filter(link_id=OuterRef("link_id"), kind=OuterRef("kind"))
    newest = same.order_by("-at", "-id").values("pk")[:1]
    rows = Rehearsal.objects.filter(link_id=link_id, pk=Subquery(newest)).defer(*_FULL)
    return {row.kind: row for row in rows}


def with_rehearsals(readiness: dict[str, dict[str, Any]], link_id: str) -> dict[str, dict[str, Any]]:
    """A link's readiness by kind, with each kind's last rehearsal and estimated duration."""
    latest = latest_by_kind(link_id)
    return {kind: {**answer, **_rehearsed(answer, latest.get(kind))} for kind, answer in readiness.items()}


def _rehearsed(answer: dict[str, Any], last: Rehearsal | None) -> dict[str, Any]:
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

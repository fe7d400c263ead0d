"""Reads the calendar of a link, and what it objects to an operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from backend.clusters.models import Link
from backend.common.errors import not_found
from backend.common.keyed_mac import is_mac_of, mac_of
from backend.core.change_calendar.decision import Calendar, Freeze, Objection, next_start, objections
from backend.core.change_calendar.windows import SingleWindow, WeeklyWindow, Window
from backend.core.findings import Finding, Severity
from backend.operations.change_calendar.models import CalendarOverride, ChangeFreeze, ChangeWindow


def calendar_of(link_id: str) -> Calendar:
    """All windows and the freezes that are not over."""
    windows = [as_window(row) for row in ChangeWindow.objects.order_by("pk") if row.is_for(link_id)]
    rows = ChangeFreeze.objects.filter(ends_at__gt=timezone.now()).order_by("begins_at", "pk")
    freezes = [Freeze(row.name, row.reason, row.begins_at, row.ends_at, row.pk) for row in rows if row.is_for(link_id)]
    return Calendar(tuple(windows), tuple(freezes))


def as_window(row: ChangeWindow) -> Window:
    """The stored window; what it lacks makes it one that cannot be evaluated."""
    if row.opens_at is not None and row.closes_at is not None:
        return SingleWindow(row.name, row.opens_at, row.closes_at, row.pk)
    starts = row.starts or datetime.min.time()
    weekdays = frozenset(row.weekdays) if row.starts is not None else frozenset()
    return WeeklyWindow(row.name, row.zone, weekdays, starts, row.minutes or 0, row.pk)


def calendar_objections(link_id: str, kind: str) -> tuple[Objection, ...]:
    """Why an operation of this kind may not start on the link now."""
    return objections(calendar_of(link_id), kind, timezone.now())


def objections_of(links: Sequence[Link], kind: str) -> tuple[Objection, ...]:
    """The objections of the first link, then of the others, which share a cluster with it and are named."""
    own, *others = links
    found = list(calendar_objections(own.pk, kind))
    for other in others:
        further = (one for one in calendar_objections(other.pk, kind) if one not in found)
        found += [_of_other(other, one) for one in further]
    return tuple(found)


def _of_other(link: Link, one: Objection) -> Objection:
    sentence = f"{link.name}, which shares a cluster: {one.sentence}"
    return replace(one, sentence=sentence, entries=(link.pk, *one.entries))


def calendar_findings(links: Sequence[Link], kind: str) -> tuple[Finding, ...]:
    """The objections as findings of a plan: a warning, because a permitted person may override them."""
    remedy = "Start it when the calendar allows it. Or have a user with the role approver override it with a reason."
    return tuple(
        Finding(one.code, Severity.WARNING, one.sentence, remedy, one.facts) for one in objections_of(links, kind)
    )


def override_parts(row: CalendarOverride) -> tuple[object, ...]:
    """What the MAC of an override binds."""
    return (row.plan_id, row.run_id, row.digest, row.by, row.reason, row.at.isoformat(), *row.objections)


def override_mac(row: CalendarOverride) -> str:
    """The MAC of an override."""
    return mac_of("calendar_override", *override_parts(row))


def override_of(plan_id: str, run_id: str, digest: str) -> CalendarOverride | None:
    """The override of this run, if Hawser wrote it for exactly this plan."""
    row = CalendarOverride.objects.filter(plan_id=plan_id, run_id=run_id, digest=digest).first()
    return row if row is not None and is_mac_of(row.mac, "calendar_override", *override_parts(row)) else None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the calendars object to the start of a run now; a person has read and overridden some of it."""

    standing: tuple[Objection, ...]
    overridden: tuple[Objection, ...]


def judgement_of(links: Sequence[Link], kind: str, *, plan_id: str, run_id: str, digest: str) -> Judgement:
    """The objections to a run; an override covers those that stood in it, and none that came later."""
    found = objections_of(links, kind)
    override = override_of(plan_id, run_id, digest) if found else None
    seen = override.objections if override is not None else []
    return Judgement(
        standing=tuple(one for one in found if one.key not in seen),
        overridden=tuple(one for one in found if one.key in seen),
    )


def link_calendar_view(link_id: str) -> dict[str, Any]:
    """Whether planned operations of the link may start now, why not, and when the next one may."""
    calendar, now = calendar_of(link_id), timezone.now()
    found = objections(calendar, "switchover", now)
    return {
        "link_id": link_id,
        "is_open": not found,
        "objections": [asdict(one) for one in found],
        "next_start": next_start(calendar, now),
        "has_windows": bool(calendar.windows),
    }


def calendar_view() -> dict[str, Any]:
    """All windows, and the freezes that are not over, the next one first."""
    freezes = ChangeFreeze.objects.filter(ends_at__gt=timezone.now()).order_by("begins_at", "pk")
    return {"windows": list(ChangeWindow.objects.order_by("name", "pk")), "freezes": list(freezes)}


def window_get(window_id: str) -> ChangeWindow:
    """One window; 404 if it does not exist."""
    found = ChangeWindow.objects.filter(pk=window_id).first()
    if found is None:
        raise not_found("change window")
    return found


def freeze_get(freeze_id: str) -> ChangeFreeze:
    """One freeze; 404 if it does not exist."""
    found = ChangeFreeze.objects.filter(pk=freeze_id).first()
    if found is None:
        raise not_found("change freeze")
    return found

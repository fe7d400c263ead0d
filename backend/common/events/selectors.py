"""Reads events for streams, for the history of a link and for its lag curve."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Max

from backend.common.events.models import Event, EventType
from backend.common.rest.pagination import page


def latest_id() -> int:
    """Id of the newest event, 0 before the first."""
    newest: int | None = Event.objects.aggregate(newest=Max("id"))["newest"]
    return newest or 0


def newer(after: int, limit: int) -> list[Event]:
    """The next events after this id, in the order of ids."""
    return list(Event.objects.filter(id__gt=after).order_by("id")[:limit])


def newer_ids(after: int, limit: int) -> list[int]:
    """Their ids alone."""
    return list(Event.objects.filter(id__gt=after).order_by("id").values_list("id", flat=True)[:limit])


def events_of(ids: Collection[int]) -> list[Event]:
    """The events with these ids, in their order."""
    return list(Event.objects.filter(pk__in=ids).order_by("id")) if ids else []


def was_raised(*, link_id: str, kind: str, message: str) -> bool:
    """Whether an equal event is already in the history of the link."""
    same_events = Event.objects.filter(link_id=link_id, type=EventType.RAISED, data__kind=kind, data__message=message)
    return same_events.exists()


def history(*, link_id: str, cursor: str | None, limit: int) -> dict[str, Any]:
    """The raised events of a link, newest first."""
    rows = Event.objects.filter(link_id=link_id, type=EventType.RAISED)
    return page(rows, order=("id",), cursor=cursor, limit=limit, shape=_history_row)


def raised_between(*, link_id: str, since: datetime, until: datetime, limit: int) -> tuple[list[dict[str, Any]], int]:
    """The latest raised events of a link in a time, oldest first, and how many earlier ones are left out."""
    rows = Event.objects.filter(link_id=link_id, type=EventType.RAISED, at__gte=since, at__lt=until)
    latest = list(rows.order_by("-id")[: limit + 1])
    left_out = rows.count() - limit if len(latest) > limit else 0
    return [{**_history_row(event), "severity": event.data["severity"]} for event in reversed(latest[:limit])], left_out


def _history_row(event: Event) -> dict[str, Any]:
    return {
        "at": event.at,
        "kind": event.data["kind"],
        "label": event.data["message"],
        "run_id": event.data["run_id"],
        "actor": event.data["actor"],
    }


def wire(event: Event) -> dict[str, Any]:
    """The data of an event as it is streamed."""
    if event.type == EventType.RAISED:
        return {"id": event.pk, "at": event.at.isoformat().replace("+00:00", "Z"), **event.data}
    return dict(event.data)

"""Writes events; every event is written through this module."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models.functions import Now

from backend.common import database_clock
from backend.common.events.models import Event, EventType
from backend.common.retention import delete_in_portions

KEEP_SIGNALS = timedelta(hours=1)
KEEP_HISTORY = timedelta(days=400)


def append(*, type: str, link_id: str = "", run_id: str = "", data: dict[str, Any]) -> Event:  # noqa: A002
    """Append one event; call it inside the transaction of the change that it reports."""
    # By the database's clock, as readers judge it: a process whose own is wrong must hold up or hide no event.
    return Event.objects.create(type=EventType(type), at=Now(), link_id=link_id, run_id=run_id, data=data)


def link_updated(*, link_id: str) -> Event:
    """Report that a link changed; callers send at most one per second."""
    return append(type=EventType.LINK_UPDATED, link_id=link_id, data={"link_id": link_id})


def links_updated(link_ids: Sequence[str]) -> None:
    """The same of several links in one statement."""
    kind = EventType.LINK_UPDATED
    Event.objects.bulk_create(Event(type=kind, at=Now(), link_id=one, data={"link_id": one}) for one in link_ids)


def append_all(changes: Sequence[Event]) -> None:
    """Append events that are not stored yet, in that order, with one statement."""
    Event.objects.bulk_create(changes)


def run_change(*, run_id: str, link_id: str, state: str, version: int) -> Event:
    """The event of a changed run, not stored yet."""
    data = {"run_id": run_id, "link_id": link_id, "state": state, "version": version}
    return Event(type=EventType.RUN_UPDATED, at=Now(), link_id=link_id, run_id=run_id, data=data)


def step_change(*, run_id: str, link_id: str, index: int, state: str) -> Event:
    """The event of a changed step of a run, not stored yet."""
    data = {"run_id": run_id, "index": index, "state": state}
    return Event(type=EventType.STEP_UPDATED, at=Now(), link_id=link_id, run_id=run_id, data=data)


def run_updated(*, run_id: str, link_id: str, state: str, version: int) -> Event:
    """Report that a run changed."""
    event = run_change(run_id=run_id, link_id=link_id, state=state, version=version)
    event.save(force_insert=True)
    return event


def incident_updated(*, incident_id: str, link_ids: Sequence[str], state: str, version: int) -> Event:
    """Report to those who may read all links of the incident that it changed; its runs report their own changes."""
    data = {"incident_id": incident_id, "link_ids": list(link_ids), "state": state, "version": version}
    return append(type=EventType.INCIDENT_UPDATED, data=data)


def raised(
    *, link_id: str, kind: str, severity: str, message: str, run_id: str = "", actor: str = "", subject: str = ""
) -> Event:
    """Raise an event for users; it stays in the history of the link.

    `kind` is a dotted word such as `node.down` or `run.succeeded`; `severity` is that of a finding. `subject` is the
    name of the node or advice that begins or ends something, where a link can have several at a time.
    """
    event = to_raise(
        link_id=link_id, kind=kind, severity=severity, message=message, run_id=run_id, actor=actor, subject=subject
    )
    event.save(force_insert=True)
    return event


def to_raise(
    *, link_id: str, kind: str, severity: str, message: str, run_id: str = "", actor: str = "", subject: str = ""
) -> Event:
    """The event that `raised` stores, not stored yet."""
    data = {
        "link_id": link_id,
        "run_id": run_id or None,
        "kind": kind,
        "severity": severity,
        "message": message,
        "actor": actor or None,
        "subject": subject or None,
    }
    return Event(type=EventType.RAISED, at=Now(), link_id=link_id, run_id=run_id, data=data)


def forget_old(now: datetime | None = None) -> int:
    """Drop signals after an hour and history after its retention time; returns the number of dropped rows."""
    moment = now or database_clock.now()
    return sum(
        delete_in_portions(Event.objects.filter(type=type_, at__lt=moment - _kept_for(type_))) for type_ in EventType
    )


def _kept_for(type_: EventType) -> timedelta:
    return KEEP_HISTORY if type_ is EventType.RAISED else KEEP_SIGNALS

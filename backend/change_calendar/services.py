"""Changes of the calendar, each with its audit record and an event, and the override of one run."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.change_calendar.models import CalendarEntry, CalendarOverride, ChangeFreeze, ChangeWindow
from backend.change_calendar.selectors import override_mac
from backend.clusters.selectors import links
from backend.common.errors import conflict, invalid
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.core.change_calendar.decision import Objection

MAX_ENTRIES = 200


@retry_on_rollback
def window_create(*, actor: str, **given: Any) -> ChangeWindow:
    """Add a change window."""
    window = ChangeWindow(created_by=actor, created_at=timezone.now(), **given)
    _add(window, "window", actor, ChangeWindow.objects.count())
    return window


@retry_on_rollback
def freeze_create(*, actor: str, **given: Any) -> ChangeFreeze:
    """Add a freeze."""
    freeze = ChangeFreeze(created_by=actor, created_at=timezone.now(), **given)
    _add(freeze, "freeze", actor, ChangeFreeze.objects.count())
    return freeze


@retry_on_rollback
def window_delete(*, actor: str, window: ChangeWindow, reason: str) -> None:
    """Delete a window: without any other, planned operations may start at any time."""
    _delete(window, "window", actor, reason)


@retry_on_rollback
def freeze_delete(*, actor: str, freeze: ChangeFreeze, reason: str) -> None:
    """Delete a freeze, also before it is over."""
    _delete(freeze, "freeze", actor, reason)


def _add(entry: CalendarEntry, what: str, actor: str, present: int) -> None:
    _check_links(entry.links)
    if present >= MAX_ENTRIES:
        raise conflict(
            "too_many_calendar_entries",
            f"The change calendar has {MAX_ENTRIES} entries of this kind already. Delete those that are over.",
        )
    with transaction.atomic():
        entry.save(force_insert=True)
        _tell(entry, what, "create", actor, entry.reason)


def _check_links(asked: list[str]) -> None:
    known = {link.pk for link in links()}
    if unknown := sorted(set(asked) - known):
        raise invalid("links", f"No such link is registered: {', '.join(unknown)}. Name registered links, or none.")


def _delete(entry: CalendarEntry, what: str, actor: str, reason: str) -> None:
    with transaction.atomic():
        _tell(entry, what, "delete", actor, reason)
        entry.delete()


def _tell(entry: CalendarEntry, what: str, action: str, actor: str, reason: str) -> None:
    done = {"create": "added", "delete": "deleted"}[action]
    events.raised(
        link_id="",
        kind=f"change_calendar.{action}",
        severity="warning" if action == "delete" else "info",
        message=f"{actor} {done} the {'change window' if what == 'window' else 'freeze'} {entry.name}: {reason}"[:500],
        actor=actor,
    )
    audit.record(
        actor=actor,
        action=f"api:change_{what}:{action}",
        target=str(entry.pk),
        reason=reason,
        facts={"name": entry.name, "links": entry.links, "entry": _as_facts(entry)},
    )


def _as_facts(entry: CalendarEntry) -> dict[str, Any]:
    names = (
        ("begins_at", "ends_at")
        if isinstance(entry, ChangeFreeze)
        else ("zone", "weekdays", "starts", "minutes", "opens_at", "closes_at")
    )
    return {name: value for name in names if (value := getattr(entry, name)) not in (None, "", [])}


def override_store(
    *, actor: str, plan_id: str, run_id: str, link_id: str, digest: str, reason: str, found: tuple[Objection, ...]
) -> None:
    """Let one run start in spite of the calendar: recorded, announced as a warning, and shown on the run."""
    row = CalendarOverride(
        plan_id=plan_id, run_id=run_id, digest=digest, by=actor, reason=reason, at=timezone.now(),
        objections=[one.sentence for one in found],
    )  # fmt: skip
    row.mac = override_mac(row)
    row.save(force_insert=True)
    sentences = " ".join(one.sentence for one in found)
    events.raised(
        link_id=link_id,
        run_id=run_id,
        kind="run.calendar_override",
        severity="warning",
        message=f"{actor} lets the run start in spite of the change calendar: {reason}. {sentences}"[:500],
        actor=actor,
    )
    audit.record(
        actor=actor,
        action="api:run:override_calendar",
        link_id=link_id,
        run_id=run_id,
        target=run_id,
        reason=reason,
        facts={"objections": [one.sentence for one in found]},
    )

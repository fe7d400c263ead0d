"""Changes of the calendar, each with its audit record and an event, and the override of one run."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.selectors import links
from backend.common.errors import conflict, invalid
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.core.change_calendar.decision import Objection
from backend.identity.accounts import local_sign_in
from backend.operations.change_calendar.models import CalendarEntry, CalendarOverride, ChangeFreeze, ChangeWindow
from backend.operations.change_calendar.selectors import override_mac

MAX_ENTRIES = 200


@retry_on_rollback
@transaction.atomic
def window_create(*, actor: str, **given: Any) -> ChangeWindow:
    """Add a change window."""
    window = ChangeWindow(created_by=actor, created_at=timezone.now(), **given)
    _add(window, f"change window {window.name}", ChangeWindow.objects.count())
    _record(window, "window_create", actor, window.reason)
    return window


@retry_on_rollback
@transaction.atomic
def freeze_create(*, actor: str, **given: Any) -> ChangeFreeze:
    """Add a freeze."""
    freeze = ChangeFreeze(created_by=actor, created_at=timezone.now(), **given)
    _add(freeze, f"freeze {freeze.name}", ChangeFreeze.objects.count())
    _record(freeze, "freeze_create", actor, freeze.reason)
    return freeze


@retry_on_rollback
@transaction.atomic
def window_delete(*, actor: str, window: ChangeWindow, reason: str) -> None:
    """Delete a window: without any other, planned operations may start at any time."""
    _record(window, "window_delete", actor, reason)
    _delete(window, f"change window {window.name}", actor, reason)


@retry_on_rollback
@transaction.atomic
def freeze_delete(*, actor: str, freeze: ChangeFreeze, reason: str) -> None:
    """Delete a freeze, also before it is over."""
    _record(freeze, "freeze_delete", actor, reason)
    _delete(freeze, f"freeze {freeze.name}", actor, reason)


def _add(entry: CalendarEntry, what: str, present: int) -> None:
    _check_links(entry.links)
    if present >= MAX_ENTRIES:
        raise conflict(
            "too_many_calendar_entries",
            f"The change calendar has {MAX_ENTRIES} entries of this kind already. Delete those that are over.",
        )
    entry.save(force_insert=True)
    message = f"{entry.created_by} added the {what}: {entry.reason}"
    events.raised(
        link_id="", kind="change_calendar.create", severity="info", message=message[:500], actor=entry.created_by
    )


def _check_links(asked: list[str]) -> None:
    known = {link.pk for link in links()}
    if unknown := sorted(set(asked) - known):
        raise invalid("links", f"No such link is registered: {', '.join(unknown)}. Name registered links, or none.")


def _delete(entry: CalendarEntry, what: str, actor: str, reason: str) -> None:
    entry.delete()
    message = f"{actor} deleted the {what}: {reason}"
    events.raised(link_id="", kind="change_calendar.delete", severity="warning", message=message[:500], actor=actor)


def _record(entry: CalendarEntry, what: str, actor: str, reason: str) -> None:
    audit.record(
        actor=actor,
        action=f"api:change_calendar:{what}",
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
    """Let one run start in spite of the calendar: recorded, announced, and shown on the run.

    It is announced as a warning; by break-glass, which no role limits, as a blocker.
    """
    is_break_glass = local_sign_in.is_break_glass(actor)
    row = CalendarOverride(
        plan_id=plan_id, run_id=run_id, digest=digest, by=actor, reason=reason, at=timezone.now(),
        objections=[one.key for one in found],
    )  # fmt: skip
    row.mac = override_mac(row)
    row.save(force_insert=True)
    sentences = " ".join(one.sentence for one in found)
    events.raised(
        link_id=link_id,
        run_id=run_id,
        kind="run.calendar_override",
        severity="blocker" if is_break_glass else "warning",
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
        facts={"objections": [one.sentence for one in found], "break_glass": is_break_glass},
    )

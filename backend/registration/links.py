"""Changes a link: its name, its home side, its approval rule, its maintenance; and swaps the names of two."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.clusters.models import Link
from backend.clusters.selectors import link_get
from backend.clusters.versions import check_not_retired, check_version, raise_version
from backend.common.errors import conflict, invalid
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.monitoring.models import LinkStatus
from backend.monitoring.recording.links import link_severity
from backend.operations.approval_rules.switching import may_set_rule
from backend.registration.changes import Change, before_and_after, check_no_run, locked_link, record_change

LONGEST_PAUSE = timedelta(days=7)


def link_update(*, change: Change, link: Link, **changes: Any) -> Link:
    """Change what is registered. Switching the approval rule off needs a second administrator or some time."""
    try:
        _store(change, link.pk, changes)
    except IntegrityError as error:
        raise conflict(
            "link_exists",
            f"A link named {changes['name']} already exists. Nothing was changed. Choose another name, or swap the "
            "names of the two.",
        ) from error
    return link_get(link.pk)


@retry_on_rollback
def _store(change: Change, link_id: str, changes: dict[str, Any]) -> None:
    with locked_link(link_id, change.version) as link:
        if set(changes) - {"requires_approval"}:
            check_no_run([link])
        asked = dict(changes)
        if "home_cluster" in asked:
            asked["home_cluster_id"] = _side(link, asked.pop("home_cluster"))
        facts = before_and_after(link, asked)
        rule = asked.get("requires_approval")
        if rule is not None and not may_set_rule(change.actor, link, is_on=rule):
            del asked["requires_approval"]
        for field, value in asked.items():
            setattr(link, field, value)
        link.save(update_fields=list(asked))
        changed = ", ".join(sorted(facts["after"])) or "nothing"
        message = f"{change.actor} changed the registration of the link: {changed}."
        record_change(change, action="link:update", target=link.pk, links=[link], message=message, facts=facts)


def _side(link: Link, cluster_id: str) -> str:
    if cluster_id not in (link.active_cluster_id, link.standby_cluster_id):
        raise invalid("home_cluster", "This is not a cluster of the link. Name one of its two.")
    return cluster_id


@retry_on_rollback
def link_pause(*, change: Change, link: Link, until: datetime) -> Link:
    """Begin or prolong a maintenance: the link is observed, no webhook is told, nothing starts automatically."""
    now = timezone.now()
    if not now < until <= now + LONGEST_PAUSE:
        raise invalid("until", "Choose a time from now on, at most 7 days ahead.")
    with locked_link(link.pk, change.version) as row:
        before = row.paused_until
        row.paused_until, row.paused_by, row.pause_reason = until, change.actor, change.reason
        row.save(update_fields=["paused_until", "paused_by", "pause_reason"])
        record_change(
            change,
            action="link:pause",
            target=row.pk,
            links=[row],
            message=f"Maintenance until {until:%Y-%m-%d %H:%M} UTC: {change.reason}",
            facts={"before": before, "after": until},
        )
    return link_get(link.pk)


@retry_on_rollback
def link_resume(*, change: Change, link: Link) -> Link:
    """End a maintenance; nothing changes where there is none."""
    with locked_link(link.pk, change.version) as row:
        before = row.paused_until
        if before is not None:
            _end_pause(row, change.actor)
        message = f"{change.actor} ended the maintenance."
        record_change(
            change,
            action="link:resume",
            target=row.pk,
            links=[row],
            message=message,
            facts={"before": before, "after": None},
        )
    return link_get(link.pk)


def end_due_pauses() -> None:
    """End each maintenance whose time is over; called by the monitor."""
    for row in Link.objects.filter(retired_at=None, paused_until__lte=timezone.now()):
        with transaction.atomic():
            link = Link.objects.select_for_update().get(pk=row.pk)
            if link.paused_until is not None and not link.is_paused(timezone.now()):
                _end_pause(link, "")


def _end_pause(link: Link, actor: str) -> None:
    """Report the state at the end: what changed meanwhile was told to no webhook."""
    link.paused_until = None
    link.save(update_fields=["paused_until"])
    status = LinkStatus.objects.filter(pk=link.pk).first()
    state, sentence = (status.state, status.sentence) if status is not None else ("unknown", "No data yet.")
    events.raised(
        link_id=link.pk,
        kind="link.maintenance_ended",
        severity=link_severity(state),
        message=f"The maintenance has ended. {sentence}",
        actor=actor,
    )


@retry_on_rollback
def link_swap_names(*, change: Change, link: Link, other: Link) -> Link:
    """Swap the names of two links at once, for example after a migration to new clusters."""
    if link.pk == other.pk:
        raise invalid("other", "This is the link itself. Name another one.")
    with transaction.atomic():
        locked = Link.objects.select_for_update().filter(pk__in=[link.pk, other.pk]).order_by("pk")
        rows = {row.pk: row for row in locked}
        one, two = rows[link.pk], rows[other.pk]
        for row in (one, two):
            check_not_retired(row)
        check_version(one, change.version)
        check_no_run([one, two])
        names = (one.name, two.name)
        _rename(two, "", retired_key=two.pk)  # out of the way: a unique name cannot stand twice for a moment
        _rename(one, names[1])
        _rename(two, names[0])
        raise_version(one, two)
        record_change(
            change,
            action="link:swap_names",
            target=one.pk,
            links=[one, two],
            message=f"{change.actor} swapped the names {names[0]} and {names[1]}.",
            facts={"before": {one.pk: names[0], two.pk: names[1]}, "after": {one.pk: names[1], two.pk: names[0]}},
        )
    return link_get(link.pk)


def _rename(link: Link, name: str, *, retired_key: str = "") -> None:
    link.name, link.retired_key = name, retired_key
    link.save(update_fields=["name", "retired_key"])

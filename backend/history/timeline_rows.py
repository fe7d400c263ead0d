"""What each kind of entry of a time line is read from, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.db.models import Q, QuerySet

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event, EventType
from backend.core.history.people import person
from backend.core.history.sentence import describe
from backend.core.history.times import short
from backend.history.setting_titles import SETTING_TITLES
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.runs.models import Run
from backend.operations.runs.stored_run import stored_runs, with_everything_told

_REPORTED_ELSEWHERE: Final = ("run.", "rehearsal.", "registration.", "protected_change.")
"""Kinds of events that another entry of the time line tells."""


def runs(link: Link) -> QuerySet[Run]:
    """All runs of the link."""
    return with_everything_told(Run.objects.filter(link=link))


def shown_runs(rows: Iterable[Run]) -> Iterator[dict[str, Any]]:
    """What each run did, and with which outcome; its positions and its reason are in the history."""
    for run in stored_runs(rows):
        reported = describe(run)
        parts = (reported.who_and_what, reported.from_to, reported.outcome, reported.loss)
        sentence = " ".join(part for part in parts if part)
        yield _entry(run.id, run.created_at, sentence, state=run.state, actor=run.requested_by, run_id=run.id)


def events(link: Link) -> QuerySet[Event]:
    """What was observed of the link."""
    reported = Q()
    for beginning in _REPORTED_ELSEWHERE:
        reported |= Q(data__kind__startswith=beginning)
    return Event.objects.filter(link_id=link.id, type=EventType.RAISED).exclude(reported)


def shown_events(rows: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """The message of each event."""
    for event in rows:
        data = event.data
        yield _entry(
            str(event.pk),
            event.at,
            data["message"],
            state=data["severity"],
            actor=data["actor"] or "",
            run_id=data["run_id"],
        )


def rehearsals(link: Link) -> QuerySet[Rehearsal]:
    """All rehearsals of the link, without their large columns."""
    return Rehearsal.objects.filter(link=link).defer("timings", "findings", "positions", "steps", "options")


def shown_rehearsals(rows: Iterable[Rehearsal]) -> Iterator[dict[str, Any]]:
    """The result of each rehearsal."""
    for one in rows:
        took = short(one.duration_ms / 1000)
        sentence = f"{person(one.actor)} rehearsed a {one.kind}: {one.state} after {took}. {one.sentence}"
        yield _entry(one.id, one.at, sentence.strip(), state=one.state, actor=one.actor)


def settings_changes(link: Link) -> QuerySet[AuditRecord]:
    """Changes of the link, of its clusters and their nodes, and of what is set for it.

    They are looked up by number first: sorted and limited, the query could walk a log of millions by its times.
    """
    clusters = (link.active_cluster_id, link.standby_cluster_id)
    concerned = Q(link_id=link.id) | Q(target__in=clusters)
    found = AuditRecord.objects.filter(concerned, action__in=list(SETTING_TITLES)).values_list("pk", flat=True)
    return AuditRecord.objects.filter(pk__in=list(found))


def shown_settings(rows: Iterable[AuditRecord]) -> Iterator[dict[str, Any]]:
    """What was changed, by whom and why, with the values before and after where the record has both."""
    for record in rows:
        why = f" Reason: “{' '.join(record.reason.split())}”." if record.reason.strip() else ""
        what = "".join(_values(record.facts))
        sentence = f"{SETTING_TITLES[record.action]}{what} ({person(record.actor)}).{why}"
        yield _entry(str(record.seq), record.at, sentence, state="", actor=record.actor, seq=record.seq)


def _values(facts: Mapping[str, Any]) -> Iterator[str]:
    before, after = facts.get("before"), facts.get("after")
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        changed = [f"{name} {before.get(name)} → {after[name]}" for name in sorted(after)]
        yield f": {', '.join(changed)}" if changed else ""
    elif facts.get("summary"):
        yield f": {facts['summary']}"


def _entry(
    id: str,  # noqa: A002
    at: Any,
    sentence: str,
    *,
    state: str,
    actor: str,
    run_id: str | None = None,
    seq: int | None = None,
) -> dict[str, Any]:
    return {"id": id, "at": at, "sentence": sentence, "state": state, "actor": actor, "run_id": run_id, "seq": seq}

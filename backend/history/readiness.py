"""Collects what a readiness report is counted from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from backend.adviser.advice.selectors import open_advice_facts
from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.core.documents.model import Document
from backend.core.history.entry import entry_of
from backend.core.history.people import person
from backend.core.reports.exceptions import exceptions_of
from backend.core.reports.readiness_facts import NotedException, ReadinessInput, readiness_facts
from backend.core.reports.readiness_report import readiness_report
from backend.core.reports.rehearsal_schedule import HeldRehearsal, ScheduleSetting
from backend.core.topology import Direction
from backend.history.models import ReadinessDay
from backend.monitoring.proof import longest_gaps, names_of, proof_totals, receiving_id
from backend.operations.rehearsals.models import Rehearsal, RehearsalState
from backend.operations.runs.models import Run
from backend.operations.runs.stored_run import stored_runs, with_everything_told

LONGEST: Final = timedelta(days=400)
"""Rehearsals and events are kept for as long; a longer period would look as if nothing had happened before."""
_SCHEDULED: Final = "api:rehearsal:schedule"
_WAIVED: Final = {
    "console:protected_change:announced": "rule to be switched off",
    "console:protected_change:effective": "rule switched off",
    "console:protected_change:confirmed": "rule switched off",
}


def last_quarter(now: datetime) -> tuple[datetime, datetime]:
    """The last whole calendar quarter, in UTC."""
    first = (now.astimezone(UTC).month - 1) // 3 * 3 + 1
    until = now.astimezone(UTC).replace(month=first, day=1, hour=0, minute=0, second=0, microsecond=0)
    year, month = (until.year, first - 3) if first > 1 else (until.year - 1, 10)
    return until.replace(year=year, month=month), until


def report_of(link: Link, since: datetime, until: datetime) -> tuple[Document, dict[str, Any]]:
    """The report and its facts."""
    facts = readiness_facts(_input(link, since, until))
    return readiness_report(facts), facts


def _input(link: Link, since: datetime, until: datetime) -> ReadinessInput:
    rows = Run.objects.filter(link=link, created_at__gte=since, created_at__lt=until).order_by("created_at", "id")
    runs = list(stored_runs(with_everything_told(rows)))
    counted = _whole_days(link, since, until).aggregate(ready=Sum("ready_s"), not_ready=Sum("not_ready_s"))
    return ReadinessInput(
        link_id=link.id,
        link_name=link.name,
        since=since,
        until=until,
        entries=[entry_of(run) for run in runs],
        rehearsals=list(_rehearsals(link, until)),
        settings=list(_settings(link, until)),
        ready_s=counted["ready"] or 0.0,
        not_ready_s=counted["not_ready"] or 0.0,
        advice=open_advice_facts(link, timezone.now()),
        proof=list(_proof(link, since, until)),
        exceptions=[*(one for run in runs for one in exceptions_of(run)), *_rules(link, since, until)],
    )


def _whole_days(link: Link, since: datetime, until: datetime) -> QuerySet[ReadinessDay]:
    """The days of which nothing was counted outside of the period; the rest of a day that is cut is unknown."""
    midnight = since.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    first = midnight.date() if since == midnight else (midnight + timedelta(days=1)).date()
    return ReadinessDay.objects.filter(
        Q(day__lt=until.astimezone(UTC).date()) | Q(counted_at__lte=until), link=link, day__gte=first
    )


def _proof(link: Link, since: datetime, until: datetime) -> Iterator[dict[str, Any]]:
    totals = proof_totals([link], since, until, timezone.now())
    for direction in Direction:
        of_direction = totals[link.pk, receiving_id(link, direction)]
        source, receiving = names_of(link, direction)
        gaps = longest_gaps(link, direction, of_direction)
        yield asdict(of_direction) | {
            "direction": direction.value,
            "source": source,
            "receiving": receiving,
            "proven_share": of_direction.proven_share,
            "longest_gaps": [asdict(gap) for gap in gaps],
        }


def _rehearsals(link: Link, until: datetime) -> Iterator[HeldRehearsal]:
    rows = Rehearsal.objects.filter(link=link, at__lt=until).values_list("kind", "at", "state")
    for kind, at, state in rows:
        yield HeldRehearsal(kind, at, is_passed=state == RehearsalState.PASSED)


def _settings(link: Link, until: datetime) -> Iterator[ScheduleSetting]:
    """The schedule over time, from the audit log: it is off until it is first set."""
    for record in AuditRecord.objects.filter(action=_SCHEDULED, link_id=link.id, at__lt=until).order_by("seq"):
        facts = record.facts
        yield ScheduleSetting(record.at, bool(facts["enabled"]), int(facts["every_hours"]), tuple(facts["kinds"]))


def _rules(link: Link, since: datetime, until: datetime) -> Iterator[NotedException]:
    """When the rule of two persons was to be switched off, and when it was."""
    period = Q(link_id=link.id, at__gte=since, at__lt=until)
    for record in AuditRecord.objects.filter(period, action__in=list(_WAIVED)).order_by("seq"):
        sentence = f"{person(record.actor)}: {record.facts.get('summary') or 'a protected change'}."
        yield NotedException(record.at, _WAIVED[record.action], sentence)
    for record in AuditRecord.objects.filter(period, action__in=["api:link:update", "cli:link:update"]).order_by("seq"):
        before, after = record.facts.get("before") or {}, record.facts.get("after") or {}
        if before.get("requires_approval") is True and after.get("requires_approval") is False:
            sentence = f"{person(record.actor)} asked to switch off the approval by a second person."
            yield NotedException(record.at, "rule switched off", sentence)

"""Dispatches unfinished comparisons to workers, and begins those that are due.

Nothing depends on the message: one that Redis loses is dispatched again.
"""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from backend.clusters.selectors import attended_links
from backend.common import heartbeats
from backend.common.errors import ProblemError
from backend.common.retention import delete_in_portions
from backend.transactions.table_comparison import services
from backend.transactions.table_comparison.models import ComparisonSchedule, State, TableComparison
from backend.transactions.table_comparison.tasks import go_on

log = structlog.get_logger(__name__)
KEEP = timedelta(days=90)


def tick() -> None:
    """Called by the monitor about every five seconds."""
    now = timezone.now()
    if heartbeats.is_due("table comparisons forget", timedelta(hours=1)):
        delete_in_portions(TableComparison.objects.filter(unfinished_link=None, started_at__lt=now - KEEP))
    for schedule in ComparisonSchedule.objects.filter(enabled=True, link__in=attended_links(now)).select_related(
        "link"
    ):
        if services.is_due(schedule, now):
            _begin(schedule)
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    for comparison_id in TableComparison.objects.filter(free, state=State.RUNNING).values_list("pk", flat=True):
        _dispatch(comparison_id)


def _begin(schedule: ComparisonSchedule) -> None:
    try:
        services.comparison_start_due(schedule)
    except ProblemError as problem:
        log.warning("table_comparison.refused", link_id=schedule.pk, code=problem.code, detail=problem.detail)


def _dispatch(comparison_id: str) -> None:
    try:
        go_on.apply_async(args=(comparison_id,), retry=False)
    except OperationalError as error:
        log.warning("table_comparison.dispatch_failed", comparison=comparison_id, error=str(error))

"""Dispatches runs to workers through Redis. Redis only wakes workers; no state is lost with it.

If a message is lost, `redispatch_stale` sends it again. If it arrives more than once, only the first claim succeeds.
"""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.db.models import Q
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from backend.common import heartbeats
from backend.common.priority import Priority
from backend.operations.runs import states
from backend.operations.runs.execution.claim import claimable_of
from backend.operations.runs.models import PRIORITY, Run
from backend.operations.runs.tasks import drive_run, worker_probe

log = structlog.get_logger(__name__)
REDISPATCH_AFTER = timedelta(seconds=8)
REDISPATCH_ORPHANED_AFTER = timedelta(seconds=2)
"""A run whose worker crashed has its channels stopped, so it is dispatched again more often."""
PROBE_EVERY = timedelta(seconds=15)


def dispatch_run(run_id: str) -> bool:
    """Dispatch once; False if Redis is not responding (the run stays queued and is dispatched again)."""
    try:
        drive_run.apply_async(args=(run_id,), priority=_priority_of(run_id), retry=False)
    except OperationalError as error:
        log.warning("run.dispatch_failed", run_id=run_id, error=str(error))
        return False
    return True


def with_priority(priority: Priority) -> dict[str, int]:
    """What a run that workers take at this priority has among its facts."""
    return {} if priority is Priority.OPERATORS else {PRIORITY: priority.value}


def _priority_of(run_id: str) -> int:
    stored = Run.objects.filter(pk=run_id).values_list(f"facts__{PRIORITY}", flat=True).first()
    return int(stored or Priority.OPERATORS)


def redispatch_stale() -> int:
    """Dispatch runs again that are waiting or whose worker has ended; returns how many messages were sent.

    Any number of monitors may call it: each run is taken by one of them per interval.
    """
    rung = 0
    for run_id, owner in Run.objects.filter(state__in=states.CLAIMABLE).values_list("pk", "owner"):
        after = REDISPATCH_ORPHANED_AFTER if owner else REDISPATCH_AFTER
        due = Q(dispatched_at__isnull=True) | Q(dispatched_at__lt=Now() - after)
        taken = Run.objects.filter(claimable_of(owner), due, pk=run_id, owner=owner, state__in=states.CLAIMABLE)
        if taken.update(dispatched_at=Now()):
            rung += dispatch_run(run_id)
    return rung


def probe_workers() -> None:
    """Send a probe that shows whether workers receive messages, once per 15 s over all callers."""
    if not heartbeats.is_due("worker probe", PROBE_EVERY):
        return
    try:
        worker_probe.apply_async(retry=False)
    except OperationalError as error:
        log.warning("worker.probe_failed", error=str(error))

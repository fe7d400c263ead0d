"""Dispatches rehearsals that are due to a worker through Redis.

Nothing depends on the message: one that Redis loses is dispatched again.
"""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.utils import timezone
from kombu.exceptions import OperationalError

from backend.clusters.selectors import attended_links
from backend.common import heartbeats
from backend.common.retention import delete_in_portions
from backend.operations.rehearsals.models import Rehearsal, RehearsalSchedule
from backend.operations.rehearsals.services import is_due
from backend.operations.rehearsals.tasks import rehearse

log = structlog.get_logger(__name__)
KEEP = timedelta(days=400)
DISPATCH_EVERY = timedelta(seconds=60)
"""One at a time in the whole console: a rehearsal must never block a run's worker."""


def dispatch_due() -> None:
    """Dispatch one rehearsal that is due and delete old ones; called by the monitor."""
    if heartbeats.is_due("rehearsals forget", timedelta(hours=1)):
        delete_in_portions(Rehearsal.objects.filter(at__lt=timezone.now() - KEEP))
    now = timezone.now()
    for schedule in RehearsalSchedule.objects.filter(enabled=True, link__in=attended_links(now)).order_by("pk"):
        kind = next((kind for kind in schedule.kinds if is_due(schedule, kind, now)), None)
        if kind is not None and heartbeats.is_due("rehearsals dispatch", DISPATCH_EVERY):
            _dispatch(schedule.pk, kind)
            return


def _dispatch(link_id: str, kind: str) -> None:
    try:
        rehearse.apply_async(args=(link_id, kind), retry=False)
    except OperationalError as error:
        log.warning("rehearsal.dispatch_failed", link_id=link_id, kind=kind, error=str(error))

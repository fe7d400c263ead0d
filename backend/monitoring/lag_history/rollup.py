"""Rolls the lag up to coarser resolutions and deletes what is older than its retention time.

Each pass makes whole buckets of the samples that came since the last one, a few statements for all links together, and
records how far it came in the same transaction: after a restart the next pass goes on there. A bucket is replaced as a
whole, so rolling up twice changes nothing. Nothing is deleted before it was rolled up.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final

from django.db import transaction
from django.db.models import Min, QuerySet
from django.utils import timezone

from backend.clusters.models import Link
from backend.common import heartbeats
from backend.common.transaction_retry import retry_on_rollback
from backend.monitoring.lag_history.aggregation import aggregated, rows_of
from backend.monitoring.lag_history.archives import Archive, archives, at_slot, floor_to
from backend.monitoring.models import LagBucket, LagProgress

EVERY: Final = timedelta(seconds=10)
SETTLED_AFTER: Final = timedelta(seconds=30)
"""A tick of the monitor is committed within this time of its samples."""
ROLLED_AT_ONCE: Final = 30
DELETED_AT_ONCE: Final = 120
"""The most buckets of a link and a resolution in one pass: a backlog is worked off over several passes."""
LINKS_A_STATEMENT: Final = 50
_INSERTED_AT_ONCE: Final = 500


def tick() -> None:
    """Roll up and delete, every ten seconds; called by one monitor."""
    if heartbeats.is_due("lag history", EVERY):
        roll_up(timezone.now())


@retry_on_rollback  # its buckets lock the links that monitors lock to store them
@transaction.atomic
def roll_up(now: datetime) -> None:
    """One pass over all resolutions, finest first."""
    link_ids = list(Link.objects.values_list("pk", flat=True))
    stored = archives()
    progress = _locked(stored)
    settled = now - SETTLED_AFTER
    for source, target in pairwise(stored):
        row = progress[target.width_s]
        row.rolled_until = settled = _roll(link_ids, source, target, row.rolled_until, settled)
    for archive in stored:
        row = progress[archive.width_s]
        row.kept_from = _delete_old(link_ids, archive, row.kept_from, min(now - archive.keep, settled))
    LagProgress.objects.bulk_update(progress.values(), ["rolled_until", "kept_from"])


def _locked(stored: Sequence[Archive]) -> dict[int, LagProgress]:
    """The progress of each archive, locked: two monitors do not roll up at once."""
    rows = LagProgress.objects.select_for_update().in_bulk()
    if len(rows) < len(stored):
        LagProgress.objects.bulk_create((LagProgress(pk=archive.width_s) for archive in stored), ignore_conflicts=True)
        rows = LagProgress.objects.select_for_update().in_bulk()
    return rows


def _roll(
    link_ids: list[str], source: Archive, target: Archive, rolled_until: datetime | None, settled: datetime
) -> datetime:
    """Make the next buckets of one resolution; returns until when it is complete."""
    width = timedelta(seconds=target.width_s)
    complete = floor_to(settled, target.width_s)
    begin = rolled_until or _next(link_ids, source, target, None) or complete
    # If the clock was set back, what comes now is rolled up again from here on.
    begin = min(begin, complete)
    end = min(complete, begin + ROLLED_AT_ONCE * width)
    if begin == end:
        return end
    _delete(link_ids, rows_of(target.width_s).filter(at__gte=begin, at__lt=end))
    buckets = [_bucket(target, row) for row in aggregated(link_ids, source.width_s, target.width_s, begin, end)]
    LagBucket.objects.bulk_create(buckets, batch_size=_INSERTED_AT_ONCE)
    if buckets or end == complete:
        return end
    return min(_next(link_ids, source, target, end) or complete, complete)


def _next(link_ids: list[str], source: Archive, target: Archive, since: datetime | None) -> datetime | None:
    """The next bucket that has anything in it, so that hours without samples take one pass."""
    rows = rows_of(source.width_s).filter(link_id__in=link_ids)
    if since is not None:
        rows = rows.filter(at__gte=since)
    first = rows.aggregate(at=Min("at"))["at"]
    return None if first is None else floor_to(first, target.width_s)


def _bucket(archive: Archive, row: dict[str, Any]) -> LagBucket:
    return LagBucket(width_s=archive.width_s, at=at_slot(row.pop("slot"), archive.width_s), **row)


def _delete_old(link_ids: list[str], archive: Archive, kept_from: datetime | None, before: datetime) -> datetime:
    """Delete the next rows that are too old; after a change of the retention time, over several passes."""
    rows = rows_of(archive.width_s).filter(link_id__in=link_ids)
    begin = kept_from or rows.aggregate(at=Min("at"))["at"] or before
    end = min(before, begin + DELETED_AT_ONCE * timedelta(seconds=archive.width_s))
    if end != kept_from:
        _delete(link_ids, rows_of(archive.width_s).filter(at__lt=end))
    return end


def _delete(link_ids: list[str], rows: QuerySet[Any, Any]) -> None:
    """A few links in a statement: with the bounds above it deletes a bounded number of rows."""
    for first in range(0, len(link_ids), LINKS_A_STATEMENT):
        rows.filter(link_id__in=link_ids[first : first + LINKS_A_STATEMENT]).delete()

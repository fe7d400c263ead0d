"""Stored periods of a link's proof, one after the other until now."""

from __future__ import annotations

from datetime import datetime, timedelta

from backend.clusters.models import Cluster, Link
from backend.monitoring.models import ProofPeriod

Part = tuple[str, float]
"""Cause, empty where it was proven, and seconds."""


def store_periods(link: Link, receiving: Cluster, until: datetime, *parts: Part) -> datetime:
    """Store these, oldest first, the last of which was last shown at `until`; the link is a month old then.

    Returns when the first one began.
    """
    Link.objects.filter(pk=link.pk).update(created_at=until - timedelta(days=30))
    link.refresh_from_db()
    source = link.standby_cluster if receiving == link.active_cluster else link.active_cluster
    began = first = until - timedelta(seconds=sum(seconds for _, seconds in parts))
    for index, (cause, seconds) in enumerate(parts, 1):
        ended = began + timedelta(seconds=seconds)
        ProofPeriod.objects.create(
            link=link,
            source_cluster=source,
            receiving_cluster=receiving,
            cause=cause,
            began_at=began,
            ended_at=ended,
            transactions=0 if cause else 100,
            compared=0 if cause else 40,
            is_latest=True if index == len(parts) else None,
        )
        began = ended
    return first

"""Heartbeats: each process writes its own, and `/readyz` reads all of them."""

from __future__ import annotations

import os
import socket
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from backend.common.models import ProcessHeartbeat

KEEP = timedelta(hours=1)


def instance_name() -> str:
    """The name of this process among all of its kind."""
    return f"{socket.gethostname()}:{os.getpid()}"


def record_heartbeat(kind: str, instance: str | None = None) -> None:
    """Record that this process has just done its work."""
    now = timezone.now()
    ProcessHeartbeat.objects.update_or_create(
        kind=kind, instance=instance or instance_name(), defaults={"seen_at": now}
    )
    ProcessHeartbeat.objects.exclude(kind="job").filter(seen_at__lt=now - KEEP).delete()


def last_seen(kind: str) -> datetime | None:
    """Time of the newest heartbeat of any process of that kind."""
    seen: datetime | None = ProcessHeartbeat.objects.filter(kind=kind).aggregate(at=Max("seen_at"))["at"]
    return seen


def is_due(job: str, every: timedelta) -> bool:
    """Whether a periodic job is due; true for exactly one process per interval."""
    now = timezone.now()
    rows = ProcessHeartbeat.objects.filter(kind="job", instance=job)
    if rows.filter(seen_at__lt=now - every).update(seen_at=now):
        return True
    _, fresh = ProcessHeartbeat.objects.get_or_create(kind="job", instance=job, defaults={"seen_at": now})
    return fresh

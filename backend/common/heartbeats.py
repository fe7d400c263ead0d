"""Heartbeats: each process writes its own, and `/readyz` reads all of them. All by the database's clock."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

from django.db.models import Max, Q
from django.db.models.functions import Now

from backend.common import database_clock
from backend.common.models import ProcessHeartbeat

KEEP = timedelta(hours=1)
ALIVE = timedelta(seconds=20)
"""A process that wrote within this time is there; monitors write every 2 s, workers every 5 s."""


def instance_name() -> str:
    """The name of this process among all of its kind."""
    return f"{socket.gethostname()}:{os.getpid()}"


def record_heartbeat(kind: str, instance: str | None = None) -> float:
    """Record that this process has just done its work; returns how much its clock is ahead of the database's."""
    offset_s = database_clock.offset_s()
    ProcessHeartbeat.objects.update_or_create(
        kind=kind, instance=instance or instance_name(), defaults={"seen_at": Now(), "clock_offset_s": offset_s}
    )
    ProcessHeartbeat.objects.exclude(kind="job").filter(seen_at__lt=Now() - KEEP).delete()
    return offset_s


def silence(kind: str) -> timedelta | None:
    """Time since the newest heartbeat of any process of that kind; None where there never was one."""
    seen = ProcessHeartbeat.objects.filter(kind=kind).aggregate(at=Max("seen_at"))["at"]
    return None if seen is None else database_clock.now() - seen


def clock_offsets() -> dict[tuple[str, str], float]:
    """Of each process that is there, by kind and instance, how much its clock is ahead of the database's."""
    rows = ProcessHeartbeat.objects.filter(seen_at__gt=Now() - ALIVE, clock_offset_s__isnull=False)
    # A worker that received a message is the process that also writes for its health check.
    known = rows.exclude(kind__in=("job", "worker")).values_list("kind", "instance", "clock_offset_s")
    return {(kind, instance): float(offset_s or 0.0) for kind, instance, offset_s in known}


def another_is_on_time(kind: str, instance: str) -> bool:
    """Whether another process of that kind is there whose clock is right."""
    offsets = [by_s for (its, name), by_s in clock_offsets().items() if its == kind and name != instance]
    return any(not database_clock.is_wrong(by_s) for by_s in offsets)


def is_due(job: str, every: timedelta) -> bool:
    """Whether a periodic job is due; true for exactly one process per interval."""
    rows = ProcessHeartbeat.objects.filter(kind="job", instance=job)
    # What lies in the future was stored before the clock was set back: it must not hold the job up until then.
    if rows.filter(Q(seen_at__lt=Now() - every) | Q(seen_at__gt=Now() + every)).update(seen_at=Now()):
        return True
    _, fresh = ProcessHeartbeat.objects.get_or_create(kind="job", instance=job, defaults={"seen_at": Now()})
    return fresh


def make_due(job: str) -> None:
    """A job that was due and could not be done is due again, for whichever process asks first."""
    ProcessHeartbeat.objects.filter(kind="job", instance=job).delete()

"""State of each component of Hawser. Each one is checked, none is assumed."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models.functions import Now

from backend.audit import guard
from backend.audit.chain import time_text
from backend.audit.verification import checkpoints
from backend.common import database_clock, heartbeats, unfinished_restore
from backend.core.plural import pluralize
from backend.monitoring.models import MonitorLease
from backend.monitoring.ownership.shares import clusters_without_owner
from backend.operations.runs.models import Run

WORKER_SILENT = timedelta(seconds=45)
UNOWNED = timedelta(seconds=10)
"""A cluster moves to another monitor in less."""
Part = dict[str, Any]
_redis_lock = threading.Lock()
_redis_last: Part = {"ok": False, "detail": "not asked yet"}


def readiness() -> dict[str, Any]:
    """`unavailable` without the database, `degraded` without any other component."""
    database = _database()
    unknown = {"ok": False, "detail": "unknown while Hawser's database is not responding"}
    parts = {
        "database": database,
        "redis": _redis(),
        "workers": _workers() if database["ok"] else unknown,
        "monitor": _monitor() if database["ok"] else unknown,
        "audit": _audit() if database["ok"] else unknown,
        "clock": _clock() if database["ok"] else unknown,
    }
    if not database["ok"]:
        return {"status": "unavailable", "parts": parts}
    whole = all(part["ok"] for part in parts.values())
    return {"status": "ready" if whole else "degraded", "parts": parts}


def _database() -> Part:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except DatabaseError as error:
        return {"ok": False, "detail": type(error).__name__}
    if why := unfinished_restore.refusal():
        return {"ok": False, "detail": why}
    return {"ok": True, "detail": connection.vendor}


def _redis() -> Part:
    """Asked by one thread at a time: while that one waits, the others tell what the last one was answered."""
    if not _redis_lock.acquire(blocking=False):
        return dict(_redis_last)
    try:
        _redis_last.update(_asked_redis())
        return dict(_redis_last)
    finally:
        _redis_lock.release()


def _asked_redis() -> Part:
    client = redis.Redis.from_url(settings.HAWSER_REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    try:
        client.zrem("unacked_index", "")  # removes nothing; a replica answers a ping, and refuses this
    except redis.RedisError as error:
        return {
            "ok": False,
            "detail": f"{type(error).__name__}: workers are not woken; queued runs wait until Redis is back",
        }
    finally:
        client.close()
    return {"ok": True, "detail": "answers"}


def _workers() -> Part:
    if Run.objects.filter(lease_until__gt=Now()).exists():
        return {"ok": True, "detail": "a worker is executing a run"}
    age = heartbeats.silence("worker")
    if age is None:
        return {"ok": False, "detail": "no worker has ever written a heartbeat"}
    return {"ok": abs(age) < WORKER_SILENT, "detail": f"received a message {age.total_seconds():.0f} s ago"}


def _monitor() -> Part:
    holder = MonitorLease.objects.filter(until__gt=Now()).first()
    if holder is None:
        return {"ok": False, "detail": "No monitor is running; displayed data is out of date."}
    if unowned := clusters_without_owner(for_at_least=UNOWNED):
        return {
            "ok": False,
            "detail": f"No monitor polls {pluralize(unowned, 'cluster')}; its displayed data is out of date.",
        }
    return {"ok": True, "detail": holder.holder}


def _audit() -> Part:
    """The result of the last verifications; nothing is verified here."""
    verified = checkpoints.genuine(checkpoints.VERIFIED)
    if found := checkpoints.damage_of(verified):
        return {"ok": False, "detail": f"the audit log is damaged: {found.reason.value}"}
    if guard.unguarded(connection):
        return {"ok": False, "detail": "the triggers of the audit log are missing: run hawser_audit restore-triggers"}
    finished_at = verified.finished_at if verified else None
    return {"ok": True, "detail": f"verified at {time_text(finished_at)}" if finished_at else "not yet verified"}


def clock_offsets() -> dict[tuple[str, str], float]:
    """Of this web process, each worker and each monitor, how much its clock is ahead of the database's."""
    return {("web", heartbeats.instance_name()): database_clock.offset_s()} | heartbeats.clock_offsets()


def _clock() -> Part:
    wrong = {which: by_s for which, by_s in clock_offsets().items() if database_clock.is_wrong(by_s)}
    if not wrong:
        return {"ok": True, "detail": "all processes agree with the database"}
    named = [f"{kind} {name} is {abs(by_s):.0f} s {_direction(by_s)}" for (kind, name), by_s in sorted(wrong.items())]
    return {"ok": False, "detail": f"clocks differ from the database's: {', '.join(named)}; synchronize them"}


def _direction(by_s: float) -> str:
    return "ahead" if by_s > 0 else "behind"

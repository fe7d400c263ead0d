"""A worker that takes no messages any more ends itself; what supervises it starts it anew.

Workers have gone deaf behind a reconnect to Redis while everything else about them looked well.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

import redis
import structlog
from celery.worker import state
from django.conf import settings
from django.db import DatabaseError, connection

from backend.common.heartbeats import record_heartbeat

log = structlog.get_logger(__name__)
UNRESPONSIVE_AFTER_S = 60.0
CHECK_EVERY_S = 5.0
PROCESS = "worker process"
"""The kind of sign of life that says: it runs, and its watchdog found nothing. "worker" says: it took a message."""


class BrokerWatchdog:
    """Since when messages wait for a worker that has nothing to do."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting_since: float | None = None

    def is_unresponsive(self, *, waiting: int, is_busy: bool) -> bool:
        """One look: whether every look for so long found messages waiting and the worker idle."""
        if not waiting or is_busy:
            self._waiting_since = None
            return False
        if self._waiting_since is None:
            self._waiting_since = self._clock()
        return self._clock() - self._waiting_since >= UNRESPONSIVE_AFTER_S


def waiting_messages() -> int:
    """Messages that no worker took; none are known where Redis does not answer."""
    client = redis.Redis.from_url(settings.HAWSER_REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    try:
        return int(client.llen(settings.CELERY_TASK_DEFAULT_QUEUE))
    except redis.RedisError:
        return 0
    finally:
        client.close()


def start() -> None:
    """Look now and then, beside the worker's own loop, which may be what hangs."""
    threading.Thread(target=_look_on, daemon=True, name="hearing").start()


def show_life() -> None:
    """A row of this very process for health checks; a database that does not answer leaves it to grow old."""
    try:
        record_heartbeat(PROCESS)
    except DatabaseError as error:
        log.warning("worker.heartbeat_failed", error=str(error))
    finally:
        connection.close()


def _look_on() -> None:
    watchdog = BrokerWatchdog()
    while True:
        show_life()
        time.sleep(CHECK_EVERY_S)
        if watchdog.is_unresponsive(waiting=waiting_messages(), is_busy=bool(state.reserved_requests)):
            log.error("worker.unresponsive", detail="messages wait, this worker is idle and takes none: it ends")
            os._exit(os.EX_TEMPFAIL)  # nothing is under way, and a loop that hangs hears no signal either

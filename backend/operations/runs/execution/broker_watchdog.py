"""A worker that receives no messages although some are waiting exits, and its supervisor restarts it.

Observed: after a reconnect to Redis a worker received no messages, while everything else of it worked.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

import structlog
from celery.worker import state
from django.db import DatabaseError, connection

from backend.common.broker_queue import waiting_messages
from backend.common.heartbeats import record_heartbeat

log = structlog.get_logger(__name__)
UNRESPONSIVE_AFTER_S = 60.0
CHECK_EVERY_S = 5.0
PROCESS = "worker process"
"""Kind of heartbeat of a worker whose watchdog found nothing. The kind "worker" means that it received a message."""


class BrokerWatchdog:
    """Since when messages have been waiting while this worker was idle."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting_since: float | None = None

    def is_unresponsive(self, *, waiting: int, is_busy: bool) -> bool:
        """Check once: True if every check for that long found messages waiting and the worker idle."""
        if not waiting or is_busy:
            self._waiting_since = None
            return False
        if self._waiting_since is None:
            self._waiting_since = self._clock()
        return self._clock() - self._waiting_since >= UNRESPONSIVE_AFTER_S


def start() -> None:
    """Check periodically in a thread of its own, because the worker's loop may be what hangs."""
    threading.Thread(target=_look_on, daemon=True, name="hearing").start()


def show_life() -> None:
    """Write the heartbeat of this process for health checks; if the database is not responding, the old one stays."""
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
        if watchdog.is_unresponsive(waiting=waiting_messages() or 0, is_busy=bool(state.reserved_requests)):
            log.error("worker.unresponsive", detail="messages are waiting and this idle worker receives none: it exits")
            os._exit(os.EX_TEMPFAIL)  # nothing is in progress, and a hung loop does not react to a signal either

"""Calls that other rooms want made now and then, beside the polling so that they cannot delay it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog
from django.conf import settings
from django.db import close_old_connections
from django.utils.module_loading import import_string

log = structlog.get_logger(__name__)
EVERY_S = 5.0


class PeriodicJobs:
    """Calls each name in HAWSER_PERIODIC_JOBS about every five seconds while `is_wanted`."""

    def __init__(self, is_wanted: Callable[[], bool], stop: threading.Event) -> None:
        self._is_wanted = is_wanted
        self._stop = stop
        self._thread = threading.Thread(target=self._work, daemon=True, name="outside-ticks")

    def start(self) -> None:
        """Begin; the thread ends with the process."""
        self._thread.start()

    def _work(self) -> None:
        while not self._stop.wait(EVERY_S):
            if self._is_wanted():
                for name in settings.HAWSER_PERIODIC_JOBS:
                    self._call(name)

    def _call(self, name: str) -> None:
        close_old_connections()
        try:
            import_string(name)()
        except Exception:
            log.exception("monitor.outside_tick_failed", name=name)
        finally:
            close_old_connections()

"""Runs other packages' periodic jobs in a thread of their own, so that they cannot delay the polling."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import structlog
from django.db import close_old_connections
from django.utils.module_loading import import_string

log = structlog.get_logger(__name__)


class PeriodicJobs:
    """Calls each of `names` about every `every_s` seconds while `is_wanted`, and at once on request."""

    def __init__(
        self, names: Sequence[str], every_s: float, is_wanted: Callable[[], bool], stop: threading.Event
    ) -> None:
        self._names = names
        self._is_wanted = is_wanted
        self._stop = stop
        self._every_s = every_s
        self._asked = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True, name="outside-ticks")

    def start(self) -> None:
        """Start the thread, which ends with the process."""
        self._thread.start()

    def run_soon(self) -> None:
        """Call the jobs now, or again after the current call."""
        self._asked.set()

    def _work(self) -> None:
        while not self._stop.is_set():
            self._asked.wait(self._every_s)
            self._asked.clear()
            if self._is_wanted() and not self._stop.is_set():
                for name in self._names:
                    self._call(name)

    def _call(self, name: str) -> None:
        close_old_connections()
        try:
            import_string(name)()
        except Exception:
            log.exception("monitor.outside_tick_failed", name=name)
        finally:
            close_old_connections()

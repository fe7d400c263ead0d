"""Responses that could not be stored under their keys because the console's database was lost meanwhile.

The client gets its response all the same. What was to be stored waits in this process until the database answers: else
a repeated call would be told for two minutes that its first call is in progress, and then be carried out a second time.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog
from django.db import InterfaceError, OperationalError, connection

from backend.common.models import IdempotencyRecord

log = structlog.get_logger(__name__)
AWAY: Final = (OperationalError, InterfaceError)
TRY_EVERY_S: Final = 0.5
MOST: Final = 1000
"""Responses of a process that wait; the oldest are given up beyond that."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What becomes of a claimed key: `values` are stored, None releases it. A key taken over since is left alone.

    The claim is named by its caller, key and owner, which is another one for each claim: whether its record was stored
    may be unknown.
    """

    caller: str
    key: str
    owner: str
    values: Mapping[str, Any] | None

    def store(self) -> bool:
        """Write it, and return whether the claim was still there. Raises one of AWAY while the database is away."""
        rows = IdempotencyRecord.objects.filter(caller=self.caller, key=self.key, owner=self.owner, status=None)
        if self.values is None:
            return bool(rows.delete()[0])
        return bool(rows.update(**self.values))


class UnstoredResponses:
    """Those of this process, oldest first."""

    def __init__(self) -> None:
        self._waiting: deque[Ending] = deque(maxlen=MOST)
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def add(self, ending: Ending) -> None:
        """Try again from now on, in a thread of its own."""
        with self._lock:
            self._waiting.append(ending)
            self._start_timer()

    def flush(self) -> None:
        """Store what waits, until one cannot be stored."""
        while self._waiting:
            try:
                self._waiting[0].store()
            except AWAY as error:
                log.warning("idempotency.not_stored", waiting=len(self._waiting), error=type(error).__name__)
                return
            with self._lock:
                self._waiting.popleft()

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(TRY_EVERY_S, self._on_time)
            self._timer.daemon = True
            self._timer.start()

    def _on_time(self) -> None:
        try:
            self.flush()
        finally:
            connection.close()
            with self._lock:
                self._timer = None
                if self._waiting:
                    self._start_timer()


unstored = UnstoredResponses()

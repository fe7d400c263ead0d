"""Aggregates refusals that a caller can cause at any rate: one audit record per minute for many of a kind.

Counts wait in this process for up to `HAWSER_AUDIT_FOLD_S`; a clean shutdown writes them. Their number is limited:
beyond `MAX_KEYS` kinds in a window, more of them are counted by actor only.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from backend.audit import services as audit
from backend.audit.chain import time_text
from backend.common.request_context import RequestContext, current

MAX_KEYS: Final = 50
MAX_CALLS: Final = 5
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Kind:
    """The key under which refusals are counted together."""

    action: str
    actor: str
    target: str = ""
    source_ip: str = ""
    facts: tuple[tuple[str, Any], ...] = ()


@dataclass(slots=True)
class _Counted:
    """Refusals of one kind since their last record."""

    request_id: str
    first_at: datetime
    last_at: datetime
    count: int = 1
    calls: set[str] = field(default_factory=set)


class Aggregator:
    """Counts refusals by kind and writes one record per kind and window."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._counted: dict[Kind, _Counted] = {}
        self._timer: threading.Timer | None = None

    def add(self, *, action: str, actor: str, target: str = "", call: str = "", **facts: Any) -> None:
        """Count one refusal of the current request; `call` is its method and route."""
        context, now = current.get(), timezone.now()
        kind = Kind(action, actor, target[:200], context.source_ip, tuple(sorted(facts.items())))
        with self._lock:
            self._merge(kind, _Counted(context.request_id, now, now, calls={call} if call else set()))
            self._start_timer()

    def flush(self) -> None:
        """Write the counts; what the database does not accept is kept for the next time."""
        with self._writing:
            counted = self._take()
            while counted:
                kind, entry = next(iter(counted.items()))
                try:
                    _write(kind, entry)
                except Error as error:
                    log.warning("audit.aggregate_waits", kinds=len(counted), error=type(error).__name__)
                    self._put_back(counted)
                    return
                del counted[kind]

    def discard(self) -> None:
        """Clear the counts (between two tests)."""
        self._take()

    def _take(self) -> dict[Kind, _Counted]:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            counted, self._counted, self._timer = self._counted, {}, None
        return counted

    def _put_back(self, counted: Mapping[Kind, _Counted]) -> None:
        with self._lock:
            for kind, entry in counted.items():
                self._merge(kind, entry)
            self._start_timer()

    def _merge(self, kind: Kind, entry: _Counted) -> None:
        if kind not in self._counted and len(self._counted) >= MAX_KEYS:
            kind = Kind(kind.action, kind.actor)
        known = self._counted.setdefault(kind, entry)
        if known is entry:
            return
        known.count += entry.count
        known.first_at, known.last_at = min(known.first_at, entry.first_at), max(known.last_at, entry.last_at)
        known.calls = set(sorted(known.calls | entry.calls)[:MAX_CALLS])

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(settings.HAWSER_AUDIT_FOLD_S, self._on_time)
            self._timer.daemon = True
            self._timer.start()

    def _on_time(self) -> None:
        try:
            self.flush()
        finally:
            connection.close()


def _write(kind: Kind, counted: _Counted) -> None:
    times = {"first_at": time_text(counted.first_at), "last_at": time_text(counted.last_at)}
    calls = {"calls": sorted(counted.calls)} if counted.calls else {}
    before = current.set(RequestContext(request_id=counted.request_id, source_ip=kind.source_ip))
    try:
        audit.record(
            actor=kind.actor,
            action=kind.action,
            target=kind.target,
            facts={**dict(kind.facts), "count": counted.count, **times, **calls},
        )
    finally:
        current.reset(before)


refusals = Aggregator()

"""The clock of the console's database: what several processes must agree on is timed by it, not by their own."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Final

from django.db import connection
from django.utils import timezone

MAX_OFFSET_S: Final = 5.0
"""A process whose clock differs by more is reported; plans, sessions and samples carry its times."""


def now() -> datetime:
    """The database's time; SQLite has that of this host."""
    if connection.vendor == "sqlite":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT UTC_TIMESTAMP(6)")
        result: datetime = cursor.fetchone()[0]
    return result.replace(tzinfo=UTC)


def offset_s() -> float:
    """How much this process's clock is ahead, or behind where negative: only what the round trip cannot explain."""
    before, started = time.time(), time.monotonic()
    database_s = now().timestamp()
    half = (time.monotonic() - started) / 2
    differs = before + half - database_s
    return max(0.0, differs - half) if differs > 0 else min(0.0, differs + half)


def is_wrong(by_s: float | None) -> bool:
    """Whether a process with this offset is to be reported; one that was not measured is not."""
    return by_s is not None and abs(by_s) > MAX_OFFSET_S

"""A process whose clock differs from its database's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from backend.common import database_clock


def skewed(monkeypatch: pytest.MonkeyPatch, ahead: timedelta) -> None:
    """This process is ahead from now on, by as much behind where negative; the database has the right time."""
    monkeypatch.setattr(database_clock, "now", lambda: datetime.now(UTC))
    monkeypatch.setattr(timezone, "now", lambda: datetime.now(UTC) + ahead)

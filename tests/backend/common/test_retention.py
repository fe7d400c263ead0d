"""Rows whose time is over go in bounded statements, and everything that deletes by age goes that way."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.common import retention
from backend.common.events.models import Event, EventType
from backend.common.events.services import KEEP_SIGNALS, forget_old
from backend.monitoring import retention as retention_of_monitoring
from backend.monitoring.models import MonitorProcess

BACKEND = Path(__file__).parents[3] / "backend"
SMALL = ("heartbeats.py", "leases.py", "rollup.py")
"""A row for each process; the rows of some links within a bounded time."""
pytestmark = pytest.mark.django_db


def store(count: int, age: timedelta) -> None:
    """Signals of that age."""
    at = timezone.now() - age
    Event.objects.bulk_create(Event(type=EventType.LINK_UPDATED, at=at, data={}) for _ in range(count))


def test_forget_old__more_than_a_statement__bounded_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "ROWS_A_STATEMENT", 4)
    store(10, KEEP_SIGNALS * 2)
    store(3, timedelta())
    with CaptureQueriesContext(connection) as asked:
        assert forget_old() == 10
    deletes = [one["sql"] for one in asked if one["sql"].startswith("DELETE")]
    assert [len(re.findall(r"\d+", sql.split(" IN (")[1].split(")")[0])) for sql in deletes] == [4, 4, 2]
    assert Event.objects.count() == 3


def test_delete_in_portions__more_than_a_call__the_next_call_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "ROWS_A_STATEMENT", 2)
    monkeypatch.setattr(retention, "ROWS_A_CALL", 4)
    store(5, timedelta())
    assert [retention.delete_in_portions(Event.objects.all()) for _ in range(3)] == [4, 1, 0]


def test_deletes_by_age__in_the_whole_console__in_portions() -> None:
    by_age = re.compile(r"__lte?=[^\n]*\)\.delete\(\)")
    found = [path for path in BACKEND.rglob("*.py") if by_age.search(path.read_text()) and path.name not in SMALL]
    assert found == [], "use delete_in_portions"


def test_tick__monitor_that_ended_long_ago__its_lease_is_forgotten() -> None:
    MonitorProcess.objects.create(name="ended", until=Now() - timedelta(days=1))
    retention_of_monitoring.tick()
    assert not MonitorProcess.objects.exists()

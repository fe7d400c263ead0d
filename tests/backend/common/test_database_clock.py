"""Times that several processes must agree on are the database's; a process whose clock differs is named."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from backend.clusters.models import Cluster
from backend.common import database_clock, heartbeats
from backend.common.models import ProcessHeartbeat
from backend.monitoring import monitor as monitor_module
from backend.monitoring.models import ClusterOwner, MonitorLease
from backend.monitoring.monitor import Monitor
from backend.monitoring.ownership import leases
from tests.support.clock import skewed, stop_clock

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(("behind_s", "expected"), [(3600, 3600), (-3600, -3600), (0, 0)])
def test_offset__database_behind_ahead_or_equal__told(
    db: None, monkeypatch: pytest.MonkeyPatch, behind_s: int, expected: int
) -> None:
    clock = stop_clock(monkeypatch, database_clock)
    monkeypatch.setattr(database_clock, "now", lambda: datetime.fromtimestamp(clock.now_s - behind_s, UTC))
    assert database_clock.offset_s() == expected


def test_offset__a_slow_answer__is_no_difference_of_clocks(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = stop_clock(monkeypatch, database_clock)

    def answer() -> datetime:
        at = datetime.fromtimestamp(clock.now_s, UTC)
        clock.now_s += 30
        return at

    monkeypatch.setattr(database_clock, "now", answer)
    assert database_clock.offset_s() == 0


def test_now__of_the_database__has_a_zone_and_is_now(db: None) -> None:
    before = datetime.now(UTC)
    assert before <= database_clock.now() <= datetime.now(UTC)


@pytest.mark.parametrize(("by_s", "expected"), [(3600.0, "3600 s ahead"), (-3600.0, "3600 s behind")])
def test_readyz__a_process_with_another_time__degraded_and_named(db: None, by_s: float, expected: str) -> None:
    heartbeats.record_heartbeat("monitor", "host-2:7")
    assert _clock() == {"ok": True, "detail": "all processes agree with the database"}
    ProcessHeartbeat.objects.update(clock_offset_s=by_s)
    assert _clock()["ok"] is False
    assert f"monitor host-2:7 is {expected}" in _clock()["detail"]


def test_readyz__the_process_has_ended__its_clock_is_forgotten(db: None) -> None:
    heartbeats.record_heartbeat("monitor", "host-2:7")
    ProcessHeartbeat.objects.update(clock_offset_s=3600.0, seen_at=database_clock.now() - heartbeats.ALIVE * 2)
    assert _clock()["ok"] is True


def test_metrics__clock__of_each_process(db: None, settings: Any) -> None:
    settings.HAWSER_METRICS_PUBLIC = True
    heartbeats.record_heartbeat("monitor", "host-2:7")
    ProcessHeartbeat.objects.update(clock_offset_s=-90.0)
    text = Client().get("/metrics").content.decode()
    assert 'hawser_clock_offset_seconds{instance="host-2:7",kind="monitor"} -90.0' in text
    assert 'kind="web"' in text


def test_job__recorded_in_the_future__is_not_held_up_until_then(db: None) -> None:
    assert heartbeats.is_due("x", HOUR)
    ProcessHeartbeat.objects.update(seen_at=database_clock.now() + 3 * HOUR)
    assert heartbeats.is_due("x", HOUR)
    assert not heartbeats.is_due("x", HOUR)


def test_heartbeat__of_a_process_an_hour_ahead__keeps_those_of_others(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeats.record_heartbeat("worker", "host-1:7")
    skewed(monkeypatch, 2 * HOUR)
    heartbeats.record_heartbeat("worker", "host-2:7")
    assert ProcessHeartbeat.objects.filter(instance="host-1:7").exists()


@pytest.mark.parametrize(("another_by_s", "writes"), [(0.0, False), (3600.0, True), (None, True)])
def test_monitor__its_clock_is_wrong__leaves_its_leases_to_one_that_is_right(
    db: None, monkeypatch: pytest.MonkeyPatch, another_by_s: float | None, writes: bool
) -> None:
    Cluster.objects.create(name="pair-a", site="a")
    # The test's own connection stays, and may be idle for as long as before.
    monkeypatch.setattr(monitor_module, "close_old_connections", lambda: None)
    monkeypatch.setattr(leases, "limit_frozen_transactions", lambda: None)
    monkeypatch.setattr(Monitor, "_set_nodes", lambda _: None)
    monitor = Monitor(threading.Event())
    monitor._refresh_inventory()
    monitor._lead()
    assert (MonitorLease.objects.exists(), bool(monitor._owner.owned)) == (True, True)
    if another_by_s is not None:
        heartbeats.record_heartbeat("monitor", "another:7")
        ProcessHeartbeat.objects.filter(instance="another:7").update(clock_offset_s=another_by_s)
    monitor._clock_offset_s = 3600.0
    monitor._keep_leases()
    monitor._lead()
    assert (MonitorLease.objects.exists(), bool(monitor._owner.owned), monitor._is_leader) == (writes, writes, writes)
    assert ClusterOwner.objects.exclude(holder="").exists() is writes


def _clock() -> dict[str, Any]:
    part: dict[str, Any] = Client().get("/readyz").json()["parts"]["clock"]
    return part

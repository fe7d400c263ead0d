"""Readings of write-set counters, what is kept of them, and the alarm of a node that may not be away for long."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from backend.clusters.models import Link
from backend.core.topology import NodeFacts, WriteSetCounters
from backend.monitoring.models import AbsenceAlarm, WriteSetReading
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.times import from_unix
from backend.monitoring.write_sets.alarm import raise_and_clear
from backend.monitoring.write_sets.readings import last_positions, store_readings, week_of
from tests.monitoring.facts import NOW, gone, up, with_wsrep
from tests.monitoring.ticks import raised_kinds

A_NODES = ("a1", "a2", "a3")


def counted(name: str, minute: float, *, sets_per_minute: int = 60, size: str = "64K") -> NodeFacts:
    """A member that replicated this many sets of 1,000 bytes in each minute; its gcache took the last of them."""
    sets = int(minute * sets_per_minute)
    counters = WriteSetCounters(sets, sets * 1_000, 0, 0)
    node = with_wsrep(up(name), write_sets=counters, cached_downto=max(1, 500 + sets - 60), last_committed=500 + sets)
    return replace(node, observed_at_s=NOW + minute * 60, variables={**node.variables, "gcache.size": size})


def minutes(count: int, **changes: Any) -> None:
    """Readings of a milan of three members, once a minute."""
    for minute in range(count):
        now = from_unix(NOW + minute * 60)
        nodes = [counted(name, minute, **changes) for name in A_NODES]
        store_readings(nodes, now)
    store_nodes({node.node.id: node for node in nodes}, now)


def test_readings__a_synced_node__once_for_each_poll(stored_link: Link) -> None:
    node = counted("a1", 1)
    for _ in range(2):
        store_readings([node, gone("a2"), with_wsrep(counted("a3", 1), local_state=2)], from_unix(NOW))
    assert list(WriteSetReading.objects.values_list("node_id", "seqno", "is_hourly")) == [("n_a1", 560, True)]


def test_readings__no_counters_reported__none(stored_link: Link) -> None:
    store_readings([up("a1")], from_unix(NOW))
    assert not WriteSetReading.objects.exists()


def test_readings__age__each_hour_is_thinned_and_the_newest_stays(stored_link: Link) -> None:
    for minute in (0, 1, 2, 61, 62):
        store_readings([counted("a1", minute)], from_unix(NOW + minute * 60))
    store_readings([counted("a2", 62)], from_unix(NOW + 20 * 3600))
    stored = WriteSetReading.objects.filter(node_id="n_a1").values_list("seqno", flat=True)
    assert list(stored) == [500, 500 + 61 * 60, 500 + 62 * 60]
    store_readings([], from_unix(NOW) + timedelta(days=9))
    assert last_positions(["n_a1"])["n_a1"].seqno == 500 + 62 * 60


def test_readings__week__in_order_by_node(stored_link: Link) -> None:
    minutes(3)
    found = week_of(["n_a1"], from_unix(NOW + 180))
    assert [one.write_sets for one in found["n_a1"]] == [0, 60, 120]


@pytest.mark.usefixtures("stored_link")
def test_alarm__below_the_threshold__raised_once_and_cleared_once() -> None:
    minutes(12)
    now = from_unix(NOW + 11 * 60)
    raise_and_clear(now)
    raise_and_clear(now)
    assert raised_kinds() == ["node.absence_short"] * 3
    assert set(AbsenceAlarm.objects.values_list("node_id", flat=True)) == {"n_a1", "n_a2", "n_a3"}
    larger = {f"n_{name}": counted(name, 11, size="1G") for name in A_NODES}
    store_nodes(larger, now)
    raise_and_clear(now)
    assert raised_kinds() == ["node.absence_short"] * 3 + ["node.absence_ample"] * 3
    assert not AbsenceAlarm.objects.exists()


@pytest.mark.usefixtures("stored_link")
def test_alarm__nothing_counted__none() -> None:
    store_nodes({"n_a1": up("a1")}, from_unix(NOW))
    raise_and_clear(from_unix(NOW))
    assert raised_kinds() == []


@pytest.mark.usefixtures("stored_link")
def test_alarm__switched_off__none(settings: Any) -> None:
    settings.HAWSER_ABSENCE_ALARM_MINUTES = 0
    minutes(12)
    raise_and_clear(from_unix(NOW + 11 * 60))
    assert raised_kinds() == []

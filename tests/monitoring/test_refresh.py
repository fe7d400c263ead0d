"""A run stores the link as it leaves it: the answer after its end shows what it changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.core.topology import NodeFacts, Reach
from backend.monitoring.models import LagSample, LinkStatus, NodeState, UnsafePeriod
from backend.monitoring.recording.links import refresh_link, store_link
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.times import from_unix
from tests.monitoring.facts import link

pytestmark = pytest.mark.django_db


def polled(at_s: float, *, lost: str = "") -> dict[str, NodeFacts]:
    """All nodes as polled at that time, one of them down."""
    nodes = [replace(node, observed_at_s=at_s) for node in link(None).nodes]
    return {n.node.id: replace(n, reach=Reach.DOWN) if n.node.id == lost else n for n in nodes}


def tick(stored: Link, facts: dict[str, NodeFacts], at_s: float) -> None:
    store_nodes(facts, from_unix(at_s))
    store_link(stored, facts, {}, from_unix(at_s))


def state() -> str:
    return LinkStatus.objects.get().state


@pytest.fixture
def refreshed_at_s(stored_link: Link) -> float:
    """A broken link that a run mended, and when it said so."""
    now_s = timezone.now().timestamp()
    tick(stored_link, polled(now_s - 1, lost="n_a1"), now_s - 1)
    assert state() == "broken"
    refresh_link(stored_link.id, polled(now_s))
    refreshed_at = LinkStatus.objects.get().refreshed_at
    assert refreshed_at is not None
    return refreshed_at.timestamp()


def test_refresh__at_the_end_of_a_run__shown_at_once_without_a_sample(refreshed_at_s: float) -> None:
    assert refreshed_at_s
    assert state() == "protected"
    assert NodeState.objects.get(pk="n_a1").reach == "up"
    assert LagSample.objects.count() == 1


def test_tick__polled_before_the_run_looked__changes_nothing(stored_link: Link, refreshed_at_s: float) -> None:
    tick(stored_link, polled(refreshed_at_s - 0.5, lost="n_a1"), refreshed_at_s + 0.3)
    assert state() == "protected"
    assert NodeState.objects.get(pk="n_a1").reach == "up"


def test_tick__polled_after_it__stored(stored_link: Link, refreshed_at_s: float) -> None:
    tick(stored_link, polled(refreshed_at_s + 0.5, lost="n_a1"), refreshed_at_s + 1)
    assert state() == "broken"
    assert LagSample.objects.count() == 2


def test_tick__of_a_monitor_whose_clock_is_behind__stored_after_some_seconds(
    stored_link: Link, refreshed_at_s: float
) -> None:
    tick(stored_link, polled(refreshed_at_s - 0.5, lost="n_a1"), refreshed_at_s + 6)
    assert state() == "broken"


def test_refresh__of_what_a_log_told_lately__is_not_over(stored_link: Link) -> None:
    now_s = timezone.now().timestamp()
    tick(stored_link, polled(now_s - 1), now_s - 1)
    told = {"link": stored_link, "node_id": "n_b1", "node_name": "db-b1", "variable": "not logged", "value": "0-21-126"}
    UnsafePeriod.objects.create(**told, began_at=from_unix(now_s - 1))
    refresh_link(stored_link.id, polled(now_s))
    assert UnsafePeriod.objects.get().ended_at is None
    assert state() == "degraded"

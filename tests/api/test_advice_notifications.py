"""Advice beyond its page: in the list of links, in metrics, and as events."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.utils import timezone

from backend.adviser.advice.judging import judge_all
from backend.adviser.advice.models import AdviceNotice, GivenAdvice, StoredConfiguration
from backend.api import metrics
from backend.api.response_cache import CACHE
from backend.clusters.models import Link
from backend.common.events.models import Event, EventType
from tests.api.advice import dismissal, store
from tests.core.advice.configurations import cluster as configuration
from tests.core.advice.configurations import with_options
from tests.support.console import Caller

MULTICAST = {"gmcast.mcast_addr": "239.192.0.11"}


@pytest.fixture
def advised(link: Link) -> Link:
    """A link whose active cluster has advice of high risk, and whose standby side has none."""
    store(link.active_cluster, with_options(configuration(), MULTICAST))
    store(link.standby_cluster, configuration())
    return link


def raised() -> list[tuple[str, str]]:
    """Kind and severity of what was raised about advice."""
    rows = Event.objects.filter(type=EventType.RAISED).order_by("id").values_list("data", flat=True)
    return [(one["kind"], one["severity"]) for one in rows if one["kind"].startswith("advice.")]


def judged_after(minutes: int, link: Link, options: dict[str, str | None]) -> None:
    """The active side is read with these options and judged so much later."""
    now = timezone.now() + timedelta(minutes=minutes)
    store(link.active_cluster, with_options(configuration(), options), age_s=-60 * minutes)
    StoredConfiguration.objects.update(read_at=now)
    judge_all(now)


def shown(caller: Caller) -> Any:
    """The advice of the only row of the list of links."""
    caches[CACHE].clear()
    return caller.get("/fleet").body["results"][0]["advice"]


def test_fleet_and_metrics__advice_of_a_cluster__counted_until_dismissed(operator: Caller, advised: Link) -> None:
    assert shown(operator) is None, "nothing was judged yet"
    assert "hawser_advice_open{" not in metrics.exposition().decode()

    judge_all(timezone.now())

    name = advised.active_cluster.name
    high = f'hawser_advice_open{{kind="cluster",name="{name}",risk="high"}}'
    assert shown(operator) == {"high": 1, "medium": 0, "low": 0, "unread_nodes": 0}
    text = metrics.exposition().decode()
    assert f"{high} 1.0" in text
    assert f'hawser_advice_open{{kind="link",name="{advised.name}",risk="high"}} 0.0' in text
    (one,) = operator.get(f"/links/{advised.id}/advice").body["items"]
    assert operator.post("/advice-dismissals", dismissal(advised, one)).status == 201
    assert shown(operator)["high"] == 0
    assert f"{high} 0.0" in metrics.exposition().decode()


def test_fleet_and_metrics__not_all_read__unread_nodes_and_unknown(viewer: Caller, advised: Link) -> None:
    StoredConfiguration.objects.filter(node__cluster=advised.standby_cluster_id).delete()
    judge_all(timezone.now())

    nodes = advised.standby_cluster.nodes.count()
    assert shown(viewer) == {"high": 1, "medium": 0, "low": 0, "unread_nodes": nodes}
    text = metrics.exposition().decode()
    assert f'hawser_advice_unread_nodes{{kind="link",name="{advised.name}"}} {nodes}.0' in text
    assert f'name="{advised.standby_cluster.name}",risk' not in text, "unknown is absent"
    GivenAdvice.objects.update(at=timezone.now() - timedelta(hours=1))
    assert shown(viewer) is None


def test_events__appears_flaps_and_is_resolved__one_each(advised: Link) -> None:
    for minute in (0, 5, 10, 15, 20):
        judged_after(minute, advised, MULTICAST if minute % 10 == 0 else {})
    assert raised() == [("advice.appeared", "warning")]
    message = Event.objects.filter(type=EventType.RAISED).latest("id").data["message"]
    assert message.startswith(f"Multicast keeps nodes from joining on {advised.active_cluster.name}: ")

    for minute in (30, 45, 61):
        judged_after(minute, advised, {})

    assert raised() == [("advice.appeared", "warning"), ("advice.resolved", "ok")]
    assert not AdviceNotice.objects.exists()


def test_events__dismissed__nothing(operator: Caller, advised: Link) -> None:
    (one,) = operator.get(f"/links/{advised.id}/advice").body["items"]
    assert operator.post("/advice-dismissals", dismissal(advised, one)).status == 201

    judge_all(timezone.now())

    assert raised() == []


def test_events__a_node_was_not_read__not_resolved(advised: Link) -> None:
    judged_after(0, advised, MULTICAST)
    store(advised.active_cluster, configuration(), age_s=0)
    StoredConfiguration.objects.filter(node=advised.active_cluster.nodes.first()).delete()
    for minute in (1, 10):
        judge_all(timezone.now() + timedelta(minutes=minute))
    AdviceNotice.objects.update(at=timezone.now() - timedelta(days=1))
    judge_all(timezone.now() + timedelta(minutes=12))

    assert raised() == [("advice.appeared", "warning")]
    assert AdviceNotice.objects.get().gone_since is None


def test_events__link_in_maintenance__told_after_it(advised: Link) -> None:
    Link.objects.update(paused_until=timezone.now() + timedelta(minutes=5))
    judge_all(timezone.now())
    assert raised() == []

    judged_after(6, advised, MULTICAST)

    assert raised() == [("advice.appeared", "warning")]


def test_judged_again__no_change__rows_stay_and_retired_ones_go(advised: Link) -> None:
    now = timezone.now()
    judge_all(now - timedelta(minutes=1))
    judge_all(now)
    assert set(GivenAdvice.objects.values_list("subject_id", "at")) == {
        (subject, now) for subject in (advised.id, advised.active_cluster_id, advised.standby_cluster_id)
    }
    Link.objects.update(retired_at=now)
    judge_all(now)
    assert not GivenAdvice.objects.filter(pk=advised.id).exists()

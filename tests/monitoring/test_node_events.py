"""Events of the nodes of a link: read while a scheduler runs there, kept of a lost side, shown on the link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.common import heartbeats
from backend.core.facts.events import event_to_json
from backend.core.topology import NodeEvent, NodeFacts
from backend.gateway.connection.endpoint import NodeAccess
from backend.monitoring import node_events
from backend.monitoring.link_roles import set_roles
from backend.monitoring.models import LinkStatus, NodeEvents
from backend.monitoring.recording.links import store_link
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.times import from_unix
from tests.monitoring.facts import NOW, gone, link

pytestmark = pytest.mark.django_db
EVENT = NodeEvent("shop", "purge", "app@%", "SLAVESIDE_DISABLED", 21)
"""Made on the standby side: it runs on no node of the active one."""


def scheduled(value: str = "ON") -> dict[str, NodeFacts]:
    """Every node's facts, with that state of the scheduler."""
    nodes = link({}).nodes
    return {n.node.id: replace(n, variables={**n.variables, "event_scheduler": value}) for n in nodes}


def read_as(seen: Sequence[NodeEvent] | None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every node that is asked shows these; the names of those asked are collected."""
    asked: list[str] = []

    def read_each(accesses: Sequence[NodeAccess], _read: object, _limit: Callable[..., float]) -> dict[str, object]:
        asked.extend(access.ref.id for access in accesses)
        return {access.ref.id: None if seen is None else tuple(seen) for access in accesses}

    def accesses_of(side: Cluster) -> SimpleNamespace:
        return SimpleNamespace(nodes=[SimpleNamespace(ref=node.ref) for node in side.nodes.all()])

    monkeypatch.setattr(node_events, "cluster_access", accesses_of)
    monkeypatch.setattr(node_events, "read_each", read_each)
    heartbeats.make_due("events read")
    node_events.refresh_due()
    return asked


def test_refresh__a_scheduler_runs__every_node_that_is_up_is_read(
    stored_link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = scheduled()
    facts["n_a2"] = gone("a2")
    store_nodes(facts, from_unix(NOW))
    asked = read_as([EVENT], monkeypatch)
    assert "n_a1" in asked
    assert "n_a2" not in asked
    assert NodeEvents.objects.get(node="n_a1").events == [event_to_json(EVENT)]


def test_refresh__no_scheduler_runs__no_node_is_asked(stored_link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    store_nodes(scheduled("OFF"), from_unix(NOW))
    assert read_as([EVENT], monkeypatch) == []


def test_refresh__node_refuses__what_was_read_before_is_no_answer_for_long(
    stored_link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = scheduled()
    store_nodes(facts, from_unix(NOW))
    read_as([EVENT], monkeypatch)
    read_as(None, monkeypatch)
    assert node_events.stored_events(facts)["n_a1"] == (EVENT,)
    NodeEvents.objects.update(read_at=timezone.now() - node_events.KNOWN_FOR - timedelta(seconds=1))
    assert node_events.stored_events(facts) == {}


def test_link__event_runs_on_no_node_of_the_active_side__shown(
    stored_link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = scheduled()
    store_nodes(facts, from_unix(NOW))
    read_as([EVENT], monkeypatch)
    store_link(stored_link, facts, {}, from_unix(NOW))
    (finding,) = [f for f in LinkStatus.objects.get().findings if f["code"] == "events_not_enabled"]
    assert "ALTER DEFINER='app'@'%' EVENT `shop`.`purge` ENABLE" in finding["remedy"]


def test_lost_nodes__read_before__still_known(stored_link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    store_nodes(scheduled(), from_unix(NOW))
    read_as([EVENT], monkeypatch)
    NodeEvents.objects.update(read_at=timezone.now() - timedelta(days=1))
    seen = link({"a1": gone("a1")})
    assert node_events.events_of_lost_nodes(seen) == {"n_a1": (EVENT,)}


def test_roles__turned__what_was_read_before_is_said_of_no_node_that_is_up(
    stored_link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = scheduled()
    store_nodes(facts, from_unix(NOW))
    read_as([EVENT], monkeypatch)
    set_roles(stored_link.pk, stored_link.standby_cluster_id, stored_link.active_cluster_id)
    assert node_events.stored_events(facts) == {}
    assert node_events.events_of_lost_nodes(link({"a1": gone("a1")})) == {"n_a1": (EVENT,)}

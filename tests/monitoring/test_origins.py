"""Whose transactions stand in the logs is remembered, and a channel from a third cluster is named after its node."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.clusters.models import Cluster, Link, Node
from backend.clusters.selectors import origins_of
from backend.core.facts.channel_ends import End, foreign_channels
from backend.core.topology import NodeFacts
from backend.monitoring.models import LinkStatus
from backend.monitoring.stored_facts import link_facts
from tests.monitoring.facts import channel, up
from tests.monitoring.ticks import tick

pytestmark = pytest.mark.django_db


def logging(name: str, state: str, **variables: str) -> NodeFacts:
    """The node, with that in its log."""
    node = up(name, *([channel("b1")] if name == "a1" else [channel("a1")] if name == "b1" else []))
    return replace(node, variables={**node.variables, "gtid_binlog_state": state, **variables})


def test_tick__origins_in_a_log__remembered_when_the_log_begins_anew(stored_link: Link) -> None:
    tick(stored_link, {"a1": logging("a1", "0-11-4,0-900-2")})
    tick(stored_link, {"a1": logging("a1", "0-11-5")}, 1)
    assert Cluster.objects.get(pk=stored_link.active_cluster_id).logged_origins == ["0-11", "0-900"]
    fresh = Link.objects.get(pk=stored_link.pk)
    assert link_facts(fresh).active.logged_origins == {(0, 11), (0, 900)}
    assert origins_of(fresh.active_cluster) == {(0, 11), (0, 900)}


def test_tick__id_in_the_clusters_own_domain__one_of_its_server_ids_from_now_on(stored_link: Link) -> None:
    mode = {"wsrep_gtid_mode": "ON"}
    nodes = {
        name: logging(
            name,
            "100-1-7,200-21-3",
            wsrep_gtid_domain_id="100" if name.startswith("a") else "200",
            gtid_domain_id="100" if name.startswith("a") else "200",
            **mode,
        )
        for name in ("a1", "a2", "a3", "b1", "b2", "b3")
    }
    tick(stored_link, nodes)
    active = Cluster.objects.get(pk=stored_link.active_cluster_id)
    assert active.known_server_ids["logged as 1"] == 1
    assert 1 not in Cluster.objects.get(pk=stored_link.standby_cluster_id).known_server_ids.values()
    tick(stored_link, {}, 1)
    assert 1 in link_facts(Link.objects.get(pk=stored_link.pk)).active.server_ids


def test_tick__channel_from_a_node_of_a_third_cluster__named_after_it(stored_link: Link) -> None:
    third = Cluster.objects.create(name="rome", site="rome")
    Node.objects.create(cluster=third, name="db-c1", host="127.0.9.1", port=3306)
    source = replace(channel("a1"), name="rome", source_host="127.0.9.1", source_server_id=31)
    tick(stored_link, {"b2": up("b2", source)})
    (found,) = foreign_channels(link_facts(stored_link))
    assert (found.end, found.source and found.source.name) == (End.REGISTERED, "db-c1")
    third.nodes.all().delete()
    (found,) = foreign_channels(link_facts(stored_link))
    assert found.end is End.OUTSIDE


def test_tick__channels_by_an_address_of_no_node__shown_instead_of_no_data(stored_link: Link) -> None:
    by_address = replace(channel("a1"), source_host="10.0.0.9", source_server_id=11)
    tick(stored_link, {"a1": up("a1"), "b1": up("b1", by_address)})
    shown = LinkStatus.objects.get(link=stored_link)
    assert shown.state == "unknown"
    assert "10.0.0.9:3306" in shown.sentence
    assert "channel_source_unregistered" in {finding["code"] for finding in shown.findings}

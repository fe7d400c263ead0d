"""What keeps a node where it is registered: its channels, plans that change it, and who responds at an address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Cluster, Link, Node
from backend.clusters.versions import registered_versions
from backend.common.errors import ProblemError
from backend.core.facts.serialization import node_to_json
from backend.core.facts.server_identity import observed_server
from backend.core.topology import NodeFacts
from backend.monitoring.models import ChannelRecord, CleanupDue, NodeState
from backend.monitoring.stored_facts import observe_link_now
from backend.operations.runs.models import Plan
from backend.registration import nodes, removal
from backend.registration.changes import Change
from backend.registration.nodes import node_add, node_update
from backend.registration.removal import node_remove
from tests.fakes.world import FakeWorld
from tests.support.console import STORED_PASSWORDS, store_plan

CHANGE = Change(actor="anna", reason="test")
ELSEWHERE = {"change": CHANGE, "passwords": STORED_PASSWORDS}


@pytest.fixture
def left(link: Link, monkeypatch: pytest.MonkeyPatch) -> Node:
    """A node of the active side that its cluster does not count any more."""
    monkeypatch.setattr(removal, "check_left", lambda _node, _facts: None)
    return link.active_cluster.nodes.all()[1]


def _code(act: Callable[[], Any]) -> str:
    try:
        act()
    except ProblemError as problem:
        return problem.code
    return ""


def _observed(node: Node, facts: NodeFacts) -> None:
    NodeState.objects.create(
        node=node, reach="up", since=timezone.now(), observed_at=timezone.now(), facts=node_to_json(facts)
    )


def test_removal__nothing_keeps_it__done(left: Node) -> None:
    assert _code(lambda: node_remove(change=CHANGE, node=left)) == ""
    assert not Node.objects.filter(pk=left.pk).exists()


@pytest.mark.parametrize("part", ["replica_node", "source_node"])
def test_removal__channel_on_record__stays(link: Link, left: Node, part: str) -> None:
    far = link.standby_cluster.nodes.all()[0]
    ends = {"replica_node": far, "source_node": far, part: left}
    ChannelRecord.objects.create(link=link, direction="forward", channel={}, observed_at=timezone.now(), **ends)
    assert _code(lambda: node_remove(change=CHANGE, node=left)) == "node_carries_channel"


def test_removal__channel_seen_on_it__stays(left: Node) -> None:
    world = FakeWorld.classic()
    holder = next(node for node in world.facts().nodes if node.channels)
    _observed(left, holder)
    assert _code(lambda: node_remove(change=CHANGE, node=left)) == "node_carries_channel"


def test_removal__another_node_reads_from_its_address__stays(link: Link, left: Node) -> None:
    holder = next(node for node in FakeWorld.classic().facts().nodes if node.channels)
    channel = replace(holder.channels[0], source_host=left.host.upper(), source_port=left.port)
    _observed(link.standby_cluster.nodes.all()[0], replace(holder, channels=(channel,)))
    assert _code(lambda: node_remove(change=CHANGE, node=left)) == "node_carries_channel"


@pytest.fixture
def plan(link: Link, left: Node) -> Plan:
    """A plan that changes the node; the last poll found the servers as the plan did."""
    for facts in observe_link_now(link).nodes:
        _observed(Node.objects.get(pk=facts.node.id), facts)
    plan = store_plan(link)
    assert any(step["node_id"] == left.pk for step in plan.body["steps"])
    return plan


def test_removal__plan_changes_it__stays_until_that_has_expired(left: Node, plan: Plan) -> None:
    assert _code(lambda: node_remove(change=CHANGE, node=left)) == "node_in_plan"
    plan.expires_at = timezone.now()
    plan.save()
    assert _code(lambda: node_remove(change=CHANGE, node=left)) == ""


def test_removal__plan_would_be_refused_as_changed__removed(left: Node, plan: Plan) -> None:
    """As after the failure of the node itself: a plan from before cannot be started any more."""
    state = NodeState.objects.get(node=left)
    state.facts |= {"server_id": 4711}
    state.save()
    assert _code(lambda: node_remove(change=CHANGE, node=left)) == ""
    assert plan.registered_versions != registered_versions(plan.link)


def test_removal__plan_of_an_older_registration__removed(left: Node, plan: Plan) -> None:
    plan.registered_versions = {}
    plan.save()
    assert _code(lambda: node_remove(change=CHANGE, node=left)) == ""


def test_removal__may_return_with_a_channel__only_where_that_is_attested(link: Link, left: Node) -> None:
    CleanupDue.objects.create(link=link, node=left, direction="forward")
    assert _code(lambda: node_remove(change=CHANGE, node=left)) == "node_cleanup_due"
    assert _code(lambda: node_remove(change=CHANGE, node=left, attest_gone=True)) == ""


def _responds(monkeypatch: pytest.MonkeyPatch, cluster: Cluster) -> NodeFacts:
    """A member of the cluster responds at whatever address is asked."""
    facts = FakeWorld().facts().active.nodes[0]
    assert facts.wsrep is not None
    Cluster.objects.filter(pk=cluster.pk).update(state_uuid=facts.wsrep.state_uuid)
    monkeypatch.setattr(nodes, "observe_once", lambda access: replace(facts, node=access.ref))
    return facts


def _add(cluster: Cluster) -> str:
    return _code(lambda: node_add(**ELSEWHERE, cluster=cluster, name="a3", host="127.0.71.3", port=1))


def test_addition__member_responds__registered_with_its_server(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = _responds(monkeypatch, link.active_cluster)
    assert _add(Cluster.objects.get(pk=link.active_cluster_id)) == ""
    node, observed = Node.objects.get(name="a3"), observed_server(facts)
    assert observed is not None
    assert asdict(observed) == {"server": node.server, "server_id": node.server_id}


def test_addition__member_of_another_cluster__refused(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    _responds(monkeypatch, link.standby_cluster)
    assert _add(Cluster.objects.get(pk=link.active_cluster_id)) == "not_one_cluster"


def test_addition__server_has_another_address_already__refused(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    observed = observed_server(_responds(monkeypatch, link.active_cluster))
    assert observed is not None
    first = link.active_cluster.nodes.all()[0]
    Node.objects.filter(pk=first.pk).update(server=observed.server, server_id=observed.server_id)
    assert _add(Cluster.objects.get(pk=link.active_cluster_id)) == "address_taken"


def test_move__another_server_responds_there__refused(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = _responds(monkeypatch, link.active_cluster)
    assert facts.server_id is not None
    Node.objects.filter(cluster=link.active_cluster).update(server="x", server_id=facts.server_id + 1)
    node = Node.objects.select_related("cluster").filter(cluster=link.active_cluster)[0]
    assert _code(lambda: node_update(**ELSEWHERE, node=node, host="127.0.71.9")) == "another_server"


def test_move__a_channel_reads_from_it__refused(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    _responds(monkeypatch, link.active_cluster)
    node = Node.objects.select_related("cluster").filter(cluster=link.active_cluster)[0]
    far = link.standby_cluster.nodes.all()[0]
    ChannelRecord.objects.create(
        link=link, direction="forward", channel={}, observed_at=timezone.now(), replica_node=far, source_node=node
    )
    assert _code(lambda: node_update(**ELSEWHERE, node=node, host="127.0.71.9")) == "node_carries_channel"

"""Members that no registered node can be, and what follows for plans, the link and a fence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.checks.run import Check, run_checks
from backend.core.facts.fingerprint import UNREGISTERED, current_fingerprint, fingerprint
from backend.core.facts.unregistered_members import UnregisteredMembers, unregistered_members
from backend.core.findings import Severity
from backend.core.link_state import History, derive
from backend.core.plans.accept_state_uuid import ACCEPT_CHECKS
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.relocate import RELOCATE_CHECKS
from backend.core.plans.remove_channels import REMOVE_CHECKS
from backend.core.plans.reprotect import REPROTECT_CHECKS
from backend.core.plans.start_channel import START_CHECKS
from backend.core.plans.switchover import FAILBACK_CHECKS, SWITCHOVER_CHECKS
from backend.core.runner import StepStarted
from backend.core.topology import ClusterFacts, Reach
from tests.fakes.console import FakeConsole
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import context_of
from tests.fakes.sites import passive, plan_switchover
from tests.fakes.world import FakeWorld

NONE = UnregisteredMembers()


def _world() -> FakeWorld:
    return FakeWorld.classic()


def _stated(world: FakeWorld, *entries: str) -> ClusterFacts:
    """Of a cluster whose members state these addresses."""
    cluster = world.facts().active
    nodes = [
        replace(node, wsrep=node.wsrep and replace(node.wsrep, incoming_addresses=entries, cluster_size=len(entries)))
        for node in cluster.nodes
    ]
    return replace(cluster, nodes=tuple(nodes))


def _addresses(world: FakeWorld) -> list[str]:
    return [f"{node.ref.host}:{node.ref.port}" for node in world.a.nodes]


def test_members__all_registered__none() -> None:
    assert unregistered_members(_world().facts().active) == NONE


def test_members__one_more_server__certain() -> None:
    world = _world()
    world.a.unregistered.add("a3")
    assert unregistered_members(world.facts().active) == UnregisteredMembers(1, (_addresses(world)[2],))


def test_members__an_arbitrator_more__none() -> None:
    world = _world()
    assert unregistered_members(_stated(world, *_addresses(world), "")) == NONE


@pytest.mark.parametrize(("size", "least"), [(3, 0), (4, 1)])
def test_members__one_listens_on_two_addresses__counted(size: int, least: int) -> None:
    world = _world()
    first, *more = _addresses(world)
    entries = (first.partition(":")[0], "192.0.2.7:3306", *more, *["192.0.2.9:3306"] * (size - 3))
    nodes = [
        replace(node, wsrep=node.wsrep and replace(node.wsrep, cluster_size=size))
        for node in _stated(world, *entries).nodes
    ]
    cluster = replace(world.facts().active, nodes=tuple(nodes))
    assert unregistered_members(cluster) == UnregisteredMembers(least)


def test_members__one_more_without_an_address__certain() -> None:
    world = _world()
    assert unregistered_members(_stated(world, *_addresses(world), "AUTO")) == UnregisteredMembers(1)


def test_members__a_silent_node_at_its_own_address__none() -> None:
    world = _world()
    world.kill("a3", reach=Reach.HUNG, is_expelled=False)
    assert unregistered_members(world.facts().active) == NONE


@pytest.mark.parametrize(("entry", "unknown_addresses"), [("AUTO", ()), ("192.0.2.9:3306", ("192.0.2.9:3306",))])
def test_members__a_silent_node_or_another_server__not_certain(entry: str, unknown_addresses: tuple[str, ...]) -> None:
    world = _world()
    world.kill("a3", reach=Reach.HUNG, is_expelled=False)
    cluster = _stated(world, *_addresses(world)[:2], entry)
    assert unregistered_members(cluster) == UnregisteredMembers(0, unknown_addresses)


def test_members__no_node_says_which_it_is__counted_only() -> None:
    world = _world()
    for entries, least in ((_addresses(world), 0), ([*_addresses(world), "192.0.2.9:3306"], 1)):
        cluster = _stated(world, *entries)
        nodes = [replace(node, wsrep=node.wsrep and replace(node.wsrep, local_index=None)) for node in cluster.nodes]
        assert unregistered_members(replace(cluster, nodes=tuple(nodes))) == UnregisteredMembers(least)


def test_members__no_node_in_the_primary_component__none() -> None:
    world = _world()
    world.kill_side(world.a)
    assert unregistered_members(world.facts().active) == NONE


def _severity(checks: tuple[Check, ...], side: str) -> Severity | None:
    world = _world()
    getattr(world, side).unregistered.add(f"{side}3")
    found = [one for one in run_checks(context_of(world), checks) if one.code == "member_not_registered"]
    return found[0].severity if found else None


@pytest.mark.parametrize(
    "checks",
    [
        RELOCATE_CHECKS,
        ACCEPT_CHECKS,
        SWITCHOVER_CHECKS,
        FAILBACK_CHECKS,
        REPROTECT_CHECKS,
        START_CHECKS,
        REMOVE_CHECKS,
    ],
    ids=["relocate", "accept", "switchover", "failback", "reprotect", "start", "remove"],
)
@pytest.mark.parametrize("side", ["a", "b"])
def test_plan__member_not_registered__refused(checks: tuple[Check, ...], side: str) -> None:
    assert _severity(checks, side) is Severity.BLOCKER


def test_failover__member_of_the_survivor_not_registered__warned() -> None:
    assert _severity(FAILOVER_CHECKS, "b") is Severity.WARNING


def test_plan__member_not_recognised__warned() -> None:
    world = _world()
    world.kill("a3", reach=Reach.HUNG, is_expelled=False)
    ctx = context_of(world)
    active = _stated(world, *_addresses(world)[:2], "192.0.2.9:3306")
    found = run_checks(replace(ctx, link=replace(ctx.link, active=active)), SWITCHOVER_CHECKS)
    assert [one.severity for one in found if one.code == "member_not_recognised"] == [Severity.WARNING]


def test_link__member_not_registered__warned() -> None:
    world = _world()
    world.b.unregistered.add("b3")
    status = derive(world.facts(), History(), world.clock.now_s())
    assert [one.severity for one in status.findings if one.code == "member_not_registered"] == [Severity.WARNING]


def test_fingerprint__member_joins__changed() -> None:
    world = _world()
    link = world.facts()
    pair = (link.active.nodes[0].node.id, link.standby.nodes[0].node.id)
    planned = fingerprint(link, pair)
    world.a.unregistered.add("a3")
    assert current_fingerprint(planned, world.facts())[f"cluster-a.{UNREGISTERED}"] == 1
    assert planned[f"cluster-a.{UNREGISTERED}"] == 0


def test_fingerprint__plan_of_an_older_version__not_changed() -> None:
    link = _world().facts()
    pair = (link.active.nodes[0].node.id, link.standby.nodes[0].node.id)
    older = {key: value for key, value in fingerprint(link, pair).items() if UNREGISTERED not in key}
    assert current_fingerprint(older, link) == older


def test_switchover__member_joins_before_the_fence_is_proven__reverted() -> None:

    world = passive(_world())
    plan = plan_switchover(world)
    memory, console = Memory(plan), FakeConsole()

    def joins(transition: object) -> None:
        if isinstance(transition, StepStarted) and transition.step.code == "verify_fence":
            world.a.unregistered.add("a3")

    Walker(world, FakeGateway(world), memory, console=console, on_transition=joins).run()
    assert console.acts == []
    assert memory.end is not None
    assert "not registered" in memory.end.sentence
    assert all(node.takes_writes for node in world.a.registered)

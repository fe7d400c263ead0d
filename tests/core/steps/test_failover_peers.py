"""A failover while nodes of the survivor return or go: no node applies beside new writes, and the side opens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from backend.core.facts.serialization import divergence_from_json, divergence_to_json
from backend.core.known_groups import time_text
from backend.core.link_facts import Divergence
from backend.core.locate.applied_point import last_applied
from backend.core.plan import Plan
from backend.core.plans import failover
from backend.core.stream_account import Fault, StreamAccount, Unaccounted
from backend.core.topology import Direction, Reach
from tests.fakes.console import FakeConsole
from tests.fakes.driver import Memory, Walker, at_start_of, run_to_end
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import sound
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld


def written_to() -> FakeWorld:
    """The active side was written to and the standby holds all of it."""
    world = passive(FakeWorld.classic())
    world.write_times(6, "a1", ticks=True)
    return world


def holder_lost() -> tuple[FakeWorld, Plan]:
    """b1 failed with three transactions in its relay log, then the active side did."""
    world = written_to()
    world.backlog = 3
    world.write_times(3, "a1", ticks=True)
    world.kill("b1")
    world.backlog = 0
    world.kill_side(world.a)
    plan = sound(plan_failover(world, seen=failover.ObservedLoss(3, world.clock.now_s() - 1, world.a.seqno)))
    return world, plan


def walk(world: FakeWorld, plan: Plan, at: str, act: Callable[[], object]) -> tuple[str, str, Memory]:
    """State and words of a run in which this happens once, as the first step of that code begins."""
    acted: list[object] = []
    memory = run_to_end(world, plan, on_transition=at_start_of(at, lambda: acted.append(act())))
    assert acted
    return memory.ended.state, memory.ended.sentence, memory


def resumed(world: FakeWorld, memory: Memory) -> tuple[str, str, FakeConsole]:
    """State and words of a Resume, and what it changed in the record."""
    memory.end = None
    walker = Walker(world, FakeGateway(world), memory)
    end = walker.run()
    assert end is not None
    return end.state, end.sentence, walker.console


def open_nodes(world: FakeWorld) -> list[str]:
    """Living nodes of the survivor that accept writes."""
    return [n.name for n in world.b.nodes if n.is_up and n.variables["read_only"] == "OFF"]


def drained(counted: int | None, account: StreamAccount | None = None) -> Divergence:
    """What is recorded of a failover that planned for three and drained its relay log; so many are counted then."""
    world = written_to()
    if account is not None:
        world.recorded = [
            replace(one, account=account) if one.direction is Direction.FORWARD else one for one in world.recorded
        ]
    world.kill_side(world.a)
    memory = Memory(plan_failover(world, seen=failover.ObservedLoss(3, world.clock.now_s() - 1, world.a.seqno)))
    walker = Walker(world, FakeGateway(world), memory)
    walker.console.unapplied_transactions = counted
    end = walker.run()
    assert end is not None
    assert end.state == "succeeded", end.sentence
    assert walker.console.divergence is not None
    return walker.console.divergence


def test_failover__fewer_lost_after_the_drain_than_planned__both_are_recorded() -> None:
    found = drained(0)
    assert (found.lost_transactions, found.planned_lost_transactions) == (0, 3)
    assert found.detail.startswith("The plan counted 3 known transactions not applied. After the drain every known ")
    assert "at most" not in found.detail


def test_failover__transactions_that_its_channel_passed__recorded_settled_or_not() -> None:
    skipped = Unaccounted(Fault.MISSING, "n_a1", "0-11-77", 512, 11, "binlog.000001:900", "binlog.000001:1200", 0)
    changed = replace(skipped, gtid="0-11-78", seqno=None)
    account = StreamAccount(unaccounted=(skipped, changed)).without({skipped.gtid})
    assert drained(0, account).passed_over == (skipped, changed)
    assert divergence_from_json(divergence_to_json(drained(0, account))) == drained(0, account)


def test_failover__lost_after_the_drain__a_lower_bound_until_the_last_read() -> None:
    found = drained(2)
    assert f"at least 2 transactions of cluster-a, read up to {time_text(found.last_seen_at_s or 0)} are lost" in (
        found.detail
    )


def test_failover__no_count_is_known__nobody_waits_while_writes_are_closed() -> None:
    """A limit of five seconds for the count was five seconds of outage, for a number that could not come."""
    world = written_to()
    world.kill_side(world.a)
    walker = Walker(world, FakeGateway(world), Memory(plan_failover(world)))
    asked: list[float] = []
    walker.console.on_count = lambda: asked.append(world.clock.monotonic_s())
    assert walker.run() is not None
    assert len(asked) == 1


def test_failover__nobody_counted_after_the_drain__not_known_beside_the_bound() -> None:
    found = drained(None)
    assert (found.lost_transactions, found.planned_lost_transactions) == (None, 3)
    assert "could not be counted" in found.detail


def test_failover__the_holder_is_back_before_the_point_is_read__nothing_is_opened() -> None:
    world, plan = holder_lost()
    state, sentence, _ = walk(world, plan, "record_divergence", lambda: world.restart("b1"))
    assert state == "failed", sentence
    assert "b1 returned with a channel" in sentence
    assert open_nodes(world) == []


def test_failover__the_holder_is_back_before_the_side_opens__not_opened_while_it_applies() -> None:
    world, plan = holder_lost()
    state, sentence, memory = walk(world, plan, "unfence", lambda: world.restart("b1"))
    assert state == "needs_operator", sentence
    assert "b1 returned and applies" in sentence
    assert "RESET SLAVE 'link1' ALL" in sentence
    assert open_nodes(world) == []
    for _ in range(5):
        world.tick()
    del world.node("b1").channels["link1"]
    state, sentence, console = resumed(world, memory)
    assert state == "succeeded", sentence
    assert set(open_nodes(world)) >= {"b2", "b3"}
    found = last_applied(world.facts(), world.node("b2").ref.id, FakeGateway(world), world.journal)
    assert console.divergence is not None
    assert console.divergence.seam == tuple(group.content for group in found), "it would be taken for orphans"


def test_failover__the_holder_is_back_and_runs_at_the_end__is_not_called_done() -> None:
    world, plan = holder_lost()
    state, sentence, _ = walk(world, plan, "verify", lambda: world.restart("b1"))
    assert state == "needs_operator", sentence
    assert "runs on b1" in sentence


@pytest.mark.parametrize(
    ("reset", "state", "says"),
    [
        (("b2",), "succeeded", ""),
        (("b1", "b2", "b3"), "needs_operator", "No log of cluster-b shows any longer what it applied of cluster-a"),
    ],
)
def test_failover__a_log_is_reset_before_its_end__another_tells_whether_more_arrived(
    reset: tuple[str, ...], state: str, says: str
) -> None:
    world, plan = holder_lost()
    ended, sentence, _ = walk(world, plan, "verify", lambda: [world.reset_log(name) for name in reset])
    assert ended == state, sentence
    assert says in sentence


@pytest.mark.parametrize(
    ("kind", "at"), [("failover", "reset_channel"), ("switchover", "swap_roles"), ("switchover", "unfence")]
)
def test_open__a_node_is_expelled_behind_the_swap__the_others_open(kind: str, at: str) -> None:
    """Before all of them are looked at, and between that and their statements."""
    world = written_to()
    if kind == "failover":
        world.kill_side(world.a)
    plan = sound(plan_failover(world) if kind == "failover" else plan_switchover(world))
    walk(world, plan, at, lambda: world.kill("b1"))
    assert set(open_nodes(world)) == {"b2", "b3"}


def test_open__a_node_hangs_and_counts__waits_for_it_by_name() -> None:
    world = passive(FakeWorld.classic())
    plan = plan_switchover(world)
    state, sentence, _ = walk(world, plan, "unfence", lambda: world.kill("b1", reach=Reach.HUNG, is_expelled=False))
    assert state == "needs_operator"
    assert "b1" in sentence

"""Turning back: an abort or a failure before the point of no return restores exactly; after it, it is refused."""

from __future__ import annotations

import pytest

from backend.core.plan import Plan
from backend.core.runner import Intent, Outcome, StepStarted, StepUndone, Transition
from tests.core.builders.examples import moments
from tests.core.builders.situations import SITUATIONS, Situation, situation
from tests.core.runner.walks import (
    Shape,
    asks_to_abort,
    assert_restored,
    channel_shapes,
    drive_to_end,
    point_of_no_return,
    unbroken,
)
from tests.fakes.driver import Memory, Walker, at_start_of
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.plans import plan_clean, plan_relocate, sound
from tests.fakes.world import FakeWorld

TURNED = [situation(n) for n in ("source_lost", "replica_lost", "move_both", "io_thread_stopped")]
WITHOUT_POSITION = [situation(n) for n in ("remove_channels", "remove_channels_io_thread_stopped")]


def assert_turned_back(world: FakeWorld, memory: Memory, before: set[Shape]) -> None:
    """The run ended so, and restored."""
    assert memory.ended.state == "aborted"
    assert_restored(world, before)


@pytest.mark.parametrize("one", [*TURNED, *WITHOUT_POSITION], ids=lambda s: s.name)
def test_abort__asked_at_any_transition__restored_or_carried_to_the_end(one: Situation) -> None:
    expected, transitions, _ = unbroken(one)
    for at in moments(transitions - 1, SITUATIONS.index(one), one_in=3):
        world, plan = one.build()
        before = channel_shapes(world)
        memory = Memory(plan)
        granted, on_transition = asks_to_abort(memory, at + 1)
        Walker(world, FakeGateway(world), memory, on_transition=on_transition).run()
        if granted == [True]:
            assert_turned_back(world, memory, before)
        else:
            assert granted == [False]
            assert memory.ended.state == "succeeded"
            assert channel_shapes(world) == expected


def test_abort__granted_on_the_last_moment_before_the_point_of_no_return__nothing_irreversible_is_sent() -> None:
    world, plan = situation("move_both").build()
    before, first = channel_shapes(world), point_of_no_return(plan)
    memory = Memory(plan)

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, StepStarted) and transition.step.index == first:
            assert memory.request_abort()

    Walker(world, FakeGateway(world), memory, on_transition=on_transition).run()
    assert {e.verb for e in world.executed} == {"STOP", "START"}
    assert_turned_back(world, memory, before)


def test_abort__asked_once_the_way_back_is_closed__refused_and_the_run_goes_on() -> None:
    world, plan = situation("move_both").build()
    first = point_of_no_return(plan)
    memory = Memory(plan)
    answers: list[bool] = []

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, Intent) and transition.step.index == first:
            answers.append(memory.request_abort())

    Walker(world, FakeGateway(world), memory, on_transition=on_transition).run()
    assert answers == [False]
    assert memory.ended.state == "succeeded"


def test_abort__the_flagged_step_has_nothing_to_do__the_way_back_is_closed_by_the_next() -> None:
    world, plan = situation("move_replica").build()
    first = point_of_no_return(plan)
    memory = Memory(plan)
    granted: list[bool] = []

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, StepStarted) and transition.step.index == first:
            del world.node("b1").channels["link1"]  # another operator has just made it forget
        if isinstance(transition, Intent) and transition.step.code == "change_source" and not granted:
            granted.append(memory.request_abort())

    Walker(world, FakeGateway(world), memory, on_transition=on_transition).run()
    assert granted == [False]
    assert memory.ended.state == "succeeded"


@pytest.mark.parametrize("one", [*TURNED, *WITHOUT_POSITION], ids=lambda s: s.name)
def test_undo__dies_at_any_transition__successor_restores(one: Situation) -> None:
    world, plan = one.build()
    reached = _walk_that_aborts(world, Memory(plan), FakeGateway(world))
    for at in moments(reached, SITUATIONS.index(one), one_in=3):
        for stores in (False, True):
            world, plan = one.build()
            before = channel_shapes(world)
            memory, gateway = Memory(plan), FakeGateway(world)
            _walk_that_aborts(world, memory, gateway, dies_at=at + 1, stores=stores)
            drive_to_end(world, memory, gateway)
            assert_turned_back(world, memory, before)
            starts = [e for e in world.executed if e.verb == "START"]
            assert len(starts) == len({e.node for e in starts})


def _walk_that_aborts(
    world: FakeWorld, memory: Memory, gateway: FakeGateway, *, dies_at: int | None = None, stores: bool = True
) -> int:
    """Abort as soon as the channels are stopped and the next step begins; returns the transitions seen."""
    walker = Walker(world, gateway, memory, dies_at=dies_at, dies_after_storing=stores)
    codes = [step.code for step in memory.plan.steps]
    first = next(code for code in ("locate", "reset_channel") if code in codes)
    walker.on_transition = at_start_of(first, memory.request_abort)
    walker.run()
    if memory.end is None:
        memory.request_abort()
    return len(walker.seen)


@pytest.mark.parametrize("fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LATE, Fault.DIES_LATE, Fault.DIES_AFTER])
@pytest.mark.parametrize("comes_late", [False, True])
def test_undo__its_statement_has_no_known_outcome__looked_at_until_it_runs(fault: Fault, comes_late: bool) -> None:
    for ordinal in (3, 4):
        world, plan = situation("move_both").build()
        before = channel_shapes(world)
        memory = Memory(plan)
        gateway = FakeGateway(world, {ordinal: fault}, does_kill_come_late=comes_late)
        _walk_that_aborts(world, memory, gateway)
        drive_to_end(world, memory, gateway)
        gateway.run_late()
        assert_turned_back(world, memory, before)


def test_undo__never_takes_effect__handed_to_a_person_not_called_restored() -> None:
    world, plan = situation("move_replica").build()
    memory = Memory(plan)
    gateway = FakeGateway(world, dict.fromkeys(range(3, 40), Fault.LOST_BEFORE))
    _walk_that_aborts(world, memory, gateway)
    assert memory.ended.state == "needs_operator"
    assert "by hand" in memory.ended.next_action


def test_undo__refused_then_resumed__restored() -> None:
    world, plan = situation("move_both").build()
    before = channel_shapes(world)
    memory = Memory(plan)
    gateway = FakeGateway(world, {3: Fault.REFUSED})
    _walk_that_aborts(world, memory, gateway)
    assert memory.ended.state == "needs_operator"
    memory.end = None
    Walker(world, gateway, memory).run()
    assert_turned_back(world, memory, before)


def test_undo__channel_pointed_elsewhere_meanwhile__not_started() -> None:
    world, plan = situation("move_replica").build()
    memory = Memory(plan)

    def point_elsewhere() -> None:
        memory.request_abort()
        world.node("b1").channels["link1"].source = ("10.9.9.9", 3306)

    Walker(world, FakeGateway(world), memory, on_transition=at_start_of("locate", point_elsewhere)).run()
    assert memory.ended.state == "needs_operator"
    assert not world.node("b1").channels["link1"].is_running


def test_undo__two_stops__taken_back_in_reverse_order() -> None:
    world, plan = situation("move_both").build()
    memory = Memory(plan)
    walker = Walker(world, FakeGateway(world), memory, on_transition=at_start_of("locate", memory.request_abort))
    walker.run()
    undone = [t.step.index for t in walker.seen if isinstance(t, StepUndone)]
    assert len(undone) == 2
    assert undone == sorted(undone, reverse=True)


def running_stray() -> tuple[FakeWorld, Plan]:
    """b2 has a second forward channel, which runs."""
    world = FakeWorld.classic()
    world.remember()
    world.connect("a1", "b2")
    plan = sound(plan_clean(world))
    assert [step.code for step in plan.steps] == ["recheck", "stop_channel", "reset_channel", "verify"]
    return world, plan


def test_abort__of_a_clean_that_stopped_a_left_over_channel__it_stays_stopped() -> None:
    """To start it again, as it was, would apply transactions twice."""
    ends = set()
    for at in range(1, 12):
        world, plan = running_stray()
        memory = Memory(plan)
        _, on_transition = asks_to_abort(memory, at)
        Walker(world, FakeGateway(world), memory, on_transition=on_transition).run()
        assert {e.verb for e in world.executed} <= {"STOP", "RESET"}
        ends.add(memory.ended.sentence)
    assert "Aborted by an operator. The stray channel of b2 stays stopped." in ends
    assert "Aborted by an operator. Nothing was changed." in ends


@pytest.mark.parametrize("is_running", [True, False])
def test_abort__another_node_has_a_channel_by_now__started_again_only_where_that_one_stands(is_running: bool) -> None:
    world = FakeWorld.classic()
    memory = Memory(plan_relocate(world, "a1", "b2"))

    def meddle(transition: Transition) -> None:
        if isinstance(transition, Outcome) and transition.step.node == "b1" and not memory.is_abort_requested:
            world.connect("a1", "b3", is_running=is_running)
            memory.request_abort()

    end = Walker(world, FakeGateway(world), memory, on_transition=meddle).run()
    assert end is not None
    assert (end.state, world.node("b1").channels["link1"].is_running) == (
        ("needs_operator", False) if is_running else ("aborted", True)
    )
    assert ("b3 runs a channel of this direction" in end.sentence) is is_running
    world.write("a1")
    world.converge()
    assert world.b.doubled == []

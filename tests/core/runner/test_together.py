"""Statements of neighbouring steps that are sent at once: intents first, and what was unusual is met step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from backend.core.plan import Plan
from backend.core.runner import Intent, StepDone, StepFailed, StepStarted, Transition
from backend.core.steps.base import AHEAD_S
from backend.core.topology import NodeFacts
from tests.fakes.driver import Memory, Walker, at_start_of
from tests.fakes.gateway import FakeGateway, Fault, T
from tests.fakes.sites import passive, plan_switchover
from tests.fakes.world import FakeWorld

FENCE, OPEN = "SET GLOBAL read_only=ON", "SET GLOBAL read_only=OFF"
NODES = ("a1", "a2", "a3")


@dataclass(slots=True)
class AtOnce(FakeGateway):
    """Keeps how many calls were made at once, and which nodes were polled together."""

    batches: list[int] = field(default_factory=list)
    polls: list[tuple[str, ...]] = field(default_factory=list)

    def observe_nodes(self, node_ids: Sequence[str]) -> Mapping[str, NodeFacts]:
        """Kept."""
        self.polls.append(tuple(node_ids))
        return super(AtOnce, self).observe_nodes(node_ids)

    def at_once(self, calls: list[Callable[[], T]]) -> list[T]:  # type: ignore[override]
        """Counted."""
        self.batches.append(len(calls))
        return [call() for call in calls]


@dataclass
class Scene:
    """A switchover that fences a1, a2 and a3."""

    world: FakeWorld = field(default_factory=lambda: passive(FakeWorld.classic()))
    faults: dict[int, Fault] = field(default_factory=dict)
    on_transition: Callable[[Transition], None] | None = None

    def __post_init__(self) -> None:
        self.world.remember()
        self.plan: Plan = plan_switchover(self.world)
        self.gateway = AtOnce(self.world, faults=self.faults)
        self.memory = Memory(self.plan)

    def walk(self, **how: int) -> Memory:
        """By a worker that may die."""
        self.walker = Walker(self.world, self.gateway, self.memory, on_transition=self.on_transition, **how)
        self.walker.run()
        return self.memory

    def fences(self) -> list[str]:
        """`read_only` of the side."""
        return [self.world.node(name).variables["read_only"] for name in NODES]


def after_recheck(act: Callable[[], object]) -> Callable[[Transition], None]:
    """Act as the facts were compared, before any node is looked at for its fence."""

    def on_transition(transition: Transition) -> None:
        if type(transition).__name__ == "StepDone" and transition.step.code == "recheck":  # type: ignore[union-attr]
            act()

    return on_transition


def test_fence__three_nodes__all_intents_before_the_first_statement() -> None:
    scene = Scene()
    sent: list[int] = []

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, Intent) and transition.step.code == "fence":
            sent.append(len(scene.gateway.sent))

    scene.on_transition = on_transition
    assert scene.walk().ended.state == "succeeded"
    assert sent == [0, 0, 0]
    codes = [one.step.code for one in scene.walker.seen if isinstance(one, StepDone)]
    assert codes.index("verify_fence") == codes.count("recheck") + 3
    followed = [one.is_followed for one in scene.walker.seen if isinstance(one, Intent)]
    assert followed[:3] == [True, True, False]
    assert 3 in scene.gateway.batches


def writing_after(scene: Scene, *codes: str) -> None:
    """The side writes once behind its fences after the first step of each of these kinds."""
    left = list(codes)

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, StepDone) and transition.step.code in left:
            left.remove(transition.step.code)
            scene.world.write("a2")

    scene.on_transition = on_transition


def fence_proof(scene: Scene) -> str:
    """What the run says of the side's fence."""
    done = (one for one in scene.walker.seen if isinstance(one, StepDone))
    return next(one.sentence for one in done if one.step.code == "verify_fence")


def test_fence__a_commit_as_the_fences_took_effect__named_and_watched_from_after_it() -> None:
    scene = Scene()
    writing_after(scene, "fence")
    assert scene.walk().ended.state == "succeeded"
    assert "(1 transaction committed as the fences took effect)" in fence_proof(scene)


def test_fence__no_commit_as_the_fences_took_effect__none_named() -> None:
    scene = Scene()
    assert scene.walk().ended.state == "succeeded"
    assert "committed" not in fence_proof(scene)


def test_fence__a_commit_as_the_fences_took_effect_and_another__stopped_and_opened_again() -> None:
    scene = Scene()
    writing_after(scene, "fence", "verify_fence")
    assert scene.walk().ended.state == "failed"
    assert "despite the fence" in scene.memory.failures[0]
    assert scene.fences() == ["OFF", "OFF", "OFF"]


def test_fence__one_not_in_force_yet__its_node_may_write_until_it_is() -> None:
    scene = Scene(faults={2: Fault.LOST_BEFORE})
    wrote: list[bool] = []

    def on_transition(transition: Transition) -> None:
        is_again = isinstance(transition, Intent) and not transition.is_followed
        if is_again and scene.fences() == ["ON", "OFF", "ON"] and not wrote:
            wrote.append(True)
            scene.world.write("a2")

    scene.on_transition = on_transition
    assert scene.walk().ended.state == "succeeded"
    assert wrote == [True]


def test_unfence__both_sides__nothing_opened_before_the_roles_are_swapped() -> None:
    scene = Scene()
    scene.walk()
    seen = scene.walker.seen
    swapped = next(i for i, one in enumerate(seen) if isinstance(one, StepDone) and one.step.code == "swap_roles")
    opened = [i for i, one in enumerate(seen) if isinstance(one, StepStarted) and one.step.code == "unfence"]
    assert opened
    assert swapped < min(opened)


def test_swap__the_point_of_no_return_is_its_first_act__may_be_stored_with_its_start() -> None:
    scene = Scene()
    scene.walk()
    alone = [one.step.code for one in scene.walker.seen if isinstance(one, StepStarted) and one.is_followed]
    assert alone.count("swap_roles") == 1
    assert set(alone) == {"fence", "unfence", "swap_roles"}


@pytest.mark.parametrize("later_s", [0.0, AHEAD_S])
def test_unfence__polled_while_the_watch_lasted__polled_again_only_where_that_is_long_ago(later_s: float) -> None:
    scene = Scene()
    before: list[int] = []
    polled: list[tuple[str, ...]] = []

    def on_transition(transition: Transition) -> None:
        step = getattr(transition, "step", None)
        if isinstance(transition, StepDone) and step.code == "swap_roles":  # type: ignore[union-attr]
            before.append(len(scene.gateway.polls))
            scene.world.clock.time_s += later_s
        if isinstance(transition, StepStarted) and step.code == "unfence" and not polled:  # type: ignore[union-attr]
            polled.extend(scene.gateway.polls[before[0] :])

    scene.on_transition = on_transition
    assert scene.walk().ended.state == "succeeded"
    opened = tuple(str(step.node_id) for step in scene.plan.steps if step.code == "unfence")
    assert polled == ([opened] if later_s else [])
    assert opened in scene.gateway.polls[: before[0]]


def test_unfence__a_node_that_was_polled_ahead_is_open_by_then__no_harm() -> None:
    scene = Scene()

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, StepDone) and transition.step.code == "swap_roles":
            scene.world.node("b1").variables["read_only"] = "OFF"

    scene.on_transition = on_transition
    assert scene.walk().ended.state == "succeeded"
    assert all(scene.world.node(name).takes_writes for name in ("b1", "b2", "b3"))


@pytest.mark.parametrize("fault", [Fault.REFUSED, Fault.WARNED])
@pytest.mark.parametrize("which", [1, 2, 3])
def test_fence__one_refused__each_step_has_its_end_and_all_are_reverted(which: int, fault: Fault) -> None:
    scene = Scene(faults={which: fault})
    assert scene.walk().ended.state == "failed"
    assert scene.fences() == ["OFF", "OFF", "OFF"]
    assert [s.state for s in scene.memory.statements[:3]].count("failed") == (fault is Fault.REFUSED)
    assert len(scene.memory.failures) == 1
    assert scene.memory.done.keys() <= {0}


@pytest.mark.parametrize("fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.LATE])
@pytest.mark.parametrize("which", [1, 2, 3])
def test_fence__outcome_of_one_unknown__its_session_is_ended_and_the_node_observed(which: int, fault: Fault) -> None:
    scene = Scene(faults={which: fault})
    assert scene.walk().ended.state == "succeeded"
    assert len(scene.gateway.killed) == 1
    fences = [node for node, sql in scene.gateway.sent if sql == FENCE]
    assert fences.count(NODES[which - 1]) <= 2
    assert scene.gateway.sessions == {}


@pytest.mark.parametrize("fault", [Fault.DIES_BEFORE, Fault.DIES_AFTER, Fault.DIES_LATE])
@pytest.mark.parametrize("which", [1, 2, 3])
def test_fence__worker_dies_among_them__the_next_one_looks_at_each(which: int, fault: Fault) -> None:
    scene = Scene(faults={which: fault})
    scene.walk()
    assert [s.state for s in scene.memory.statements] == ["intended"] * 3
    assert scene.walk().ended.state == "succeeded"
    assert {s.state for s in scene.memory.statements} <= {"ok", "observed", "failed"}


def test_fence__node_is_down__nothing_is_sent_to_the_nodes_after_it() -> None:
    scene = Scene()
    scene.on_transition = at_start_of("recheck", lambda: scene.world.kill("a2"))
    assert scene.walk().ended.state == "failed"
    assert scene.fences()[0] == "OFF"


def test_fence__another_server_at_the_address__nothing_is_sent_to_it() -> None:
    scene = Scene()
    scene.on_transition = after_recheck(lambda: setattr(scene.world.node("a2"), "server_id", 99))
    assert scene.walk().ended.state == "failed"
    assert "a2" not in {node for node, _ in scene.gateway.sent}
    assert scene.fences() == ["OFF", "OFF", "OFF"]


def test_fence__aborted_before__nothing_is_sent() -> None:
    scene = Scene()
    scene.on_transition = after_recheck(scene.memory.request_abort)
    assert scene.walk().ended.state == "aborted"
    assert scene.gateway.sent == []


def test_fence__one_is_fenced_by_then__nothing_is_sent_to_it() -> None:
    scene = Scene()
    scene.on_transition = after_recheck(lambda: scene.world.node("a2").variables.update(read_only="ON"))
    scene.walk()
    assert "a2" not in {node for node, sql in scene.gateway.sent if sql == FENCE}


def test_fence__one_refused_and_another_lost__the_lost_one_is_not_sent_again() -> None:
    scene = Scene(faults={1: Fault.REFUSED, 2: Fault.LOST_BEFORE})
    assert scene.walk().ended.state == "failed"
    assert [node for node, sql in scene.gateway.sent if sql == FENCE] == list(NODES)
    assert scene.fences() == ["OFF", "OFF", "OFF"]


def test_fence__one_refused__its_session_is_closed_before_anything_is_reverted() -> None:
    scene = Scene(faults={1: Fault.REFUSED})
    refused: list[int] = []

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, Intent) and transition.step.code == "fence" and not refused:
            refused.append(transition.connection_id)
        if isinstance(transition, StepFailed):
            assert refused[0] not in scene.gateway.sessions

    scene.on_transition = on_transition
    assert scene.walk().ended.state == "failed"
    assert refused


def test_fence__one_refused_and_effective_after_all__seen_when_it_is_reverted() -> None:
    """Reverting polls again: what was polled together with the others is older than the failure."""
    scene = Scene(faults={1: Fault.REFUSED})

    def on_transition(transition: Transition) -> None:
        if isinstance(transition, StepFailed):
            scene.world.node("a1").variables["read_only"] = "ON"

    scene.on_transition = on_transition
    assert scene.walk().ended.state == "failed"
    assert scene.fences() == ["OFF", "OFF", "OFF"]

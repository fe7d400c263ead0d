"""A worker is killed together with the node it had just asked: nothing proceeds, the other nodes are restored."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from backend.clusters.models import Link
from backend.core.topology import Reach
from backend.operations.runs import services
from backend.operations.runs.execution.driver import Driver
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Run, RunState, Statement
from tests.fakes.gateway import FakeGateway, FakeWriter, Fault, ProcessDied, Session
from tests.fakes.sites import passive, plan_switchover
from tests.fakes.world import FakeWorld
from tests.support.console import confirmation, core_plan, make_user, store_plan

pytestmark = pytest.mark.django_db
FENCE, OPEN = "SET GLOBAL read_only=ON", "SET GLOBAL read_only=OFF"


@dataclass
class Scene:
    """A switchover whose plan fences a1, a2 and a3, carried by one worker after the other."""

    world: FakeWorld
    run: Run
    sent: list[tuple[str, str]] = field(default_factory=list)
    sessions: dict[int, Session] = field(default_factory=dict)
    faults: dict[int, Fault] = field(default_factory=dict)

    def drive(self) -> Run:
        """The next worker takes the run as far as it goes, or is killed."""
        Run.objects.filter(pk=self.run.pk, lease_until__isnull=False).update(lease_until=Now() - timedelta(seconds=1))
        store = RunStore(self.run.pk, "w")
        assert store.claim(30)
        driver = Driver(store, store.run())
        gateway = FakeGateway(self.world, sent=self.sent, sessions=self.sessions, faults=self.faults)
        try:
            if driver._kill_predecessor_sessions(gateway):  # type: ignore[arg-type]
                driver._walk(gateway)  # type: ignore[arg-type]
        except ProcessDied:
            pass
        self.run.refresh_from_db()
        return self.run

    def fences(self) -> dict[str, str]:
        """`read_only` of the active side."""
        return {node.name: node.variables["read_only"] for node in self.world.a.nodes}


@pytest.fixture
def scene(link: Link) -> Scene:
    """The first worker was killed with a2's fence on its way; behind the fences the roles would be swapped."""
    make_user("nora", "operator")
    world = passive(FakeWorld.classic())
    world.remember()
    steps = [step for step in plan_switchover(world).steps if step.code in ("fence", "swap_roles")]
    numbered = tuple(replace(step, index=i) for i, step in enumerate(steps))
    plan = store_plan(link, replace(core_plan(link), steps=numbered))
    made = Scene(world, services.run_start(actor="nora", plan=plan, **confirmation(plan)))
    made.faults[2] = Fault.DIES_LATE
    made.drive()
    assert made.sent == [("a1", FENCE), ("a2", FENCE)]
    assert made.fences() == {"a1": "ON", "a2": "OFF", "a3": "OFF"}
    return made


def statements() -> list[tuple[str, str, str]]:
    """As the record has them, oldest first."""
    return list(Statement.objects.order_by("pk").values_list("node", "sql", "state"))


def assert_restored_but_a2(scene: Scene) -> None:
    """a1 accepts writes again, a2 was left alone, and the record names it."""
    assert scene.sent == [("a1", FENCE), ("a2", FENCE), ("a1", OPEN)]
    assert scene.fences()["a1"] == "OFF"
    run = scene.run
    assert run.state == RunState.NEEDS_OPERATOR
    assert "Restoring a2 failed: a2: a statement of an earlier worker may still run there" in run.outcome
    onward = "Or resume the run once the node responds, or create a new plan."
    assert run.next_action == f"Restore a2 by hand: {OPEN}. {onward}"
    assert statements()[1] == ("a2", FENCE, "intended")


@pytest.mark.parametrize("reach", [Reach.DOWN, Reach.HUNG])
def test_worker_and_node_die__way_back_open__all_other_nodes_are_restored(scene: Scene, reach: Reach) -> None:
    scene.world.node("a2").reach = reach
    scene.drive()
    assert_restored_but_a2(scene)
    assert "could not be ended: a2: cannot connect." in scene.run.outcome


def test_worker_and_node_die__aborted__all_other_nodes_are_restored(scene: Scene) -> None:
    scene.world.node("a2").reach = Reach.DOWN
    Run.objects.filter(pk=scene.run.pk).update(abort_requested_at=Now(), abort_requested_by="nora")
    scene.drive()
    assert_restored_but_a2(scene)
    assert scene.run.outcome.startswith("Aborted by an operator. Restoring a2 failed")


def test_node_thaws_behind_the_vain_kill__not_looked_at_while_its_session_may_live(scene: Scene) -> None:
    """A look would show it open, the fence would come a moment later, and the run would have told it restored."""
    scene.world.node("a2").reach = Reach.HUNG

    def thaw() -> None:
        scene.world.node("a2").reach = Reach.UP

    scene.world.on_tick = thaw
    scene.drive()
    assert scene.world.node("a2").is_up
    assert_restored_but_a2(scene)


def test_session_does_not_end__nothing_goes_forward(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeWriter, "kill_session", lambda self, connection_id: self.node.name != "a2")
    scene.drive()
    assert_restored_but_a2(scene)
    assert "does not end" in scene.run.outcome


def test_node_answers_again__resumed__its_session_is_ended_and_it_is_restored(scene: Scene) -> None:
    """Also where the fence had taken effect before the node stopped responding; the run never goes forward again."""
    scene.world.node("a2").reach = Reach.HUNG
    scene.drive()
    scene.world.node("a2").reach = Reach.UP
    scene.world.node("a2").variables["read_only"] = "ON"
    services.run_resume(actor="nora", run=scene.run, comment="it thawed")
    scene.drive()
    assert scene.sent[3:] == [("a2", OPEN)]
    assert (scene.run.state, scene.fences()) == (RunState.FAILED, {"a1": "OFF", "a2": "OFF", "a3": "OFF"})
    assert statements()[1] == ("a2", FENCE, "observed")


def test_worker_and_node_die__no_way_back__handed_over_untouched(scene: Scene) -> None:
    Run.objects.filter(pk=scene.run.pk).update(point_of_no_return_passed=True)
    scene.world.node("a2").reach = Reach.DOWN
    scene.drive()
    assert len(scene.sent) == 2
    assert (scene.run.state, scene.fences()["a1"]) == (RunState.NEEDS_OPERATOR, "ON")
    assert "a2: cannot connect" in scene.run.outcome

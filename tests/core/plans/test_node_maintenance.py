"""A node's maintenance: refused where quorum, channel, donor or time speak against it, or are unknown."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.adviser.node_absence.forecast import Unlimited
from backend.core.adviser.node_absence.freeze import NOT_FROZEN, OPTION
from backend.core.estimates import Unknown
from backend.core.plan import Plan
from tests.core.builders.maintained_worlds import QUIET, plan_for, world
from tests.fakes.console import FakeConsole
from tests.fakes.driver import Memory, Walker, run_to_end
from tests.fakes.gateway import FakeGateway


def refusing(plan: Plan) -> set[str]:
    """Codes that refuse."""
    return {f.code for f in plan.findings if f.refuses}


def test_plan__sound__donor_chosen_nothing_frozen_and_the_reason_said() -> None:
    plan = plan_for(world())
    assert refusing(plan) == set()
    assert plan.target["replica_name"] == "a2"
    codes = [step.code for step in plan.steps]
    assert codes == ["recheck", "read_gcaches", "open_maintenance", "skip_freeze", "allow_stop"]
    assert not any(step.sql for step in plan.steps)
    assert {"maintenance_no_spare_vote", "maintenance_freeze_missing"} <= {f.code for f in plan.findings}


def test_plan__provider_can_freeze__one_statement_with_its_undo() -> None:
    (step,) = [s for s in plan_for(world(**{OPTION: NOT_FROZEN})).steps if s.sql]
    assert step.node == "a2"
    assert step.sql[0].startswith(f"SET GLOBAL wsrep_provider_options = '{OPTION}=")
    assert step.undo == (f"SET GLOBAL wsrep_provider_options = '{OPTION}=-1'",)


@pytest.mark.parametrize(
    ("node", "given", "code"),
    [
        ("a1", {}, "maintenance_node_has_channel"),
        ("b1", {}, "maintenance_node_has_channel"),
        ("a3", {"other_links": ("orders",)}, "maintenance_node_has_channel"),
        ("a3", {"open_id": "b_1"}, "maintenance_open"),
        ("a3", {"chosen": "n_a1"}, "maintenance_donor_unfit"),
        ("a3", {"shares": {}}, "maintenance_donor_unknown"),
        ("a3", {"time": Unknown("not counted")}, "maintenance_time_unknown"),
        ("a3", {"time": 599.0}, "maintenance_time_short"),
    ],
)
def test_plan__speaks_against_it_or_is_unknown__refused(node: str, given: dict[str, Any], code: str) -> None:
    plan = plan_for(world(), node, **given)
    assert refusing(plan) == {code}
    assert plan.steps == ()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"time": 599.0, "accepts_sst": True}, "maintenance_time_short"),
        ({"time": 601.0}, "maintenance_time_limited"),
        ({"time": Unlimited("Nothing was written.")}, "maintenance_time_ample"),
        ({"shares": QUIET | {"n_a2": 0.5}}, "maintenance_donor_compromise"),
    ],
)
def test_plan__accepted_or_only_limited__ready_and_said(given: dict[str, Any], code: str) -> None:
    plan = plan_for(world(), **given)
    assert refusing(plan) == set()
    assert code in {f.code for f in plan.findings}


def test_plan__link_node_of_another_side_unread__refused() -> None:
    made = world()
    made.node("b2").are_channels_readable = False
    assert "maintenance_channels_unknown" in refusing(plan_for(made))


@pytest.mark.parametrize(
    ("spoilt", "code"),
    [({"pc.weight": ""}, "maintenance_votes_unknown"), ({"gcache.size": ""}, "maintenance_freeze_unknown")],
)
def test_plan__options_unread__refused(spoilt: dict[str, str], code: str) -> None:
    made = world()
    for node in made.a.nodes:
        node.variables = {k: v for k, v in node.variables.items() if k not in spoilt}
    assert code in refusing(plan_for(made))


def test_plan__one_of_two_members__quorum_lost() -> None:
    made = world()
    made.kill("a2")
    plan = plan_for(made)
    assert "maintenance_quorum_lost" in refusing(plan)


def test_plan__heavier_node__its_votes_count() -> None:
    made = world()
    made.node("a3").variables["pc.weight"] = "2"
    assert "maintenance_quorum_lost" in refusing(plan_for(made))


def test_plan__frozen_by_somebody_else__refused() -> None:
    assert refusing(plan_for(world(**{OPTION: "77"}))) == {"maintenance_frozen_already"}


def test_run__cannot_freeze__sends_nothing_and_allows_the_stop() -> None:
    made, console = world(), FakeConsole()
    memory = run_to_end(made, plan_for(made), console=console)
    assert memory.ended.state == "succeeded", memory.failures
    assert made.executed == []
    assert console.acts == ["maintenance opened", "stop allowed"]


def test_run__ended_before_the_stop__undone_and_unfrozen() -> None:
    made, console = world(**{OPTION: NOT_FROZEN}), FakeConsole()
    plan = plan_for(made)

    def end(transition: object) -> None:
        step = getattr(transition, "step", None)
        console.is_maintenance_ended = step is not None and step.code == "allow_stop"

    memory = run_to_end(made, plan, console=console, on_transition=end)
    assert memory.ended.state == "failed"
    assert made.node("a2").variables[OPTION] == NOT_FROZEN
    assert [one.sql for one in made.executed] == [*plan.steps[3].sql, *plan.steps[3].undo]


@pytest.mark.parametrize("dies_after_storing", [True, False])
def test_run__dies_at_any_transition_and_is_aborted__never_left_frozen(dies_after_storing: bool) -> None:
    for dies_at in range(1, 14):
        made = world(**{OPTION: NOT_FROZEN})
        memory = Memory(plan_for(made))
        Walker(made, FakeGateway(made), memory, dies_at=dies_at, dies_after_storing=dies_after_storing).run()
        if memory.end is None:
            memory.request_abort()
            Walker(made, FakeGateway(made), memory).run()
        if memory.ended.state != "succeeded":
            assert made.node("a2").variables[OPTION] == NOT_FROZEN, dies_at

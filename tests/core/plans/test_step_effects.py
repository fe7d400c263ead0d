"""What a plan says that a step changes, against what its steps send."""

from __future__ import annotations

import pytest

from backend.core.plans.step_effects import EFFECTS, ShownEffect, StepEffect, effect_of
from backend.core.steps.registry import STEP_KINDS, carries_rows
from tests.core.builders.situations import SITUATIONS, Situation
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld

WITHOUT_STATEMENT = {StepEffect.READS, StepEffect.CHANGES_RECORDS, StepEffect.CALLS_WEBHOOK}
"""Effects of steps that send nothing to a server."""


def _switchover() -> tuple[FakeWorld, object]:
    world = passive(FakeWorld.classic())
    return world, plan_switchover(world, rejects_queries=True, may_reject={n.ref.id: True for n in world.nodes})


def _failover() -> tuple[FakeWorld, object]:
    world = passive(FakeWorld.classic())
    for name in ("a1", "a2"):
        world.kill(name, is_expelled=False)
    return world, plan_failover(world, overrides_partition=True)


PLANS = (*SITUATIONS, Situation("switchover", _switchover), Situation("failover", _failover))  # type: ignore[arg-type]


def test_effect__every_kind_of_step__has_one() -> None:
    assert EFFECTS.keys() == STEP_KINDS.keys()
    assert StepEffect.UNKNOWN not in EFFECTS.values()
    assert set(EFFECTS.values()) | {StepEffect.UNKNOWN} == set(StepEffect)


def test_effect__code_of_another_version__unknown_and_not_harmless() -> None:
    expected = ShownEffect(StepEffect.UNKNOWN, "This version of Hawser does not know this step.")
    assert effect_of("teleport") == expected


@pytest.mark.parametrize("built", PLANS, ids=[one.name for one in PLANS])
def test_effect__step_with_a_statement__changes_something_on_a_server(built: Situation) -> None:
    _, plan = built.build()
    assert plan.steps
    for step in plan.steps:
        assert bool(step.sql) is (effect_of(step.code).kind not in WITHOUT_STATEMENT), step.code


@pytest.mark.parametrize("code", STEP_KINDS)
def test_effect__rows_of_the_application__are_said_to_be_written(code: str) -> None:
    assert carries_rows(code) is (effect_of(code).kind is StepEffect.WRITES_ROWS)


@pytest.mark.parametrize(
    ("code", "kind", "sentence"),
    [
        ("recheck", "reads", "Reads only; changes nothing."),
        ("verify_fence", "reads", "Attempts a write that must fail; changes nothing."),
        ("swap_roles", "changes_records", "Changes Hawser's records, nothing on the servers."),
        ("hook", "calls_webhook", "Calls the webhook."),
        ("fence", "stops_writes", "Closes the node to writes."),
        ("reject_queries", "stops_writes", "Rejects all queries of clients on the node."),
        ("unfence", "allows_writes", "Opens the node to writes."),
        (
            "replay",
            "writes_rows",
            "Writes the rows of the orphans, one transaction at a time. Each row is compared first.",
        ),
        (
            "undo_orphans",
            "writes_rows",
            "Reverts the rows of the orphans, one transaction at a time. Each row is compared first.",
        ),
    ],
)
def test_effect__said_in_a_sentence(code: str, kind: str, sentence: str) -> None:
    assert effect_of(code) == ShownEffect(StepEffect(kind), sentence)

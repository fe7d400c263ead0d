"""What is told of a run: every kind, every end, and what is unknown is said so."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from backend.core.history.loss import LossState, loss_of
from backend.core.history.sentence import describe
from backend.core.history.stored_run import StoredApproval, StoredRun
from backend.core.history.times import short
from tests.fakes.history import T0, requested, walked
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld
from tests.scenarios.cases import CASES

BEN = StoredApproval("ben", T0)
SHELL = StoredApproval("break-glass eve", T0, is_exception=True)


@pytest.fixture(scope="module")
def moved() -> StoredRun:
    return walked(*CASES["source_lost"]())


@pytest.fixture(scope="module")
def failed_over() -> StoredRun:
    world = passive(FakeWorld().classic())
    for node in world.a.nodes:
        world.kill(node.name)
    return walked(world, plan_failover(world))


def divergence(run: StoredRun, **facts: Any) -> StoredRun:
    """The run with these facts of its divergence."""
    steps = tuple(
        replace(step, facts={"divergence": facts}) if step.code == "record_divergence" else step for step in run.steps
    )
    return replace(run, steps=steps)


def test_tell__relocate__who_what_where_why_outcome_and_loss(moved: StoredRun) -> None:
    assert describe(replace(moved, approvals=(BEN,))).sentence == (
        "anna, approved by ben, moved the channels of payments. "
        "Forward channel from a1 → b1 to a2 → b1; "
        "reverse channel from b1 → a1 (as recorded; its node did not respond) to b1 → a2 (running). "
        "Forward resumed at mariadb-bin.000014:4704 (GTID 0-11-12) of a2; "
        "reverse resumed at mariadb-bin.000007:4244 (GTID 0-22-11) of b1. "
        "Reason: “disk failed”. Succeeded after 9.40 s, verified. Nothing lost, verified."
    )


def test_tell__switchover__sides_and_the_write_pause() -> None:
    world = passive(FakeWorld().classic())
    reported = describe(walked(world, plan_switchover(world)))
    assert reported.who_and_what == "anna switched payments over from cluster-a to cluster-b."
    assert reported.from_to.startswith("Active side from cluster-a to cluster-b; standby side from cluster-b")
    assert "writes were paused for" in reported.outcome
    assert reported.loss == "Nothing lost, verified."


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"approvals": (SHELL,)}, "anna, without a second person, let through by break-glass eve, not reviewed yet, "),
        (
            {"approvals": (replace(SHELL, reviewed_by="ben"),)},
            "anna, without a second person, let through by break-glass eve, reviewed by ben, ",
        ),
        ({"requested_by": "automation"}, "Hawser (automation) moved the channels of payments."),
        ({"requested_by": ""}, "An unknown person moved the channels of payments."),
        ({"reason": " "}, "No reason was given."),
        ({"verification": {"verdict": "partly"}}, "verified only in part. The plan stated no loss; the result was"),
        ({"verification": None}, "Succeeded after 9.40 s, not verified."),
        ({"state": "failed", "outcome": "b1 hung."}, "tried to move the channels of payments."),
        ({"state": "failed", "outcome": "b1 hung."}, "Failed after 9.40 s: b1 hung. Loss unknown: the run did not"),
        ({"state": "aborted", "aborted_by": "carl"}, "Aborted by carl after 9.40 s. Loss unknown"),
        ({"state": "aborted"}, "Aborted by an unknown person after"),
        ({"state": "needs_operator"}, "It stopped and needs an operator. Loss unknown"),
        ({"ended_at": None}, "Succeeded after an unknown time"),
        ({"kind": "later_kind"}, "anna ran later_kind on payments."),
    ],
)
def test_tell__each_end__in_its_words(moved: StoredRun, changes: dict[str, Any], text: str) -> None:
    assert text in describe(replace(moved, **changes)).sentence


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ("waiting_approval", "anna, not approved so far, asked to move the channels of payments."),
        ("waiting_approval", "It waits for an approval. No step was started, so nothing was lost."),
        ("queued", "It is queued."),
    ],
)
def test_tell__not_begun__asked_and_nothing_lost(state: str, text: str) -> None:
    run = replace(requested(*CASES["source_lost"]()), state=state, needs_approval=True)
    assert text in describe(run).sentence


@pytest.mark.parametrize(
    ("facts", "state", "count", "text"),
    [
        ({"lost_transactions": None}, LossState.UNKNOWN, None, "Loss unknown: it could not be counted"),
        ({"lost_transactions": 0}, LossState.COUNTED, 0, "what the lost side wrote after it was last read is unknown"),
        ({"lost_transactions": 1, "lost_s": 2.0}, LossState.COUNTED, 1, "1 known transaction (2 s) lost; later writes"),
        ({"lost_transactions": 5000}, LossState.COUNTED, 5000, "5,000 known transactions lost; later writes"),
        ({}, LossState.UNKNOWN, None, "Loss unknown"),
    ],
)
def test_loss__failover__what_was_counted_and_never_a_verified_zero(
    failed_over: StoredRun, facts: dict[str, Any], state: LossState, count: int | None, text: str
) -> None:
    loss = loss_of(divergence(failed_over, **facts))
    assert (loss.state, loss.transactions) == (state, count)
    assert text in loss.sentence


@pytest.mark.parametrize("kind", ["failover", "remove_channels", "fence_returned_side"])
def test_loss__kind_that_compares_nothing__its_zero_is_only_stated(moved: StoredRun, kind: str) -> None:
    assert loss_of(replace(moved, kind=kind)).state is LossState.STATED


def test_loss__plan_without_a_loss__unknown(moved: StoredRun) -> None:
    assert loss_of(replace(moved, plan={**moved.plan, "loss": {}})).state is LossState.UNKNOWN


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "an unknown time"), (0.8349, "0.83 s"), (12.34, "12.3 s"), (60, "1 min"), (250, "4 min 10 s"),
     (7500, "2 h 5 min"), (86_400, "1 d"), (273_600, "3 d 4 h")],
)  # fmt: skip
def test_short__each_size__as_people_say_it(seconds: float | None, text: str) -> None:
    assert short(seconds) == text


def test_tell__time_runs_backwards__no_negative_duration(moved: StoredRun) -> None:
    assert "after 0.00 s" in describe(replace(moved, ended_at=T0 - timedelta(seconds=5))).outcome

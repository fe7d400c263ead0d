"""What is told of a run: every kind, every end, and what is unknown is said so."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from backend.core.history.loss import LossState, loss_of, stated_loss
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
    world = passive(FakeWorld.classic())
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
    world = passive(FakeWorld.classic())
    reported = describe(walked(world, plan_switchover(world)))
    assert reported.who_and_what == "anna switched payments over from cluster-a to cluster-b."
    assert reported.from_to.startswith("Active side from cluster-a to cluster-b; standby side from cluster-b")
    assert "writes were paused for" in reported.outcome
    assert reported.loss == "Nothing lost, verified."


def settled(choice: str, orphaned: int | None, replayed: int | None, lost: int | None) -> dict[str, Any]:
    """What a reprotect recorded."""
    return {"choice": choice, "orphaned": orphaned, "replayed": replayed, "lost": lost}


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
        ({"lost_transactions": None}, LossState.UNKNOWN, None, "Loss unknown: nothing that was read of cluster-a"),
        ({"lost_transactions": 0}, LossState.COUNTED, 0, "has arrived; what it wrote later is unknown"),
        (
            {"lost_transactions": 1},
            LossState.COUNTED,
            1,
            "At least 1 transaction of cluster-a has not arrived; not yet",
        ),
        (
            {"lost_transactions": 5000, "last_seen_at_s": 1_800_000_000.0},
            LossState.COUNTED,
            5000,
            "At least 5,000 transactions of cluster-a (read up to 2027-01-15 08:00:00 UTC) have not arrived",
        ),
        ({}, LossState.UNKNOWN, None, "Loss unknown"),
    ],
)
def test_loss__failover__what_was_counted_and_never_a_verified_zero(
    failed_over: StoredRun, facts: dict[str, Any], state: LossState, count: int | None, text: str
) -> None:
    loss = loss_of(divergence(failed_over, **facts))
    assert (loss.state, loss.transactions) == (state, count)
    assert text in loss.sentence


def test_loss__failover_counted_in_what_was_read__a_lower_bound_and_no_more(failed_over: StoredRun) -> None:
    loss = loss_of(divergence(failed_over, lost_transactions=20, last_seen_at_s=1_800_000_000.0))
    assert (loss.at_least, loss.is_exact, loss.counted_by) == (20, False, "logs_read")
    assert loss.read_at is not None
    assert "can be replayed" in loss.sentence


@pytest.mark.parametrize(
    ("recorded", "state", "text"),
    [
        ({"orphaned": 26}, LossState.ORPHANED, "26 orphaned transactions on the side that returned, all counted."),
        ({"orphaned": 0}, LossState.ORPHANED, "Nothing lost: the side that returned has no orphaned transaction"),
        ({"outcome": settled("replay", 26, 26, 0)}, LossState.SETTLED, "26 orphaned transactions: 26 replayed, 0 lost"),
        ({"outcome": settled("replay", 26, 25, 1)}, LossState.SETTLED, "26 orphaned transactions: 25 replayed, 1 lost"),
        ({"outcome": settled("undo", 26, 0, 26)}, LossState.SETTLED, "26 orphaned transactions: 26 undone and lost"),
        ({"outcome": settled("rebuild", 2, 0, 2)}, LossState.SETTLED, "2 discarded by the rebuild and lost"),
        (
            {"outcome": settled("rebuild", None, None, None)},
            LossState.SETTLED,
            "The number of orphaned transactions is",
        ),
        ({"outcome": settled("attach", 0, 0, 0)}, LossState.SETTLED, "Nothing lost: the side that returned had no"),
    ],
)
def test_loss__failover_whose_orphans_are_known__told_anew(
    failed_over: StoredRun, recorded: dict[str, Any], state: LossState, text: str
) -> None:
    loss = loss_of(replace(divergence(failed_over, lost_transactions=20), divergence=recorded))
    assert (loss.state, loss.counted_by) == (state, "orphans")
    assert text in loss.sentence
    assert loss.is_exact is (recorded.get("outcome") != settled("rebuild", None, None, None))


@pytest.mark.parametrize(
    ("way", "skip", "text"),
    [
        ("replay", [], "26 orphaned transactions: 26 replayed, 0 lost."),
        ("replay", [3, 9], "26 orphaned transactions: 24 replayed, 2 lost."),
        ("undo", [], "26 orphaned transactions: 26 undone and lost."),
        ("fence", [], "Nothing lost, verified."),
    ],
)
def test_tell__reprotect__what_became_of_the_orphans(moved: StoredRun, way: str, skip: list[int], text: str) -> None:
    steps = [*moved.plan["steps"], {"code": "replay", "params": {"skip": skip}}]
    found = {"orphans": {"state": "found", "transactions": 26}}
    plan = {**moved.plan, "steps": steps, "options": {"orphans": way}, "situation": found}
    assert describe(replace(moved, kind="reprotect", plan=plan)).loss == text


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


@pytest.mark.parametrize(
    ("kind", "loss", "expected"),
    [
        ("failover", {"transactions": 0, "seconds": 1.0, "detail": "-"}, (0, False, None)),
        (
            "failover",
            {"transactions": None, "at_least": 7, "is_exact": False, "counted_by": "logs_read"},
            (7, False, "logs_read"),
        ),
        ("switchover", {"transactions": 0, "seconds": 0, "detail": "-"}, (0, True, None)),
        ("remove_channels", {"transactions": 3}, (3, False, None)),
    ],
)
def test_stated_loss__each_kind__a_lost_side_is_never_counted_exactly(
    kind: str, loss: dict[str, Any], expected: tuple[int, bool, str | None]
) -> None:
    shown = stated_loss(kind, loss)
    assert (shown["at_least"], shown["is_exact"], shown["counted_by"]) == expected

"""A statement without a known outcome is settled, once, by what its step does after it looked at the server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.clusters.models import Link
from backend.core.runner import Intent, Outcome, StepDone, StepUndone, Transition
from backend.monitoring.models import StrayChannel
from backend.operations.runs.execution.claim import StaleEpochError
from backend.operations.runs.execution.transition_recorder import TransitionRecorder
from backend.operations.runs.models import Run, Statement
from tests.backend.execution.open_statements import START, STEPS, STOP, intent, lapse, run, states, worker

__all__ = ["run"]

pytestmark = pytest.mark.django_db


def keep(keeper: TransitionRecorder, *transitions: Transition) -> None:
    """What the walk yields."""
    for transition in transitions:
        keeper.record(transition)


def test_replay__worker_dies_behind_a_commit__that_transaction_is_told_as_done(run: Run) -> None:
    keep(worker(run), intent(1, "INSERT 1", {"transaction": 4}))
    successor = worker(run)
    keep(successor, intent(1, "INSERT 1", {"transaction": 5}))
    assert states() == ["observed", "intended"]
    keep(worker(run), intent(1, "INSERT 1", {"transaction": 5}))
    assert states() == ["observed", "failed", "intended"]
    assert "observed on the server" in Statement.objects.get(state="failed").error


def test_intent__lease_lapsed_while_the_worker_slept__the_statement_does_not_leave(run: Run) -> None:
    driver = worker(run)
    lapse(run)
    with pytest.raises(StaleEpochError):
        keep(driver, intent(0, STOP))
    assert states() == ["intended"]


def test_intent__of_a_point__is_remembered_before_the_statement_leaves(run: Run, link: Link) -> None:
    node = link.standby_cluster.nodes.order_by("name")[0]
    point = replace(STEPS[2], node_id=node.id, params={"name": "link1"})
    undone, sent = Intent(point, STOP, 7, {}, is_undo=True), Intent(point, point.sql[0], 7, {})
    driver = worker(run)
    keep(driver, undone)
    assert not StrayChannel.objects.exists()
    lapse(run)
    with pytest.raises(StaleEpochError):
        keep(driver, sent)
    assert [left.node_id for left in StrayChannel.objects.all()] == [node.id]


def test_statement__sent_again_after_a_look__the_first_is_told_as_nothing(run: Run) -> None:
    """Its secrets are masked in the record and are marks in the walk."""
    keep(worker(run), intent(2, STEPS[2].sql[0]))
    keep(worker(run), intent(2, STEPS[2].sql[0]))
    assert states() == ["failed", "intended"]


def test_statement__unknown_and_seen_done_in_one_walk__nothing_is_left_for_a_successor_to_end(run: Run) -> None:
    driver = worker(run)
    keep(driver, intent(0, STOP), Outcome(STEPS[0], "indeterminate", error="no answer"))
    assert [left.sql for left in driver._store.open_statements()] == [STOP]
    keep(driver, StepDone(STEPS[0], "stopped", {}))
    assert (states(), driver._store.open_statements()) == (["observed"], [])


def test_statement__unknown_and_sent_again_in_one_walk__each_told_as_it_was(run: Run) -> None:
    driver = worker(run)
    lost = Outcome(STEPS[0], "indeterminate", error="no answer")
    keep(driver, intent(0, STOP), lost, intent(0, STOP), lost, StepDone(STEPS[0], "stopped", {}))
    assert states() == ["failed", "observed"]


def test_stop__taken_back__was_done(run: Run) -> None:
    keep(worker(run), intent(0, STOP))
    undone = StepUndone(STEPS[0], "runs again")
    keep(worker(run), intent(0, START, is_undo=True), Outcome(STEPS[0], "ok"), undone)
    assert states() == ["observed", "ok"]


def test_stop__nothing_to_take_back__was_never_done(run: Run) -> None:
    keep(worker(run), intent(0, STOP))
    keep(worker(run), StepUndone(STEPS[0], "runs as before"))
    assert states() == ["failed"]


def test_undo__seen_done_by_a_successor__is_told_as_done(run: Run) -> None:
    keep(worker(run), intent(0, STOP), Outcome(STEPS[0], "ok"), intent(0, START, is_undo=True))
    keep(worker(run), StepUndone(STEPS[0], "runs again"))
    assert states() == ["ok", "observed"]


def test_resolving__one_step__leaves_the_statements_of_others_open(run: Run) -> None:
    keep(worker(run), intent(0, STOP), intent(2, "CHANGE MASTER"))
    keep(worker(run), StepDone(STEPS[0], "stopped", {}))
    assert states() == ["observed", "intended"]

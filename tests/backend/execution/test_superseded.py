"""Who goes on, in a run or in the place of a stopped one, first ends what was left under way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from backend.clusters.models import Link
from backend.core.ports import NodeError
from backend.operations.runs import services
from backend.operations.runs.execution.driver import Driver
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Run, RunState, StatementState
from tests.support.console import confirmation, make_user, store_plan

pytestmark = pytest.mark.django_db


@dataclass
class Sessions:
    """A gateway whose writers only end sessions; `answers`: True, False or an error (`is_once`: the first time)."""

    answers: Any = True
    is_once: bool = False
    ended: list[tuple[str, int]] = field(default_factory=list)

    def writer(self, node_id: str) -> Sessions:
        self.node_id = node_id
        return self

    def kill_session(self, connection_id: int) -> bool:
        if isinstance(self.answers, NodeError):
            error, self.answers = self.answers, True if self.is_once else self.answers
            raise error
        self.ended.append((self.node_id, connection_id))
        return bool(self.answers)

    def close(self) -> None:
        """Nothing stands."""


@pytest.fixture
def successor(link: Link) -> RunStore:
    """A claimed run that superseded one with a statement of unknown outcome and one that is done."""
    make_user("nora", "operator")
    plan = store_plan(link)
    first = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    store = RunStore(first.id, "w1")
    assert store.claim(30)
    done = store.intent(0, node_id="n_a", node="a", sql="STOP SLAVE", connection_id=7)
    store.outcome(done, StatementState.OK)
    store.intent(1, node_id="n_b", node="b", sql="START SLAVE", connection_id=9)
    Run.objects.filter(pk=first.pk).update(state=RunState.NEEDS_OPERATOR.value, lease_until=None)
    newer = store_plan(link)
    second = RunStore(services.run_start(actor="nora", plan=newer, **confirmation(newer)).id, "w2")
    assert second.claim(30)
    return second


def fenced(store: RunStore, sessions: Sessions) -> bool:
    """Whether the driver of that run would go on."""
    return Driver(store, store.run())._kill_predecessor_sessions(sessions)  # type: ignore[arg-type]


@pytest.fixture
def overtaken(link: Link) -> RunStore:
    """A run whose worker was killed over a statement of unknown outcome, claimed by the next one."""
    make_user("nora", "operator")
    plan = store_plan(link)
    run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    dead, store = RunStore(run.pk, "w1"), RunStore(run.pk, "w2")
    assert dead.claim(30)
    dead.intent(0, node_id="n_a", node="a", sql="STOP SLAVE", connection_id=7)
    dead.release()
    assert store.claim(30)
    return store


def test_takeover__statement_of_the_worker_before__its_session_is_ended_first(overtaken: RunStore) -> None:
    sessions = Sessions()
    assert fenced(overtaken, sessions)
    assert sessions.ended == [("n_a", 7)]


def test_takeover__session_of_the_worker_before_does_not_end__goes_backwards_only(overtaken: RunStore) -> None:
    assert fenced(overtaken, Sessions(answers=False))
    assert "does not end" in str(overtaken.run().facts.get("undoing"))


@pytest.mark.parametrize("is_silent", [True, False])
def test_takeover__its_node_does_not_answer__goes_backwards_only(overtaken: RunStore, is_silent: bool) -> None:
    assert fenced(overtaken, Sessions(answers=NodeError("a", "no answer", indeterminate=is_silent)))
    assert "no answer" in str(overtaken.run().facts.get("undoing"))


def test_successor__statement_of_the_superseded_run__its_session_is_ended_first(successor: RunStore) -> None:
    sessions = Sessions()
    assert fenced(successor, sessions)
    assert sessions.ended == [("n_b", 9)]


def test_successor__session_does_not_end__handed_to_an_operator(successor: RunStore) -> None:
    assert not fenced(successor, Sessions(answers=False))
    run = successor.run()
    assert run.state == RunState.NEEDS_OPERATOR
    assert "superseded run could not be ended" in run.outcome


def test_successor__its_node_does_not_answer__goes_on(successor: RunStore) -> None:
    """The plan that moves the link off a dead node never waits for that node."""
    assert fenced(
        successor, Sessions(answers=NodeError("b", "connection refused: no server is listening on this port"))
    )


def test_successor__the_answer_is_cut_off__asked_once_more(successor: RunStore) -> None:
    cut = NodeError("b", "lost connection during query", indeterminate=True)
    sessions = Sessions(answers=cut, is_once=True)
    assert fenced(successor, sessions)
    assert sessions.ended == [("n_b", 9)]


def test_other_run__not_the_successor__ends_nothing(successor: RunStore, link: Link) -> None:
    successor.run_finished(RunState.FAILED, outcome="x")
    plan = store_plan(link)
    other = RunStore(services.run_start(actor="nora", plan=plan, **confirmation(plan)).id, "w3")
    assert other.claim(30)
    sessions = Sessions()
    assert fenced(other, sessions)
    assert sessions.ended == []

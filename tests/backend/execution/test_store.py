"""A worker's hold on a run: one at a time, fenced by its epoch."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db.models.functions import Now

from backend.audit.models import AuditRecord
from backend.audit.verification.walk import verify
from backend.common.errors import ProblemError
from backend.common.events.models import Event
from backend.identity.accounts import services as accounts
from backend.operations.runs import services
from backend.operations.runs.execution.claim import StaleEpochError
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan, Run, RunState, RunStep, Statement, StatementState, StepState
from tests.support.concurrently import concurrently
from tests.support.console import confirmation, make_link, make_user, store_plan


def _lapse(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(lease_until=Now() - timedelta(seconds=1))


def test_claim__free_run__once_until_the_lease_lapses(run: Run) -> None:
    first, second = RunStore(run.id, "w1"), RunStore(run.id, "w2")
    assert first.claim(30) == 1
    assert second.claim(30) is None
    assert first.claim(30) is None
    _lapse(run)
    assert second.claim(30) == 2
    fresh = Run.objects.get(pk=run.pk)
    assert (fresh.state, fresh.owner, fresh.epoch) == ("running", "w2", 2)


def test_claim__released__is_free_at_once(run: Run) -> None:
    first, second = RunStore(run.id, "w1"), RunStore(run.id, "w2")
    first.claim(300)
    first.release()
    assert second.claim(30) == 2


def test_stale_epoch__every_write__raises_and_changes_nothing(run: Run) -> None:
    old, new = RunStore(run.id, "w1"), RunStore(run.id, "w2")
    old.claim(30)
    statement = old.intent(0, node_id="n_aaaaaaaaaaaa", node="a", sql="STOP SLAVE", connection_id=1)
    _lapse(run)
    new.claim(30)
    before = (Run.objects.values().get(pk=run.pk), list(Statement.objects.values()), list(RunStep.objects.values()))
    writes: list[Callable[[], Any]] = [
        lambda: old.renew(30),
        old.check,
        lambda: old.step_started(0),
        lambda: old.step_finished(0, outcome="x"),
        lambda: old.step_failed(0, outcome="x"),
        lambda: old.intent(0, node_id="n_aaaaaaaaaaaa", node="a", sql="START SLAVE", connection_id=1),
        lambda: old.outcome(statement, StatementState.OK),
        old.pass_point_of_no_return,
        lambda: old.remember({"x": 1}),
        lambda: old.run_finished(RunState.SUCCEEDED, outcome="x"),
    ]
    for write in writes:
        with pytest.raises(StaleEpochError):
            write()
    old.release()
    after = (Run.objects.values().get(pk=run.pk), list(Statement.objects.values()), list(RunStep.objects.values()))
    assert before == after


def test_check__lease_lapsed_and_nobody_came__is_still_refused(run: Run) -> None:
    store = RunStore(run.id, "w1")
    store.claim(30)
    store.check()
    _lapse(run)
    with pytest.raises(StaleEpochError):
        store.check()


def test_intent__crash_before_outcome__is_found_with_its_session_and_pre_image(run: Run) -> None:
    store = RunStore(run.id, "w1")
    store.claim(30)
    store.step_started(1)
    sql = "CHANGE MASTER TO MASTER_PASSWORD={{secret:replication}}"
    store.intent(1, node_id="n_aaaaaaaaaaaa", node="a", sql=sql, connection_id=9, state_before={"io": "No"})
    _lapse(run)
    successor = RunStore(run.id, "w2")
    successor.claim(30)
    (left,) = successor.open_statements()
    assert (left.step_index, left.epoch, left.connection_id, left.state_before) == (1, 1, 9, {"io": "No"})
    assert left.sql == "CHANGE MASTER TO MASTER_PASSWORD=***"
    successor.outcome(left.id, StatementState.OBSERVED)
    assert successor.open_statements() == []


def test_steps__started_twice__counts_attempts_and_keeps_the_first_start(run: Run) -> None:
    store = RunStore(run.id, "w1")
    store.claim(30)
    store.step_started(0)
    started = store.steps()[0].started_at
    store.step_started(0)
    step = store.steps()[0]
    assert (step.attempts, step.started_at, step.state) == (2, started, "running")
    store.step_finished(0, outcome="done", state=StepState.UNDONE)
    assert store.steps()[0].state == "undone"
    with pytest.raises(LookupError):
        store.step_started(99)


def test_version__every_write__grows_and_tells(run: Run) -> None:
    store = RunStore(run.id, "w1")
    versions = [Run.objects.get(pk=run.pk).version]
    for write in (
        lambda: store.claim(30),
        lambda: store.step_started(0),
        lambda: store.step_finished(0, outcome="x"),
        lambda: store.run_finished(RunState.SUCCEEDED, outcome="x"),
    ):
        write()
        versions.append(Run.objects.get(pk=run.pk).version)
    assert versions == sorted(set(versions))
    reported = [event.data["version"] for event in Event.objects.filter(type="run.updated", run_id=run.id)]
    assert reported == versions


def test_end__final_state__frees_the_link_and_nothing_follows(run: Run) -> None:
    store = RunStore(run.id, "w1")
    store.claim(30)
    store.run_finished(RunState.FAILED, outcome="It failed.")
    ended = Run.objects.get(pk=run.pk)
    assert (ended.unfinished_link, ended.state) == (None, "failed")
    assert ended.ended_at is not None
    with pytest.raises(StaleEpochError):
        store.step_started(0)
    assert RunStore(run.id, "w2").claim(30) is None


def test_end__needs_operator__keeps_the_link(run: Run) -> None:
    store = RunStore(run.id, "w1")
    store.claim(30)
    store.run_finished(RunState.NEEDS_OPERATOR, outcome="Stopped.")
    assert Run.objects.get(pk=run.pk).unfinished_link == run.link_id
    assert RunStore(run.id, "w2").claim(30) is None


def test_claim__requester_disabled_before_anything_was_sent__ends_the_run(run: Run) -> None:
    accounts.user_update(actor="t", source="cli", user=make_user("spare", "admin"), role="admin")
    from backend.identity.accounts.models import User

    User.objects.filter(username="nora").update(is_active=False)
    assert RunStore(run.id, "w1").claim(30) is None
    ended = Run.objects.get(pk=run.pk)
    assert (ended.state, ended.unfinished_link) == ("failed", None)
    assert "Nothing was sent" in ended.outcome


def test_claim__requester_disabled_mid_run__the_run_goes_on(run: Run) -> None:
    from backend.identity.accounts.models import User

    RunStore(run.id, "w1").claim(30)
    _lapse(run)
    User.objects.filter(username="nora").update(is_active=False)
    assert RunStore(run.id, "w2").claim(30) == 2


def test_audit__a_whole_run__is_chained_and_names_the_worker(run: Run) -> None:
    store = RunStore(run.id, "w1")
    store.claim(30)
    store.step_started(0)
    statement = store.intent(0, node_id="n_aaaaaaaaaaaa", node="a", sql="STOP SLAVE", connection_id=1)
    store.outcome(statement, StatementState.OK)
    store.run_finished(RunState.SUCCEEDED, outcome="x")
    actions = list(AuditRecord.objects.filter(run_id=run.id).order_by("seq").values_list("action", flat=True))
    assert actions == [
        "api:run:start",
        "worker:run:claim",
        "worker:run:step_running",
        "worker:run:statement_intent",
        "worker:run:statement_outcome",
        "worker:run:succeeded",
    ]
    assert verify()["ok"]


def test_race__eight_operators_start_on_one_link__one_wins_the_rest_are_told_who(emptied: None) -> None:
    link = make_link()
    make_user("nora", "operator")
    plans = [store_plan(link) for _ in range(8)]
    won: list[str] = []
    lost: list[tuple[str, str]] = []

    def start(plan: Plan) -> None:
        try:
            won.append(services.run_start(actor="nora", plan=plan, **confirmation(plan)).id)
        except ProblemError as problem:
            lost.append((problem.code, problem.extra["run_id"]))

    concurrently(*(partial(start, plan) for plan in plans))
    assert len(won) == 1
    assert set(lost) == {("run_unfinished", won[0])}
    assert len(lost) == 7
    assert Run.objects.count() == 1
    assert verify()["ok"]


def test_race__eight_workers_claim_one_run__one_gets_it(emptied: None) -> None:
    plan = store_plan(make_link())
    make_user("nora", "operator")
    run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    epochs: list[int | None] = []

    def claim(owner: str) -> None:
        epochs.append(RunStore(run.id, owner).claim(30))

    concurrently(*(partial(claim, f"w{n}") for n in range(8)))
    assert sorted(epoch for epoch in epochs if epoch) == [1]
    assert len(epochs) == 8


def test_race__abort_against_the_point_of_no_return__exactly_one_wins(emptied: None) -> None:
    make_user("nora", "operator")
    link = make_link()
    outcomes = []
    for _ in range(6):
        plan = store_plan(link)
        run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
        store = RunStore(run.id, "w")
        store.claim(30)
        passed: list[bool] = []
        granted: list[bool] = []

        def abort(run: Run = run, granted: list[bool] = granted) -> None:
            try:
                services.run_abort(actor="nora", run=run, comment="")
                granted.append(True)
            except ProblemError:
                granted.append(False)

        def go_on(store: RunStore = store, passed: list[bool] = passed) -> None:
            passed.append(store.pass_point_of_no_return())

        concurrently(go_on, abort)
        assert passed[0] != granted[0]
        outcomes.append(passed[0])
        store.run_finished(RunState.ABORTED, outcome="x")
    assert len(outcomes) == 6

"""Answers of runs are kept by version: never past a change of the run, its steps or its statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan, RunState, StatementState
from backend.operations.runs.rest.response_cache import CACHE
from tests.support.console import Caller, confirmation

CLOCK = {"server_time": None}
Deed = tuple[str, Callable[[], Any]]


def _steps_read(asked: CaptureQueriesContext) -> list[str]:
    return [q["sql"] for q in asked if "runs_runstep" in q["sql"]]


@pytest.mark.parametrize("state", ["queued", "aborted"])
def test_runs__unchanged__told_as_before_without_reading_their_steps(operator: Caller, plan: Plan, state: str) -> None:
    run_id = operator.post(f"/plans/{plan.id}/runs", confirmation(plan)).body["id"]
    if state == "aborted":
        operator.post(f"/runs/{run_id}/abort", {"comment": "no"})
    first = operator.get("/runs").body["results"][0]
    with CaptureQueriesContext(connection) as asked:
        second, alone = operator.get("/runs").body["results"][0], operator.get(f"/runs/{run_id}").body
    assert not _steps_read(asked)
    assert first["state"] == state
    assert alone["server_time"] > second["server_time"] > first["server_time"]
    assert second | CLOCK == first | CLOCK == alone | CLOCK
    assert list(second) == list(first)


def test_run__each_change__told_at_once(operator: Caller, plan: Plan) -> None:
    run_id = operator.post(f"/plans/{plan.id}/runs", confirmation(plan)).body["id"]
    before = operator.get(f"/runs/{run_id}").body | CLOCK
    for name, effect in _life(run_id, operator):
        effect()
        changed = operator.get(f"/runs/{run_id}").body | CLOCK
        assert changed != before, f"nothing was seen of: {name}"
        caches[CACHE].clear()
        before = operator.get(f"/runs/{run_id}").body | CLOCK
        assert changed == before, f"something was kept past: {name}"


def _life(run_id: str, operator: Caller) -> list[Deed]:
    store, sent = RunStore(run_id, "w"), list[int]()
    intent = {"node_id": "n_aaaaaaaaaaaa", "node": "milan1", "sql": "STOP SLAVE", "connection_id": 7}
    stopped = {"outcome": "Stopped.", "next_action": "Look."}
    return [
        ("claim", lambda: store.claim(30)),
        ("step started", lambda: store.step_started(0)),
        ("intent", lambda: sent.append(store.intent(0, **intent))),
        ("outcome", lambda: store.outcome(sent[0], StatementState.INDETERMINATE, error="gone")),
        ("outcome observed", lambda: store.outcome(sent[0], StatementState.OK, warnings=["Note 1"], duration_ms=2.0)),
        ("step finished", lambda: store.step_finished(0, outcome="Done.", facts={"n": 1})),
        ("step failed", lambda: store.step_failed(1, outcome="No.")),
        ("stopped", lambda: store.run_finished(RunState.NEEDS_OPERATOR, **stopped)),
        ("resumed", lambda: operator.post(f"/runs/{run_id}/resume", {"comment": "go"})),
        ("claimed again", lambda: store.claim(30)),
        ("abort asked for", lambda: operator.post(f"/runs/{run_id}/abort", {"comment": "back"})),
        (
            "ended",
            lambda: store.run_finished(RunState.ABORTED, outcome="Undone."),
        ),
    ]


def test_run__point_of_no_return_passed__told_at_once(operator: Caller, plan: Plan) -> None:
    run_id = operator.post(f"/plans/{plan.id}/runs", confirmation(plan)).body["id"]
    store = RunStore(run_id, "w")
    store.claim(30)
    assert operator.get(f"/runs/{run_id}").body["can_abort"] is True
    assert store.pass_point_of_no_return()
    assert operator.get(f"/runs/{run_id}").body["can_abort"] is False

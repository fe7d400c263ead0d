"""Write pause, roles and the time spent in the answer about a run."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backend.clusters.models import Link
from backend.core.findings import Finding, Severity
from backend.core.plan import Step
from backend.operations.runs.models import SUPERSEDED_BY, Approval, Run, RunState, RunStep
from tests.support.console import Caller, confirmation, core_plan, store_plan

T0 = datetime(2026, 11, 25, 3, 0, tzinfo=UTC)
OLD, NEW = {"id": "c_aaaaaaaaaaaa", "name": "side a"}, {"id": "c_bbbbbbbbbbbb", "name": "side b"}
TARGET = {
    "active_cluster": NEW["id"],
    "active_name": NEW["name"],
    "standby_cluster": OLD["id"],
    "standby_name": OLD["name"],
}
CODES = ("recheck", "fence", "verify_fence", "swap_roles", "unfence")


@pytest.fixture
def switching(operator: Caller, link: Link) -> Run:
    """A switchover that was started."""
    steps = tuple(
        Step(i, code, code, None, None, point_of_no_return=code == "swap_roles") for i, code in enumerate(CODES)
    )
    plan = store_plan(link, replace(core_plan(link), kind="switchover", steps=steps, target=TARGET))
    answer = operator.post(f"/plans/{plan.id}/runs", confirmation(plan))
    assert answer.status == 202, answer.body
    return Run.objects.get(pk=answer.body["id"])


def _at(ms: int) -> datetime:
    return T0 + timedelta(milliseconds=ms)


def _stands(run: Run, code: str, state: str, began: int, ended: int | None) -> None:
    at = None if ended is None else _at(ended)
    RunStep.objects.filter(run=run, code=code).update(state=state, started_at=_at(began), ended_at=at)


def _shown(caller: Caller, run: Run, **changes: Any) -> dict[str, Any]:
    """The run in this state, as it and the list of runs show it."""
    Run.objects.filter(pk=run.pk).update(version=run.version + 1, **changes)
    run.refresh_from_db()
    one = caller.get(f"/runs/{run.id}").body
    (listed,) = caller.get(f"/runs?link={run.link_id}").body["results"]
    assert listed["write_pause"] == one["write_pause"]
    assert listed["roles_after"] == one["roles_after"]
    assert listed["time_spent"] == one["time_spent"]
    return dict(one)


def test_run__not_begun__no_pause_and_the_roles_as_before(viewer: Caller, switching: Run) -> None:
    shown = _shown(viewer, switching)
    assert shown["write_pause"] is None
    assert shown["roles_after"] == {"active": OLD, "standby": NEW, "is_swapped": False, "is_opened_by_run": True}


def test_run__of_a_plan_with_untried_servers__tells_who_accepted_them(operator: Caller, link: Link) -> None:
    warned = Finding("server_not_tried_accepted", Severity.WARNING, "ada accepted it.")
    plan = store_plan(link, replace(core_plan(link), findings=(warned,)))
    answer = operator.post(f"/plans/{plan.id}/runs", confirmation(plan))
    assert answer.body["accepted_servers"] == ["ada accepted it."]


def test_run__fenced__the_pause_goes_on(viewer: Caller, switching: Run) -> None:
    _stands(switching, "fence", "succeeded", 0, 300)
    assert _shown(viewer, switching, state=RunState.RUNNING.value)["write_pause"] == {
        "started_at": "2026-11-25T03:00:00Z",
        "ended_at": None,
        "duration_s": None,
        "state": "ongoing",
        "ended_by": None,
    }


def test_run__opened__its_pause_and_the_new_roles(viewer: Caller, switching: Run) -> None:
    _stands(switching, "fence", "succeeded", 0, 300)
    _stands(switching, "swap_roles", "succeeded", 900, 1_000)
    _stands(switching, "unfence", "succeeded", 1_000, 1_240)
    shown = _shown(viewer, switching, state=RunState.SUCCEEDED.value)
    assert shown["write_pause"] == {
        "started_at": "2026-11-25T03:00:00Z",
        "ended_at": "2026-11-25T03:00:01.240000Z",
        "duration_s": 1.24,
        "state": "ended",
        "ended_by": "opened",
    }
    assert shown["roles_after"] == {"active": NEW, "standby": OLD, "is_swapped": True, "is_opened_by_run": True}


@pytest.mark.parametrize("state", [RunState.ABORTED, RunState.FAILED])
def test_run__reverted__the_pause_ends_with_its_fence(viewer: Caller, switching: Run, state: RunState) -> None:
    _stands(switching, "fence", "undone", 0, 2_500)
    shown = _shown(viewer, switching, state=state.value)
    pause = shown["write_pause"]
    assert (pause["state"], pause["duration_s"], pause["ended_by"]) == ("ended", 2.5, "reverted")
    assert shown["roles_after"]["active"] == OLD


def test_run__superseded_behind_its_fence__the_end_is_unknown(viewer: Caller, switching: Run) -> None:
    _stands(switching, "fence", "succeeded", 0, 300)
    superseded = _shown(viewer, switching, state=RunState.FAILED.value, facts={SUPERSEDED_BY: "p_aaaaaaaaaaaa"})
    pause = superseded["write_pause"]
    assert (pause["state"], pause["ended_at"], pause["duration_s"]) == ("unknown", None, None)


MEASURED = {"servers_s": 0.1, "database_s": 0.02, "processor_wait_s": 0.15, "computing_s": 0.03}


def test_run__not_started__its_time_is_unknown(viewer: Caller, switching: Run) -> None:
    assert _shown(viewer, switching)["time_spent"] is None


def test_run__in_progress__where_the_time_of_its_ended_steps_went(viewer: Caller, switching: Run) -> None:
    _stands(switching, "recheck", "succeeded", 30, 350)
    _stands(switching, "fence", "running", 360, None)
    RunStep.objects.filter(run=switching, code="recheck").update(time_spent=MEASURED)
    shown = _shown(viewer, switching, state=RunState.RUNNING.value, created_at=T0, started_at=_at(20))
    assert shown["time_spent"] == {
        "total_s": 0.35,
        "waiting_approval_s": 0.0,
        "queued_s": 0.02,
        **MEASURED,
        "other_s": 0.03,
        "steps": [{"index": 0, "total_s": 0.33, **MEASURED, "other_s": 0.03, "server_trips": None}],
    }


def test_run__approved__the_wait_for_the_second_person_is_apart(viewer: Caller, switching: Run) -> None:
    for number, ms in ((1, 800), (2, 5_000)):
        Approval.objects.create(run=switching, round=number, approver="vera", at=_at(ms))
    times = {"created_at": T0, "started_at": _at(900), "ended_at": _at(6_000)}
    shown = _shown(viewer, switching, state=RunState.SUCCEEDED.value, needs_approval=True, **times)
    spent = shown["time_spent"]
    assert (spent["waiting_approval_s"], spent["queued_s"], spent["total_s"]) == (0.8, 0.1, 6.0)


def test_run__that_leaves_the_roles_alone__neither(viewer: Caller, operator: Caller, link: Link) -> None:
    plan = store_plan(link)
    run = Run.objects.get(pk=operator.post(f"/plans/{plan.id}/runs", confirmation(plan)).body["id"])
    shown = _shown(viewer, run)
    assert (shown["write_pause"], shown["roles_after"]) == (None, None)

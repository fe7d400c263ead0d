"""Where removed channels stopped: in the result of the run, in its report and in the audit log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
from backend.core.plans import remove_channels
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.execution.verification import verification_of
from backend.operations.runs.models import Plan, RunState, RunStep
from tests.support.console import Caller, confirmation, core_plan, store_plan

REMOVED = {
    "direction": "forward",
    "node": "db-b1",
    "source_name": "db-a1",
    "name": "link:1",
    "file": "mariadb-bin.000014",
    "position": 328,
    "gtid": "10-11-77",
}


@pytest.fixture
def removal(link: Link) -> CorePlan:
    """A plan that removes one channel."""
    params = {"direction": "forward", "name": "link:1", "source": ["10.0.1.1", 3306], "source_name": "db-a1"}
    codes = ("recheck", "stop_channel", "reset_channel", "verify_channels_removed")
    steps = tuple(Step(i, code, code, "n_b1", "db-b1", params=params) for i, code in enumerate(codes))
    return replace(core_plan(link), kind=remove_channels.KIND, steps=steps)


def _stopped(plan: CorePlan, **facts: Any) -> list[RunStep]:
    stopped = {"position": "mariadb-bin.000014:328", "gtid": "10-11-77"} | facts
    return [
        RunStep(index=one.index, code=one.code, facts=stopped if one.code == "stop_channel" else {})
        for one in plan.steps
    ]


def test_verification__channels_removed__each_with_the_position_where_it_stopped(removal: CorePlan) -> None:
    verification = verification_of(removal, _stopped(removal), [])
    assert verification["verdict"] == "verified"
    assert verification["removed_channels"] == [REMOVED]


def test_verification__gtid_position_unknown__unknown(removal: CorePlan) -> None:
    (channel,) = verification_of(removal, _stopped(removal, gtid=None), [])["removed_channels"]
    assert channel["gtid"] is None


def test_verification__channels_moved__none_is_removed(removal: CorePlan) -> None:
    moved = replace(removal, kind="relocate")
    assert verification_of(moved, _stopped(moved), [])["removed_channels"] == []


def test_result__run_of_a_removal__positions_in_the_answer_the_report_and_the_audit_log(
    operator: Caller, link: Link, removal: CorePlan
) -> None:
    plan = store_plan(link, removal)
    answer = operator.post(f"/plans/{plan.id}/runs", confirmation(plan))
    assert answer.status == 202, answer.body
    store = RunStore(answer.body["id"], "w1")
    store.claim(30)
    store.run_finished(
        RunState.SUCCEEDED, outcome="Removed.", verification=verification_of(removal, _stopped(removal), [])
    )
    run = operator.get(f"/runs/{store.run_id}").body
    assert run["verification"]["removed_channels"] == [REMOVED]
    report = operator.get(f"/runs/{store.run_id}/report").body
    assert "It stopped at `mariadb-bin.000014` 328, gtid_slave_pos `10-11-77`" in report
    (ended,) = AuditRecord.objects.filter(action="worker:run:succeeded")
    assert ended.facts["removed_channels"] == [REMOVED]


def test_audit__run_that_removes_no_channel__nothing_of_channels(operator: Caller, plan: Plan) -> None:
    answer = operator.post(f"/plans/{plan.id}/runs", confirmation(plan))
    store = RunStore(answer.body["id"], "w1")
    store.claim(30)
    store.run_finished(RunState.SUCCEEDED, outcome="Done.", verification={"removed_channels": []})
    (ended,) = AuditRecord.objects.filter(action="worker:run:succeeded")
    assert "removed_channels" not in ended.facts

"""From a plan to a run, over HTTP: what is refused, and with which words."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan, PlanState, Run, RunState, RunStep, StatementState
from backend.operations.runs.services import run_start
from tests.support.console import Caller, approval, confirmation, core_plan, set_approval_rule, store_plan

WHY = {"kind": "relocate", "reason": "drill"}


def _start(caller: Caller, plan: Plan, **headers: str) -> Any:
    return caller.post(f"/plans/{plan.id}/runs", confirmation(plan), **headers)


def test_plan__all_nodes_down__is_an_answer_with_reasons(operator: Caller, link: Link) -> None:
    answer = operator.post(f"/links/{link.id}/plans", WHY)
    assert answer.status == 201, answer.body
    assert answer.body["state"] == "refused"
    assert answer.body["steps"] == []
    assert any(finding["severity"] in ("blocker", "unknown") for finding in answer.body["findings"])
    assert operator.get(f"/plans/{answer.body['id']}").body["digest"] == answer.body["digest"]
    assert AuditRecord.objects.get(action="api:plan:refused").facts["refused_by"]


@pytest.mark.parametrize("given", [{}, {"reason": ""}, {"reason": "  "}])
def test_plan__no_reason__kept_and_recorded_without_one(operator: Caller, link: Link, given: dict[str, str]) -> None:
    answer = operator.post(f"/links/{link.id}/plans", {"kind": "relocate", **given})
    assert (answer.status, answer.body["reason"]) == (201, "")
    assert Plan.objects.get().reason == ""
    assert AuditRecord.objects.get(action="api:plan:refused").reason == ""
    assert "- Reason: none\n" in operator.get(f"/plans/{answer.body['id']}/runbook").body


@pytest.mark.parametrize("given", [{}, {"reason": ""}, {"reason": "  "}])
def test_run__no_reason__400_whatever_its_plan_said(operator: Caller, plan: Plan, given: dict[str, str]) -> None:
    body = {name: value for name, value in confirmation(plan).items() if name != "reason"}
    answer = operator.post(f"/plans/{plan.id}/runs", body | given)
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "reason")
    assert not Run.objects.exists()


def test_run__reason__its_own_and_not_that_of_its_plan(operator: Caller, plan: Plan) -> None:
    run = _start(operator, plan).body
    assert plan.reason != confirmation(plan)["reason"]
    assert run["reason"] == Run.objects.get().reason == confirmation(plan)["reason"]
    assert AuditRecord.objects.get(action="api:run:start").reason == confirmation(plan)["reason"]


@pytest.mark.parametrize("option", ["source_node", "replica_node"])
def test_plan__node_of_the_wrong_side__400(operator: Caller, link: Link, option: str) -> None:
    wrong = {"source_node": link.standby_cluster, "replica_node": link.active_cluster}[option]
    node = wrong.nodes.first()
    assert node is not None
    answer = operator.post(f"/links/{link.id}/plans", {**WHY, "options": {option: node.id}})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, f"options.{option}")


def test_plan__bad_bodies__400(operator: Caller, link: Link) -> None:
    for body, field in (
        ({"kind": "coup", "reason": "x"}, "kind"),
        ({"kind": "relocate", "reason": "a\nb"}, "reason"),
        ({**WHY, "options": {"force": True}}, "options.force"),
        ({**WHY, "options": {"attest_fenced": ["n_aaaaaaaaaaaa"]}}, "options.attest_fenced"),
    ):
        answer = operator.post(f"/links/{link.id}/plans", body)
        assert (answer.status, answer.body["errors"][0]["field"]) == (400, field)


def test_plan__shown__masks_secrets(operator: Caller, plan: Plan) -> None:
    shown = operator.get(f"/plans/{plan.id}").body
    assert shown["steps"][0]["sql"] == ["CHANGE MASTER TO MASTER_PASSWORD=***, MASTER_DELAY=0"]
    assert "params" not in shown["steps"][0]
    assert 0 < shown["expires_in_s"] <= 300


def test_runbook__names_steps_sql_and_the_point_of_no_return(viewer: Caller, plan: Plan) -> None:
    answer = viewer.get(f"/plans/{plan.id}/runbook")
    assert answer.headers["Content-Type"].startswith("text/markdown")
    assert "attachment" in answer.headers["Content-Disposition"]
    for text in ("# Runbook", "MASTER_PASSWORD=***", "Point of no return", plan.digest):
        assert text in answer.body
    assert "{{secret" not in answer.body


def test_run__confirmed__202_queued_with_its_steps(operator: Caller, plan: Plan) -> None:
    answer = _start(operator, plan)
    assert answer.status == 202, answer.body
    run = answer.body
    assert (run["state"], run["can_abort"], run["requested_by"]) == ("queued", True, "operator-1")
    assert [step["state"] for step in run["steps"]] == ["pending"] * 3
    assert run["request_id"] == answer.headers["X-Request-ID"]
    assert operator.get(f"/plans/{plan.id}").body["state"] == "used"
    assert operator.get(f"/links/{plan.link_id}").body["active_run"]["id"] == run["id"]
    assert operator.get(f"/runs?link={plan.link_id}&state=queued").body["results"][0]["id"] == run["id"]
    assert operator.get("/runs?state=failed").body["results"] == []
    assert [found["id"] for found in operator.get(f"/runs?plan={plan.id}").body["results"]] == [run["id"]]
    assert operator.get("/runs?plan=p_aaaaaaaaaaaa").body["results"] == []
    assert AuditRecord.objects.filter(action="api:run:start", run_id=run["id"]).exists()
    assert Event.objects.filter(type="run.updated", run_id=run["id"]).exists()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"digest": "0" * 64}, "wrong_digest"),
        ({"confirm": "Payments"}, "wrong_confirmation"),
        ({"confirm": "payments "}, "wrong_confirmation"),
    ],
)
def test_run__wrong_digest_or_name__422_and_nothing_starts(
    operator: Caller, plan: Plan, change: dict[str, str], code: str
) -> None:
    answer = operator.post(f"/plans/{plan.id}/runs", confirmation(plan) | change)
    assert (answer.status, answer.body["code"]) == (422, code)
    assert answer.body["errors"][0]["field"] in change
    assert not Run.objects.exists()
    assert AuditRecord.objects.get(action="api:run:refused").facts["code"] == code


def test_run__expired_plan__410(operator: Caller, link: Link) -> None:
    old = store_plan(link, core_plan(link, age_s=301))
    answer = _start(operator, old)
    assert (answer.status, answer.body["code"]) == (410, "plan_expired")
    assert operator.get(f"/plans/{old.id}").body["state"] == "expired"


def test_run__refused_plan__409(operator: Caller, link: Link) -> None:
    answer = _start(operator, store_plan(link, core_plan(link, blocked=True)))
    assert (answer.status, answer.body["code"]) == (409, "plan_refused")


def test_run__second_on_the_link__409_names_the_first(operator: Caller, link: Link) -> None:
    first = _start(operator, store_plan(link)).body
    answer = _start(operator, store_plan(link))
    assert (answer.status, answer.body["code"], answer.body["run_id"]) == (409, "run_unfinished", first["id"])


def test_run__same_plan_after_its_run_ended__409(operator: Caller, plan: Plan) -> None:
    run = _start(operator, plan).body
    assert operator.post(f"/runs/{run['id']}/abort").status == 200
    answer = _start(operator, plan)
    assert (answer.status, answer.body["code"], answer.body["run_id"]) == (409, "plan_used", run["id"])


def test_run__facts_changed__409_with_the_difference(operator: Caller, link: Link, plan: Plan) -> None:
    cluster = link.active_cluster
    cluster.known_server_ids = {"n_aaaaaaaaaaaa": 4711}
    cluster.save()
    answer = _start(operator, plan)
    assert (answer.status, answer.body["code"]) == (409, "facts_changed")
    change = answer.body["changes"][0]
    assert change["fact"].endswith("server_ids")
    assert (change["planned"], change["now"]) == ([], [4711])
    assert not Run.objects.exists()


def test_run__same_idempotency_key__one_run_and_the_same_answer(operator: Caller, plan: Plan) -> None:
    first, second = (_start(operator, plan, Idempotency_Key="k1") for _ in range(2))
    assert (first.status, second.status) == (202, 202)
    assert first.body == second.body
    assert second.headers["Idempotency-Replayed"] == "true"
    assert Run.objects.count() == 1


def test_run__key_kept_only_with_the_run__still_one_run(operator: Caller, plan: Plan) -> None:
    """The process was killed after the run was stored and before the answer was."""
    run = run_start(actor="operator-1", plan=plan, idempotency_key="k2", **confirmation(plan))
    plan.refresh_from_db()
    answer = _start(operator, plan, Idempotency_Key="k2")
    assert (answer.status, answer.body["id"]) == (202, run.id)


def test_approval__needed__a_second_person_decides(
    operator: Caller, approver: Caller, admin: Caller, plan: Plan
) -> None:
    set_approval_rule(admin, plan.link_id, is_on=True)
    plan = Plan.objects.get(pk=plan.pk)
    run = _start(approver, plan).body
    assert run["state"] == "waiting_approval"
    assert operator.post(f"/runs/{run['id']}/approve", approval(plan)).status == 403
    own = approver.post(f"/runs/{run['id']}/approve", approval(plan))
    assert (own.status, own.body["code"]) == (403, "own_run")
    done = admin.post(f"/runs/{run['id']}/approve", approval(plan))
    assert (done.status, done.body["state"], done.body["approved_by"]) == (200, "queued", "admin-1")
    repeated = admin.post(f"/runs/{run['id']}/approve", approval(plan))
    assert (repeated.status, repeated.body["code"]) == (409, "not_waiting")
    actions = list(AuditRecord.objects.filter(run_id=run["id"]).values_list("action", flat=True))
    assert actions.count("api:run:approve") == 1
    assert "api:run:refused_approval" in actions


def test_approval__nobody_in_time__410_and_the_run_ends(operator: Caller, admin: Caller, plan: Plan) -> None:
    set_approval_rule(admin, plan.link_id, is_on=True)
    run = _start(operator, Plan.objects.get(pk=plan.pk)).body
    Run.objects.update(approval_expires_at=timezone.now())
    assert admin.post(f"/runs/{run['id']}/approve", approval(plan)).body["code"] == "approval_expired"
    assert operator.get(f"/runs/{run['id']}").body["state"] == "aborted"


def test_approval__requester_lost_the_role__409(operator: Caller, admin: Caller, plan: Plan) -> None:
    set_approval_rule(admin, plan.link_id, is_on=True)
    run = _start(operator, Plan.objects.get(pk=plan.pk)).body
    admin.call("PATCH", "/users/operator-1", {"role": "viewer"})
    assert admin.post(f"/runs/{run['id']}/approve", approval(plan)).body["code"] == "requester_not_permitted"


def test_abort__not_started__ends_at_once_and_frees_the_link(operator: Caller, link: Link) -> None:
    run = _start(operator, store_plan(link)).body
    done = operator.post(f"/runs/{run['id']}/abort", {"comment": "no"})
    assert (done.status, done.body["state"], done.body["can_abort"]) == (200, "aborted", False)
    assert operator.post(f"/runs/{run['id']}/abort").status == 409
    assert _start(operator, store_plan(link)).status == 202


def test_abort__running__is_asked_for_once(operator: Caller, plan: Plan) -> None:
    run = _start(operator, plan).body
    store = RunStore(run["id"], "w")
    store.claim(30)
    done = operator.post(f"/runs/{run['id']}/abort")
    assert (done.status, done.body["state"], done.body["can_abort"]) == (200, "running", False)
    assert store.abort_requested()
    assert store.pass_point_of_no_return() is False
    assert operator.post(f"/runs/{run['id']}/abort").status == 409


def test_abort__past_the_point_of_no_return__409_names_the_ways_forward(operator: Caller, plan: Plan) -> None:
    run = _start(operator, plan).body
    store = RunStore(run["id"], "w")
    store.claim(30)
    assert store.pass_point_of_no_return()
    answer = operator.post(f"/runs/{run['id']}/abort")
    assert (answer.status, answer.body.get("code")) == (409, "abort_refused")
    assert "resume" in answer.body["detail"]
    assert not store.abort_requested()


def test_resume__only_where_it_stopped_for_an_operator(operator: Caller, plan: Plan) -> None:
    run = _start(operator, plan).body
    assert operator.post(f"/runs/{run['id']}/resume").body["code"] == "wrong_state"
    store = RunStore(run["id"], "w")
    store.claim(30)
    store.run_finished(RunState.NEEDS_OPERATOR, outcome="Stopped.", next_action="Look at milan.")
    shown = operator.get(f"/runs/{run['id']}").body
    assert (shown["state"], shown["next_action"], shown["ended_at"]) == ("needs_operator", "Look at milan.", None)
    assert operator.post(f"/runs/{run['id']}/resume").body["state"] == "queued"


def test_run__stopped_for_an_operator__is_superseded_by_a_new_plan(operator: Caller, link: Link) -> None:
    first = _start(operator, store_plan(link)).body
    store = RunStore(first["id"], "w")
    store.claim(30)
    store.run_finished(RunState.NEEDS_OPERATOR, outcome="Stopped.")
    second = _start(operator, store_plan(link))
    assert second.status == 202, second.body
    shown = operator.get(f"/runs/{first['id']}").body
    assert shown["state"] == "failed"
    assert "Superseded" in shown["outcome"]


def test_run__shown_in_full__and_as_report(operator: Caller, plan: Plan) -> None:
    run = _start(operator, plan).body
    store = RunStore(run["id"], "w")
    store.claim(30)
    store.step_started(0)
    statement = store.intent(
        0,
        node_id="n_aaaaaaaaaaaa",
        node="milan1",
        sql="CHANGE MASTER TO MASTER_PASSWORD={{secret:replication}}",
        connection_id=77,
    )
    store.outcome(statement, StatementState.OK, warnings=["Note 1"], duration_ms=12.5)
    store.step_finished(0, outcome="Done.", facts={"n": 1}, observed_after_crash=True)
    verification = {
        "verdict": "verified",
        "probes": [
            {
                "direction": "forward",
                "written_on": "milan1",
                "seen_on": [{"node": "rome1", "ms": 4.2}, {"node": "rome2", "ms": None}],
                "complete": False,
            }
        ],
        "continuity": [{"direction": "forward", "node": "rome1", "groups_compared": 8, "equal": True}],
        "options_equal": True,
        "stray_channels": [],
        "not_probed_reason": "",
        "cleanup_pending": ["milan2"],
    }
    store.run_finished(RunState.SUCCEEDED, outcome="All is well.", verification=verification)
    shown = operator.get(f"/runs/{run['id']}").body
    assert shown["state"] == "succeeded"
    assert shown["steps"][0]["statements"][0]["sql"].endswith("MASTER_PASSWORD=***")
    assert shown["steps"][0]["observed_after_crash"] is True
    assert shown["verification"] == {**verification, "write_pause_ms": None}
    assert shown["durations"]["confirm_to_verified_s"] >= 0
    report = operator.get(f"/runs/{run['id']}/report").body
    for text in ("succeeded", "MASTER_PASSWORD=***", "Warning: Note 1", "verified", "milan2", "8 transactions"):
        assert text in report
    raised = operator.get(f"/links/{plan.link_id}/history").body["results"]
    assert [entry["kind"] for entry in raised] == ["run.succeeded", "run.started"]
    assert RunStep.objects.filter(run_id=run["id"], state="pending").count() == 2


def test_run__link_requires_nothing__plan_state_is_used_even_by_its_own_row(plan: Plan, operator: Caller) -> None:
    _start(operator, plan)
    assert Plan.objects.get(pk=plan.pk).state == PlanState.USED


def test_runs__many__pages_without_gap_or_overlap(operator: Caller, link: Link) -> None:
    ids = []
    for _ in range(5):
        run = _start(operator, store_plan(link)).body
        operator.post(f"/runs/{run['id']}/abort")
        ids.append(run["id"])
    seen: list[str] = []
    cursor = ""
    while True:
        page = operator.get(f"/runs?limit=2{cursor}").body
        seen += [run["id"] for run in page["results"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == ids[::-1]

"""Approval rules, waiting runs, decisions and the change calendar, by REST alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.identity.accounts.installation import end_installation
from backend.operations.runs.models import Plan, Run
from tests.support.console import Answer, Caller, approval, confirmation, make_caller, store_plan

WHY = {"reason": "because of the test"}


@pytest.fixture
def callers(link: Link) -> dict[str, Caller]:
    """An operator, three approvers and two administrators of long ago; the link needs approval."""
    found = {name: make_caller(name, "approver") for name in ("anna", "ben", "carl")}
    found |= {name: make_caller(name, "admin") for name in ("root", "rita")} | {"olga": make_caller("olga", "operator")}
    end_installation()
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    return found


def _rule(caller: Caller, link: Link, needed: int, *approvers: str) -> Answer:
    body = {"approvals_needed": needed, "approvers": list(approvers), **WHY}
    return caller.call("PUT", f"/links/{link.pk}/approval-rule", body)


def _start(caller: Caller, link: Link, kind: str = "relocate", **more: str) -> Answer:
    plan = store_plan(Link.objects.get(pk=link.pk))
    Plan.objects.filter(pk=plan.pk).update(kind=kind)
    return caller.post(f"/plans/{plan.id}/runs", {**confirmation(plan), **more})


def _approve(caller: Caller, run: dict[str, Any], what: str = "approve") -> Answer:
    return caller.post(f"/runs/{run['id']}/{what}", approval(Plan.objects.get(pk=run["plan_id"])))


def test_rule__two_of_three_named__released_by_the_second_one(link: Link, callers: dict[str, Caller]) -> None:
    assert _rule(callers["root"], link, 2, "ANNA", "ben").body["approvers"] == ["anna", "ben"]
    run = _start(callers["olga"], link).body
    assert (run["approvals_needed"], run["approvals_missing"]) == (2, 2)
    assert _approve(callers["carl"], run).body["code"] == "not_named_approver"
    half = _approve(callers["anna"], run).body
    assert (half["state"], half["approvals_missing"], half["approved_by"]) == ("waiting_approval", 1, "anna")
    assert _approve(callers["anna"], run).body["code"] == "already_approved"
    done = _approve(callers["ben"], run).body
    assert (done["state"], done["approvals_missing"], done["approved_by"]) == ("queued", 0, "anna, ben")


def test_expiry__second_approval_comes_too_late__ends_the_run(link: Link, callers: dict[str, Caller]) -> None:
    _rule(callers["root"], link, 2)
    run = _start(callers["olga"], link).body
    assert _approve(callers["anna"], run).body["approvals_missing"] == 1
    Run.objects.filter(pk=run["id"]).update(approval_expires_at=timezone.now())
    late = _approve(callers["ben"], run)
    assert (late.status, late.body["code"]) == (410, "approval_expired")
    ended = callers["olga"].get(f"/runs/{run['id']}").body
    assert (ended["state"], ended["approved_by"]) == ("aborted", "anna")
    assert _approve(callers["ben"], run).body["code"] == "not_waiting"


def test_start__again_while_one_of_two_approved__says_how_many(link: Link, callers: dict[str, Caller]) -> None:
    _rule(callers["root"], link, 2)
    run = _start(callers["olga"], link).body
    assert "has 0 of 2 approvals" in _start(callers["olga"], link).body["detail"]
    _approve(callers["anna"], run)
    refused = _start(callers["olga"], link)
    assert (refused.status, refused.body["code"]) == (409, "run_unfinished")
    assert "has 1 of 2 approvals and starts with the last one. Nothing was sent." in refused.body["detail"]
    assert _approve(callers["olga"], run).status == 403


def test_waiting__mine__only_runs_that_i_can_approve(link: Link, callers: dict[str, Caller]) -> None:
    _rule(callers["root"], link, 2, "anna", "ben")
    run = _start(callers["olga"], link).body
    assert [one["run_id"] for one in callers["anna"].get("/waiting?mine=true").body["runs"]] == [run["id"]]
    assert callers["carl"].get("/waiting?mine=true").body["runs"] == []
    seen = callers["olga"].get("/waiting").body["runs"][0]
    assert (seen["approvals_missing"], seen["may_approve"]) == (2, False)
    assert "role" in seen["why_not"]
    _approve(callers["anna"], run)
    assert callers["anna"].get("/waiting?mine=true").body["runs"] == []


def test_decision__waiting_run__facts_compared_now_and_who_may(link: Link, callers: dict[str, Caller]) -> None:
    run = _start(callers["olga"], link).body
    seen = callers["anna"].get(f"/runs/{run['id']}/decision").body
    assert (seen["changes"], seen["objections"], seen["may_approve"]) == ([], [], True)
    assert seen["checked_at"] is not None
    assert seen["plan_digest"] == run["plan_digest"]
    cluster = link.active_cluster
    cluster.known_server_ids = {"n_aaaaaaaaaaaa": 4711}
    cluster.save()
    assert [one["fact"] for one in callers["anna"].get(f"/runs/{run['id']}/decision").body["changes"]]
    assert callers["olga"].get(f"/runs/{run['id']}/decision").body["may_approve"] is False


def test_reject__by_an_approver__ends_it_with_the_comment(link: Link, callers: dict[str, Caller]) -> None:
    run = _start(callers["olga"], link).body
    assert _approve(callers["olga"], run, "reject").status == 403
    done = _approve(callers["anna"], run, "reject").body
    assert (done["state"], done["outcome"]) == ("aborted", "anna rejected the run: read and agreed")
    assert _approve(callers["ben"], run).body["code"] == "not_waiting"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"approvals_needed": 0, "approvers": []}, "approvals_needed"),
        ({"approvals_needed": 6, "approvers": []}, "approvals_needed"),
        ({"approvals_needed": 2, "approvers": ["anna"]}, "approvers"),
        ({"approvals_needed": 1, "approvers": ["olga"]}, "approvers"),
        ({"approvals_needed": 1, "approvers": ["stranger"]}, "approvers"),
    ],
)
def test_rule__impossible__refused_by_field(
    link: Link, callers: dict[str, Caller], body: dict[str, Any], field: str
) -> None:
    answer = callers["root"].call("PUT", f"/links/{link.pk}/approval-rule", {**body, **WHY})
    assert answer.status in (400, 422)
    assert answer.body["errors"][0]["field"] == field


def test_rule__lowered__waits_for_a_second_administrator(link: Link, callers: dict[str, Caller]) -> None:
    assert _rule(callers["root"], link, 3).body["approvals_needed"] == 3
    lowered = _rule(callers["root"], link, 1).body
    assert (lowered["approvals_needed"], lowered["pending"]) == (3, {"approvals_needed": 1, "approvers": []})
    assert Event.objects.filter(data__kind="protected_change.announced").exists()
    change = callers["root"].get("/waiting").body["changes"][0]["id"]
    path = f"/protected-changes/{change}/confirm"
    assert callers["root"].post(path, {"comment": "mine"}).status == 403
    assert callers["rita"].post(path, {"comment": "agreed"}).status == 200
    assert callers["root"].get(f"/links/{link.pk}/approval-rule").body["approvals_needed"] == 1


@pytest.mark.parametrize("approvers", [(), ("anna", "carl")])
def test_rule__other_people_may_approve__waits(link: Link, callers: dict[str, Caller], approvers: tuple[str]) -> None:
    _rule(callers["root"], link, 1, "anna", "ben")
    assert _rule(callers["root"], link, 1, *approvers).body["pending"] is not None
    assert _rule(callers["root"], link, 2, "anna", "ben").body["pending"] is None


def test_rule__rejected__stays(link: Link, callers: dict[str, Caller]) -> None:
    _rule(callers["root"], link, 2)
    _rule(callers["root"], link, 1)
    change = callers["root"].get("/waiting").body["changes"][0]["id"]
    callers["rita"].post(f"/protected-changes/{change}/reject", {"comment": "no"})
    seen = callers["root"].get(f"/links/{link.pk}/approval-rule").body
    assert (seen["approvals_needed"], seen["pending"]) == (2, None)


def _freeze(caller: Caller, **changed: Any) -> Answer:
    now = timezone.now()
    times = {"begins_at": (now - timedelta(hours=1)).isoformat(), "ends_at": (now + timedelta(hours=1)).isoformat()}
    return caller.post("/change-freezes", {"name": "year end", "reason": "closing", **times, **changed})


def test_freeze__planned_operation__refused_and_overridden_by_an_approver(
    link: Link, callers: dict[str, Caller]
) -> None:
    freeze = _freeze(callers["root"])
    assert freeze.status == 201
    refused = _start(callers["olga"], link, "switchover")
    assert (refused.status, refused.body["code"]) == (409, "change_not_allowed")
    assert refused.body["objections"][0]["facts"]["freeze"] == "year end"
    denied = _start(callers["olga"], link, "switchover", override_calendar="urgent")
    assert denied.status == 403
    assert denied.body["code"] == "override_not_permitted"
    done = _start(callers["anna"], link, "switchover", override_calendar="urgent")
    assert (done.status, done.body["calendar_override"]["reason"]) == (202, "urgent")


def test_calendar__read__says_when_it_opens_again(link: Link, callers: dict[str, Caller]) -> None:
    freeze = _freeze(callers["root"], links=[link.pk]).body
    seen = callers["olga"].get(f"/links/{link.pk}/change-calendar").body
    assert (seen["is_open"], seen["next_start"]) == (False, freeze["ends_at"])
    assert callers["olga"].post(f"/change-freezes/{freeze['id']}/delete", WHY).status == 403
    assert callers["root"].post(f"/change-freezes/{freeze['id']}/delete", WHY).status == 204
    assert callers["olga"].get(f"/links/{link.pk}/change-calendar").body["is_open"] is True


WEEKLY = {"zone": "Europe/Berlin", "weekdays": [5, 6], "starts": "22:00", "minutes": 240}


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"weekdays": [7]}, "weekdays.0"),
        ({"minutes": 0}, "minutes"),
        ({"opens_at": "2026-12-01T00:00:00Z"}, "closes_at"),
        ({"links": ["l_aaaaaaaaaaaa"]}, "links"),
    ],
)
def test_window__impossible__refused_by_field(callers: dict[str, Caller], changed: dict[str, Any], field: str) -> None:
    answer = callers["root"].post("/change-windows", {"name": "night", **WHY, **WEEKLY, **changed})
    assert answer.status == 400
    assert field in {error["field"] for error in answer.body["errors"]}


def test_window__weekly__kept_and_deleted(callers: dict[str, Caller]) -> None:
    window = callers["root"].post("/change-windows", {"name": "night", **WHY, **WEEKLY}).body
    assert (window["zone"], window["starts"]) == ("Europe/Berlin", "22:00:00")
    assert callers["olga"].get("/change-calendar").body["windows"] == [window]
    assert callers["root"].post(f"/change-windows/{window['id']}/delete", WHY).status == 204
    assert callers["root"].post(f"/change-windows/{window['id']}/delete", WHY).status == 404

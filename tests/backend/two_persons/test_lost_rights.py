"""A request or an approval counts as long as who made it still may, with the token that was used."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.common.events.models import Event
from backend.identity.accounts import services as accounts
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ApiToken, User
from backend.operations.approval_rules.models import LinkApprovalRule
from backend.operations.runs import services
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Approval, Plan, Run, RunState
from backend.operations.runs.selectors import run_view
from tests.backend.two_persons.waiting import REQUESTER, waiting_run
from tests.support.console import approval, confirmation, make_user, new_token, store_plan

LOST = [{"is_active": False}, {"role": "operator"}]
ENDED = [{"revoked_at": timezone.now()}, {"expires_at": timezone.now() - timedelta(days=1)}, {"role": "viewer"}]


@pytest.fixture
def run(link: Link) -> Run:
    """A run that two persons must approve."""
    for name in (REQUESTER, "anna", "ben", "carl"):
        make_user(name, "approver")
    LinkApprovalRule.objects.create(link=link, needed=2, approvers=[])
    return waiting_run(link)


def _user(name: str, token: ApiToken | None = None) -> User:
    user = User.objects.get(username=name)
    user.token_in_use = token
    return user


def _approve(name: str, run: Run, token: ApiToken | None = None) -> Run:
    fresh = Run.objects.select_related("plan", "link").get(pk=run.pk)
    return services.run_approve(user=_user(name, token), run=fresh, **approval(run.plan))


def _refused(run: Run, code: str) -> Run:
    """The worker refuses it and says why; it calls nothing tampering."""
    assert RunStore(run.id, "w").claim(30) is None
    assert AuditRecord.objects.get(action="worker:run:refused").facts["code"] == code
    assert not Event.objects.filter(data__kind="run.tampered").exists()
    assert Event.objects.get(data__kind="run.refused").data["severity"] == "warning"
    return Run.objects.get(pk=run.pk)


@pytest.mark.parametrize("change", LOST, ids=str)
def test_approve__approver_before_lost_the_right__still_missing(run: Run, change: dict[str, Any]) -> None:
    _approve("anna", run)
    User.objects.filter(username="anna").update(**change)
    done = _approve("ben", run)
    assert done.state == "waiting_approval"
    assert (
        "Still missing: 1 approval"
        in Event.objects.filter(data__kind="run.approve_partly").latest("id").data["message"]
    )
    assert services.decision_view(_user("carl"), done)["approvals_missing"] == 1
    shown = run_view(done, shows_rows=False)["approvals"]
    assert {one["approver"]: one["counts"] for one in shown} == {"anna": False, "ben": True}
    assert _approve("carl", run).state == "queued"
    assert RunStore(run.id, "w").claim(30) == 1


@pytest.mark.parametrize("change", LOST, ids=str)
def test_claim__approver_lost_the_right__refused_and_not_as_tampering(run: Run, change: dict[str, Any]) -> None:
    _approve("anna", run)
    _approve("ben", run)
    User.objects.filter(username="anna").update(**change)
    ended = _refused(run, "approver_not_permitted")
    assert (ended.state, ended.unfinished_link) == ("failed", None)
    assert "anna" in ended.outcome


@pytest.mark.parametrize("change", ENDED, ids=["revoked", "expired", "lesser"])
def test_claim__token_of_an_approval_ended__refused(run: Run, change: dict[str, Any]) -> None:
    token = new_token("anna")[0]
    _approve("anna", run, token)
    _approve("ben", run)
    ApiToken.objects.filter(pk=token.pk).update(**change)
    _refused(run, "approver_not_permitted")


def test_approve__token_of_an_approval_before_revoked__the_same_person_approves_anew(run: Run) -> None:
    token = new_token("anna")[0]
    _approve("anna", run, token)
    token_services.token_revoke(actor="anna", token=token)
    assert _approve("ben", run).state == "waiting_approval"
    assert _approve("anna", run).state == "queued"
    assert Approval.objects.filter(run=run).count() == 2


def test_claim__approver_lost_the_right_after_the_begin__the_run_goes_on(run: Run) -> None:
    _approve("anna", run)
    _approve("ben", run)
    assert RunStore(run.id, "w").claim(30) == 1
    Run.objects.filter(pk=run.pk).update(lease_until=None)
    User.objects.filter(username="anna").update(is_active=False)
    assert RunStore(run.id, "w2").claim(30) == 2


def _stopped(run: Run) -> Run:
    _approve("anna", run)
    _approve("ben", run)
    store = RunStore(run.id, "w")
    store.claim(30)
    store.run_finished(RunState.NEEDS_OPERATOR, outcome="Stopped.")
    return Run.objects.get(pk=run.pk)


def test_resume__approver_lost_the_right__needs_approval_anew(run: Run) -> None:
    stopped = _stopped(run)
    User.objects.filter(username="anna").update(is_active=False)
    resumed = services.run_resume(actor=REQUESTER, run=stopped, comment="on")
    assert (resumed.state, resumed.approval_round) == ("waiting_approval", 2)


def test_claim__who_resumed_it_lost_the_right__stays_with_the_operator(run: Run) -> None:
    services.run_resume(actor="carl", run=_stopped(run), comment="on")
    User.objects.filter(username="carl").update(is_active=False)
    assert _refused(run, "requester_not_permitted").state == "needs_operator"


def test_claim__who_aborted_it_may_do_nothing_more__it_is_reverted_all_the_same(run: Run) -> None:
    services.run_abort(actor="carl", run=_stopped(run), comment="back")
    User.objects.filter(username__in=("carl", REQUESTER)).update(is_active=False)
    assert RunStore(run.id, "w").claim(30) == 2


def _requested_with(token: ApiToken, link: Link) -> Run:
    Run.objects.update(unfinished_link=None)
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    plan = Plan.objects.select_related("link").get(pk=store_plan(link).pk)
    return services.run_start(actor=REQUESTER, plan=plan, token_id=token.pk, **confirmation(plan))


@pytest.mark.parametrize("change", ENDED, ids=["revoked", "expired", "lesser"])
def test_token_of_the_request_ended__nobody_can_approve_it(run: Run, change: dict[str, Any]) -> None:
    token = new_token(REQUESTER)[0]
    asked = _requested_with(token, run.link)
    _approve("anna", asked)
    ApiToken.objects.filter(pk=token.pk).update(**change)
    with pytest.raises(ProblemError) as refusal:
        _approve("ben", asked)
    assert refusal.value.code == "requester_not_permitted"


def test_claim__token_of_the_request_revoked__refused(run: Run) -> None:
    token = new_token(REQUESTER)[0]
    asked = _requested_with(token, run.link)
    _approve("anna", asked)
    _approve("ben", asked)
    token_services.token_revoke(actor="anna", token=token)
    _refused(asked, "requester_not_permitted")


@pytest.mark.parametrize("model", [Run, Approval])
def test_claim__token_written_over_by_hand__refused(run: Run, model: type[Run | Approval]) -> None:
    asked = _requested_with(new_token(REQUESTER)[0], run.link)
    _approve("anna", asked, new_token("anna")[0])
    _approve("ben", asked)
    model.objects.update(token_id="")
    assert RunStore(asked.id, "w").claim(30) is None
    assert Event.objects.get(data__kind="run.tampered").data["severity"] == "blocker"


def test_compromised_token__what_it_asked_for_ends_and_what_it_approved_waits_on(run: Run) -> None:
    token = new_token("anna")[0]
    _approve("anna", run, token)
    token_services.token_revoke(actor="carl", token=token, is_compromised=True)
    told = [event.data["message"] for event in Event.objects.filter(data__kind="run.withdraw_approval")]
    assert [message.rpartition(". ")[2] for message in told] == ["Still missing: 2 approvals"]
    own = new_token(REQUESTER)[0]
    asked = _requested_with(own, run.link)
    token_services.token_revoke(actor="carl", token=own, is_compromised=True)
    ended = Run.objects.get(pk=asked.pk)
    assert (ended.state, ended.unfinished_link) == ("aborted", None)
    assert "compromised" in ended.outcome


def test_compromised_token__of_a_resumption__stays_with_the_operator(run: Run) -> None:
    stopped, token = _stopped(run), new_token("carl")[0]
    User.objects.filter(username="anna").update(is_active=False)
    services.run_resume(actor="carl", run=stopped, comment="on", token_id=token.pk)
    token_services.token_revoke(actor="ben", token=token, is_compromised=True)
    assert Run.objects.get(pk=run.pk).state == "needs_operator"


def _demote_and_promote(name: str) -> None:
    make_user("dora", "admin")
    for role in ("operator", "approver"):
        accounts.user_update(actor="dora", user=User.objects.get(username=name), role=role)


def test_approve__approver_before_demoted_and_promoted_again__still_missing(run: Run) -> None:
    """The account counts as a second person only from a later time."""
    _approve("anna", run)
    _demote_and_promote("anna")
    assert _approve("ben", run).state == "waiting_approval"


def test_claim__approver_demoted_and_promoted_again__refused(run: Run) -> None:
    _approve("anna", run)
    _approve("ben", run)
    _demote_and_promote("anna")
    _refused(run, "approver_not_permitted")

"""Who may approve what, until when; resuming later; the exception without a second person."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.common.events.models import Event
from backend.core.plan import PLAN_LIFETIME_S
from backend.identity.accounts.models import User
from backend.operations.runs import services
from backend.operations.runs.execution.authorization import approval_in_force, approval_mac
from backend.operations.runs.execution.driver import Driver
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Approval, Plan, Run, RunState
from tests.backend.two_persons.waiting import APPROVER, REQUESTER, approved, people, waiting_run
from tests.support.console import approval, make_user


@pytest.fixture
def run(link: Link) -> Run:
    people()
    return waiting_run(link)


def _code(user: str, run: Run, **changed: str) -> str:
    given = {**approval(run.plan), **changed}
    with pytest.raises(ProblemError) as refusal:
        services.run_approve(user=User.objects.get(username=user), run=run, **given)
    return refusal.value.code


def test_wait__begun__called_for_as_a_warning(run: Run) -> None:
    raised = Event.objects.get(data__kind="run.waiting_approval")
    assert raised.data["severity"] == "warning"
    assert not Event.objects.filter(data__kind="run.started").exists()


def test_approve__own_run_or_wrong_digest__refused(run: Run) -> None:
    assert _code(REQUESTER, run) == "own_run"
    assert _code(APPROVER, run, digest="0" * 64) == "wrong_digest"


def test_approve__older_than_a_plan_lives__facts_are_compared_and_the_worker_still_begins(run: Run) -> None:
    old = timezone.now() - timedelta(seconds=PLAN_LIFETIME_S + 60)
    Plan.objects.filter(pk=run.plan_id).update(created_at=old, expires_at=old)
    done = approved(run)
    store = RunStore(done.id, "w")
    store.claim(30)
    assert Driver(store, store.run())._facts_confirmed_at_s() > old.timestamp() + PLAN_LIFETIME_S


def test_approve__facts_changed_since__refused_and_still_waiting(run: Run) -> None:
    cluster = run.link.active_cluster
    cluster.known_server_ids = {"n_aaaaaaaaaaaa": 4711}
    cluster.save()
    assert _code(APPROVER, Run.objects.get(pk=run.pk)) == "facts_changed"
    assert Run.objects.get(pk=run.pk).state == "waiting_approval"


def test_approve__account_younger_than_the_request__refused(run: Run) -> None:
    User.objects.filter(username=APPROVER).update(second_person_from=timezone.now())
    assert _code(APPROVER, run) == "younger_than_request"


def test_approve__account_that_does_not_count_yet__refused_with_the_time(run: Run) -> None:
    User.objects.filter(username=APPROVER).update(second_person_from=timezone.now() + timedelta(hours=3))
    assert _code(APPROVER, run) == "not_yet_second_person"


def test_approve__name_that_looks_the_same__own_run(link: Link) -> None:
    """Two such accounts may stand from an earlier version."""
    people()
    twin = User(username="N0ra", role="approver", name_skeleton="nora#9")
    twin.save()
    run = waiting_run(link)
    assert _code("N0ra", run) == "own_run"


def test_unapproved__its_time_is_over__ends_by_itself(run: Run) -> None:
    assert services.end_unapproved() == 0
    Run.objects.filter(pk=run.pk).update(approval_expires_at=timezone.now())
    assert services.end_unapproved() == 1
    fresh = Run.objects.get(pk=run.pk)
    assert (fresh.state, fresh.unfinished_link) == ("aborted", None)


def _stopped(run: Run) -> Run:
    approved(run)
    store = RunStore(run.id, "w")
    store.claim(30)
    store.run_finished(RunState.NEEDS_OPERATOR, outcome="Stopped.")
    return Run.objects.get(pk=run.pk)


def test_resume__soon__under_the_same_approval(run: Run) -> None:
    stopped = _stopped(run)
    assert services.run_resume(actor=REQUESTER, run=stopped, comment="").state == "queued"
    assert RunStore(run.id, "w").claim(30) == 2


def _approved_a_day_ago(run: Run) -> Run:
    """A stopped run whose approval is of an earlier day: written as the console wrote it then."""
    old = Approval.objects.get(run=run)
    old.at -= timedelta(days=1)
    old.mac = approval_mac(old)
    old.save()
    User.objects.filter(username=old.approver).update(second_person_from=old.at - timedelta(days=1))
    return Run.objects.get(pk=run.pk)


def test_resume__much_later__needs_approval_anew(run: Run) -> None:
    resumed = services.run_resume(actor=REQUESTER, run=_approved_a_day_ago(_stopped(run)), comment="now")
    assert (resumed.state, resumed.approval_round) == ("waiting_approval", 2)
    assert _code(REQUESTER, resumed) == "own_run"
    done = services.run_approve(user=User.objects.get(username=APPROVER), run=resumed, **approval(run.plan))
    assert done.state == "queued"
    assert RunStore(run.id, "w").claim(30) == 2


def test_resume__waiting_and_queued_by_hand__the_earlier_approval_is_not_enough(run: Run) -> None:
    services.run_resume(actor=REQUESTER, run=_approved_a_day_ago(_stopped(run)), comment="now")
    Run.objects.filter(pk=run.pk).update(state="queued")
    assert RunStore(run.id, "w").claim(30) is None


def test_approval__of_an_earlier_round__is_none_of_this_one(run: Run) -> None:
    approved(run)
    assert approval_in_force(Run.objects.get(pk=run.pk)) is not None
    Run.objects.filter(pk=run.pk).update(approval_round=2)
    assert approval_in_force(Run.objects.get(pk=run.pk)) is None


def test_resume__waiting__can_still_be_aborted_without_anybody(run: Run) -> None:
    resumed = services.run_resume(actor=REQUESTER, run=_approved_a_day_ago(_stopped(run)), comment="now")
    assert services.run_abort(actor=REQUESTER, run=resumed, comment="").state == "queued"
    store = RunStore(run.id, "w")
    assert store.claim(30) == 2
    assert store.abort_requested()


def test_resume__not_approved_in_time__back_with_the_operator(run: Run) -> None:
    services.run_resume(actor=REQUESTER, run=_approved_a_day_ago(_stopped(run)), comment="now")
    Run.objects.filter(pk=run.pk).update(approval_expires_at=timezone.now())
    services.end_unapproved()
    fresh = Run.objects.get(pk=run.pk)
    assert (fresh.state, fresh.unfinished_link) == ("needs_operator", run.link_id)


def test_exception__without_a_second_person__loud_limited_and_reviewed_by_somebody_else(run: Run) -> None:
    actor = "break-glass root"
    done = services.run_except(actor=actor, run=run, **approval(run.plan))
    assert done.state == "queued"
    assert Event.objects.get(data__kind="run.approval_exception").data["severity"] == "blocker"
    assert RunStore(run.id, "w").claim(30) == 1
    requester, approver = (User.objects.get(username=name) for name in (REQUESTER, APPROVER))
    with pytest.raises(ProblemError) as refusal:
        services.exception_review(user=requester, run=done, comment="fine")
    assert refusal.value.code == "own_exception"
    with pytest.raises(ProblemError, match="no user is mapped"):
        services.exception_review(user=approver, run=done, comment="Was right.")
    User.objects.filter(username=REQUESTER).update(os_users={"root": timezone.now().isoformat()})
    services.exception_review(user=approver, run=Run.objects.get(pk=run.pk), comment="Was right.")
    assert Approval.objects.get().reviewed_by == APPROVER
    with pytest.raises(ProblemError, match="no exception"):
        services.exception_review(user=approver, run=Run.objects.get(pk=run.pk), comment="again")


def test_review__by_the_one_at_the_shell_or_who_does_not_count_yet__refused(run: Run) -> None:
    approver = User.objects.get(username=APPROVER)
    User.objects.filter(pk=approver.pk).update(os_users={"root": timezone.now().isoformat()})
    done = services.run_except(actor="break-glass root", run=run, **approval(run.plan))
    with pytest.raises(ProblemError, match="Another user with the approver role must review"):
        services.exception_review(user=approver, run=done, comment="fine")
    later = timezone.now() + timedelta(hours=1)
    make_user("young", "approver")
    User.objects.filter(username="young").update(second_person_from=later)
    with pytest.raises(ProblemError, match="counts as a second person from"):
        services.exception_review(user=User.objects.get(username="young"), run=done, comment="fine")


def test_exception__not_used_in_time__refused(run: Run, settings: Any) -> None:
    settings.HAWSER_EXCEPTION_S = 0
    services.run_except(actor="break-glass root", run=run, **approval(run.plan))
    assert RunStore(run.id, "w").claim(30) is None
    assert "exception" in Run.objects.get(pk=run.pk).outcome
    assert Event.objects.filter(data__kind="run.refused").exists()
    assert not Event.objects.filter(data__kind="run.tampered").exists()

"""N of M: each approver another person, none of them the requester, all of them before the run starts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.common.events.models import Event
from backend.identity.accounts.models import User
from backend.operations.approval_rules.models import LinkApprovalRule
from backend.operations.runs import services
from backend.operations.runs.execution.authorization import approval_mac, why_not_carried
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Approval, Run, RunState
from backend.operations.runs.services.approvers import why_cannot_approve
from tests.backend.two_persons.waiting import REQUESTER, waiting_run
from tests.core.builders.examples import examples
from tests.support.console import approval, make_link, make_user

APPROVERS = ("anna", "ben", "carl", "dora")


def _rule(link: Link, needed: int, *approvers: str) -> None:
    LinkApprovalRule.objects.update_or_create(link=link, defaults={"needed": needed, "approvers": list(approvers)})


def _people() -> None:
    for name in (REQUESTER, *APPROVERS):
        make_user(name, "approver")


@pytest.fixture
def run(link: Link) -> Run:
    """A run that two persons must approve."""
    _people()
    _rule(link, 2)
    return waiting_run(link)


def _approve(name: str, run: Run) -> Run:
    fresh = Run.objects.select_related("plan", "link").get(pk=run.pk)
    return services.run_approve(user=User.objects.get(username=name), run=fresh, **approval(run.plan))


def _code(name: str, run: Run) -> str:
    with pytest.raises(ProblemError) as refusal:
        _approve(name, run)
    return refusal.value.code


def _state(run: Run) -> str:
    return Run.objects.get(pk=run.pk).state


def test_approve__first_of_two__waits_on_and_says_how_many_are_missing(run: Run) -> None:
    assert _approve("anna", run).state == "waiting_approval"
    event = Event.objects.get(data__kind="run.approve_partly")
    assert event.data["message"].endswith("Still missing: 1 approval")
    assert RunStore(run.id, "w").claim(30) is None
    assert _approve("ben", run).state == "queued"
    assert RunStore(run.id, "w").claim(30) == 1


def test_approve__same_person_twice__refused(run: Run) -> None:
    _approve("anna", run)
    assert _code("anna", run) == "already_approved"
    assert _code(REQUESTER, run) == "own_run"
    assert _state(run) == "waiting_approval"


def test_approve__same_person_under_a_name_that_looks_the_same__refused(run: Run) -> None:
    twin = User(username="D0ra", role="approver", name_skeleton="dora#9", second_person_from=run.created_at)
    twin.save()
    _approve("dora", run)
    assert _code("D0ra", run) == "already_approved"


def test_approve__not_among_the_named__refused(link: Link) -> None:
    _people()
    _rule(link, 1, "ben")
    run = waiting_run(link)
    assert _code("anna", run) == "not_named_approver"
    assert why_cannot_approve(User.objects.get(username="anna"), run) is not None
    assert why_cannot_approve(User.objects.get(username="ben"), run) is None
    assert _approve("ben", run).state == "queued"


def test_approve__approver_of_another_link_only__cannot(run: Run) -> None:
    """The page and the list of what waits ask the same as the call does."""
    user = make_user("ella", "none")
    problem = why_cannot_approve(user, run)
    assert problem is not None
    assert problem.code == "forbidden"


def test_reject__after_one_approval__ends_with_the_comment_and_warns(run: Run) -> None:
    _approve("anna", run)
    user = User.objects.get(username="ben")
    fresh = Run.objects.get(pk=run.pk)
    done = services.run_reject(user=user, run=fresh, digest=run.plan.digest, comment="not before the backup")
    assert (done.state, done.outcome) == ("aborted", "ben rejected the run: not before the backup")
    assert Event.objects.get(data__kind="run.reject").data["severity"] == "warning"
    assert _code("carl", run) == "not_waiting"


def test_reject__own_run_or_wrong_digest__refused_and_still_waiting(run: Run) -> None:
    for name, digest, code in ((REQUESTER, run.plan.digest, "own_run"), ("anna", "0" * 64, "wrong_digest")):
        with pytest.raises(ProblemError) as refusal:
            services.run_reject(user=User.objects.get(username=name), run=run, digest=digest, comment="no")
        assert refusal.value.code == code
    assert _state(run) == "waiting_approval"


def test_expiry__one_of_two_approved_in_time__ends_as_a_warning(run: Run) -> None:
    _approve("anna", run)
    Run.objects.filter(pk=run.pk).update(approval_expires_at=timezone.now())
    assert services.end_unapproved() == 1
    assert _state(run) == "aborted"
    assert Event.objects.get(data__kind="run.expire").data["severity"] == "warning"


def test_reminder__half_of_the_time_is_over__once(run: Run) -> None:
    assert services.remind_approvers() == 0
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(
        approval_requested_at=now - timedelta(minutes=40), approval_expires_at=now + timedelta(minutes=20)
    )
    assert services.remind_approvers() == 1
    assert services.remind_approvers() == 0
    assert "Still 2 approvals missing" in Event.objects.get(data__kind="run.approval_reminder").data["message"]


def _released(run: Run) -> Run:
    _approve("anna", run)
    _approve("ben", run)
    return Run.objects.select_related("plan", "link").get(pk=run.pk)


def test_claim__one_of_two_approvals_is_forged__refused(run: Run) -> None:
    _released(run)
    Approval.objects.filter(approver="anna").update(mac="0" * 64)
    assert RunStore(run.id, "w").claim(30) is None
    assert _state(run) == "failed"


@pytest.mark.parametrize("change", [{"approver": "carl"}, {"round": 7}, {"digest": "0" * 64}])
def test_claim__one_of_the_approvals_altered__refused(run: Run, change: dict[str, str]) -> None:
    _released(run)
    Approval.objects.filter(approver="anna").update(**change)
    assert RunStore(run.id, "w").claim(30) is None
    assert _state(run) == "failed"


def test_claim__one_approval_taken_away_and_the_rule_lowered__refused(run: Run) -> None:
    _released(run)
    Approval.objects.filter(approver="anna").delete()
    Run.objects.filter(pk=run.pk).update(approval_rule=None)
    assert RunStore(run.id, "w").claim(30) is None
    assert _state(run) == "failed"


def test_claim__requester_is_one_of_the_approvers__refused(run: Run) -> None:
    """Written with the console's own key, as a bug of it would."""
    released = _released(run)
    own = Approval.objects.get(approver="anna")
    own.approver = REQUESTER
    own.mac = approval_mac(own)
    own.save()
    refusal = why_not_carried(released)
    assert refusal is not None
    assert refusal.code == "not_two_persons"


def test_resume__long_after_two_approvals__needs_two_again(run: Run) -> None:
    _released(run)
    store = RunStore(run.id, "w")
    store.claim(30)
    store.run_finished(RunState.NEEDS_OPERATOR, outcome="Stopped.")
    for old in Approval.objects.filter(run=run):
        old.at -= timedelta(days=1)
        old.mac = approval_mac(old)
        old.save()
    resumed = services.run_resume(actor=REQUESTER, run=Run.objects.get(pk=run.pk), comment="now")
    assert (resumed.state, resumed.approval_round) == ("waiting_approval", 2)
    assert _approve("anna", run).state == "waiting_approval"
    assert _approve("carl", run).state == "queued"
    assert RunStore(run.id, "w").claim(30) == 2


_MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("approve"), st.sampled_from((REQUESTER, *APPROVERS))),
        st.tuples(st.just("reject"), st.sampled_from((REQUESTER, "carl"))),
        st.tuples(st.just("expire"), st.just("")),
    ),
    max_size=6,
)


class StateMachineTest(TestCase):
    """Any order of decisions: only N different persons, none of them the requester, release a run."""

    @settings(examples(15, few=5), suppress_health_check=list(HealthCheck))
    @given(needed=st.integers(1, 3), moves=_MOVES)
    def test_any_order_of_decisions__released_by_enough_persons_or_not_at_all(
        self, needed: int, moves: list[tuple[str, str]]
    ) -> None:
        _people()
        link = make_link()
        _rule(link, needed)
        run, given_by, expected = waiting_run(link), set(), "waiting_approval"
        for what, name in moves:
            expected = _expected(what, name, given_by, expected, needed)
            _move(what, name, run)
            assert _state(run) == expected
        assert (RunStore(run.id, "w").claim(30) == 1) is (expected == "queued")


def _move(what: str, name: str, run: Run) -> None:
    fresh = Run.objects.select_related("plan", "link").get(pk=run.pk)
    try:
        if what == "approve":
            _approve(name, run)
        elif what == "reject":
            user = User.objects.get(username=name)
            services.run_reject(user=user, run=fresh, digest=run.plan.digest, comment="no")
        else:
            Run.objects.filter(pk=run.pk).update(approval_expires_at=timezone.now())
            services.end_unapproved()
    except ProblemError:
        return


def _expected(what: str, name: str, given_by: set[str], state: str, needed: int) -> str:
    if state != "waiting_approval":
        return state
    if what == "expire":
        return "aborted"
    if name == REQUESTER:
        return state
    if what == "reject":
        return "aborted"
    given_by.add(name)
    return "queued" if len(given_by) >= needed else state

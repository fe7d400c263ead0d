"""Write access to the console's database: what is refused, and what is not (docs/explanation/security.md)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.sessions.models import Session
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.identity.accounts.models import ApiToken, User
from backend.identity.accounts.names import skeleton
from backend.identity.accounts.session_store import SessionStore
from backend.identity.accounts.tokens import digest_of
from backend.operations.runs.execution.driver import Driver
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Approval, Plan, Run, RunStep
from tests.backend.two_persons.waiting import approved, people, waiting_run
from tests.support.console import Caller, SignedIn, approval, confirmation, make_user

LONG_AGO = timezone.now() - timedelta(days=30)


def _written_by_hand(name: str, role: str) -> Caller:
    """A user and a token, as rows that the console did not write."""
    user = User(username=name, role=role, name_skeleton=skeleton(name), second_person_from=LONG_AGO)
    User.objects.bulk_create([user])
    ApiToken.objects.create(
        user=User.objects.get(username=name),
        label="x",
        role=role,
        digest=digest_of("hawser_forged"),
        expires_at=timezone.now() + timedelta(days=1),
    )
    return Caller("hawser_forged")


def test_run__set_to_running_by_hand__nobody_carries_it(link: Link) -> None:
    people()
    run = waiting_run(link)
    Run.objects.filter(pk=run.pk).update(state="running", started_at=timezone.now(), epoch=7)
    assert RunStore(run.id, "w").claim(30) is None
    assert Run.objects.get().state == "needs_operator"


def test_session__written_by_hand__opens_nothing(db: None, settings: Any) -> None:
    page = SignedIn(make_user("nora", "admin"))
    row, content = Session.objects.get(), dict(page.client.session.items())
    own_key, settings.SECRET_KEY = settings.SECRET_KEY, "guessed" * 10
    row.session_data = SessionStore().encode(content)
    settings.SECRET_KEY = own_key
    assert page.get("/links").status == 200
    row.save()
    assert page.get("/links").status == 401


def test_limit__approver_written_by_hand__is_believed_and_named_in_the_record(link: Link) -> None:
    people()
    run = waiting_run(link)
    answer = _written_by_hand("zoe", "approver").post(f"/runs/{run.id}/approve", approval(run.plan))
    assert answer.status == 200
    assert Approval.objects.get().approver == "zoe"
    assert AuditRecord.objects.filter(actor="zoe", action="api:run:approve").exists()
    assert not AuditRecord.objects.filter(action="api:user:create", target="zoe").exists()


def test_limit__rule_switched_off_by_hand__the_next_run_begins_and_the_record_says_without_whom(
    link: Link, operator: Caller, plan: Plan
) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    Link.objects.filter(pk=link.pk).update(requires_approval=False)
    assert operator.post(f"/plans/{plan.id}/runs", confirmation(plan)).body["state"] == "queued"
    assert not AuditRecord.objects.filter(action="api:link:update").exists()


def test_limit__step_marked_as_done_by_hand__its_result_is_believed_and_not_in_the_record(link: Link) -> None:
    people()
    run = approved(waiting_run(link))
    store = RunStore(run.id, "w")
    store.claim(30)
    RunStep.objects.filter(run=run, index=0).update(state="succeeded", facts={"file": "made-up"})
    assert 0 in Driver(store, store.run())._progress(store.steps()).done
    assert not AuditRecord.objects.filter(action="worker:run:step_succeeded").exists()

"""What a restored database does not go on with without an operator: runs, incidents, automation, messages, access."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.common.models import IdempotencyRecord
from backend.config.backup.afterwards import stop_everything
from backend.core.incidents.scope import ScopeKind
from backend.notifications.hooks import dispatch
from backend.notifications.hooks.models import Delivery, DeliveryState
from backend.operations.automation.models import AutomaticStart, LinkAutomation
from backend.operations.incidents.models import Incident, IncidentState
from backend.operations.runs.execution.claim import RunClaim
from backend.operations.runs.models import Plan, Run, RunState
from tests.backend.backup.manifests import MANIFEST
from tests.backend.hooks.event_notices import notice_hook, raised
from tests.support.console import Caller, SignedIn, confirmation, make_caller, make_user, store_plan
from tests.support.destinations import make_destination
from tests.support.webhook_receiver import Receiver


def _restored() -> dict[str, Any]:
    return stop_everything(MANIFEST, actor="command line", reason="disk lost", damage="")


def _started(operator: Caller, plan: Plan) -> Run:
    answer = operator.post(f"/plans/{plan.id}/runs", confirmation(plan))
    assert answer.status == 202
    return Run.objects.get(pk=answer.body["id"])


@pytest.mark.parametrize("was_claimed", [False, True])
def test_run__unfinished_in_the_backup__no_worker_claims_it(operator: Caller, plan: Plan, was_claimed: bool) -> None:
    run = _started(operator, plan)
    if was_claimed:
        assert RunClaim(run.id, "host:1:a:b:c").claim(15) is not None
        Run.objects.update(lease_until=timezone.now() - timedelta(hours=1))
    stopped = _restored()
    assert stopped["runs_stopped"] == [run.id]
    assert RunClaim(run.id, "host:2:a:b:c").claim(15) is None
    run.refresh_from_db()
    assert (run.state, run.owner, run.authorization) == (RunState.NEEDS_OPERATOR.value, "", "")
    assert "may have gone on after the backup" in run.next_action


def test_run__unfinished_in_the_backup__holds_its_link_until_a_worker_has_observed_it(
    operator: Caller, plan: Plan
) -> None:
    run = _started(operator, plan)
    _restored()
    signed_in_again, fresh = make_caller("otto", "operator"), store_plan(plan.link)
    assert signed_in_again.post(f"/plans/{fresh.id}/runs", confirmation(fresh)).status == 409
    planned = signed_in_again.post(f"/links/{plan.link_id}/plans", {"kind": "relocate", "options": {}, "reason": "r"})
    assert "run_unfinished" in {finding["code"] for finding in planned.body["findings"]}
    assert signed_in_again.post(f"/runs/{run.id}/abort", {"comment": "compared"}).status == 200
    assert RunClaim(run.id, "host:2:a:b:c").claim(15) is not None
    Run.objects.update(state=RunState.NEEDS_OPERATOR.value)
    fresh = store_plan(plan.link)
    assert signed_in_again.post(f"/plans/{fresh.id}/runs", confirmation(fresh)).status == 202


def test_run__unfinished_in_the_backup__resumes_when_an_operator_says_so(operator: Caller, plan: Plan) -> None:
    run = _started(operator, plan)
    _restored()
    assert make_caller("otto", "operator").post(f"/runs/{run.id}/resume", {"comment": "compared"}).status == 200
    assert RunClaim(run.id, "host:2:a:b:c").claim(15) is not None


def test_run__ended_in_the_backup__stays_as_it_was(operator: Caller, plan: Plan) -> None:
    run = _started(operator, plan)
    Run.objects.update(state=RunState.SUCCEEDED.value, unfinished_link=None)
    before = Run.objects.values().get(pk=run.id)
    assert _restored()["runs_stopped"] == []
    assert Run.objects.values().get(pk=run.id) == before


def test_incident__running_in_the_backup__starts_nothing_more(link: Link) -> None:
    now = timezone.now()
    common = {"scope_kind": ScopeKind.SITE.value, "created_by": "olga", "created_at": now}
    running = Incident.objects.create(name="a", state=IncidentState.RUNNING.value, **common)
    planned = Incident.objects.create(name="b", state=IncidentState.PLANNED.value, **common)
    assert _restored()["incidents_stopped"] == [running.id]
    running.refresh_from_db()
    planned.refresh_from_db()
    assert (running.state, planned.state) == (IncidentState.STOPPED, IncidentState.PLANNED)


def test_automation__on_in_the_backup__is_off(link: Link) -> None:
    LinkAutomation.objects.create(link=link, mode="on")
    AutomaticStart.objects.create(link=link, enabled=True)
    assert _restored()["automatic_off"] == [link.id]
    assert (LinkAutomation.objects.get().mode, AutomaticStart.objects.get().enabled) == ("off", False)


def test_webhook__message_that_waited_in_the_backup__is_not_sent_but_the_restore_is_told(
    link: Link, receiver: Receiver
) -> None:
    notice_hook(link, receiver)
    for_all = make_destination("slack", None)
    raised(link, "node.down")
    dispatch.sweep()
    raised(link, "link.broken", "blocker")
    assert _restored()["messages_dropped"] == 2
    dispatch.sweep()
    waiting = Delivery.objects.filter(state=DeliveryState.PENDING)
    assert list(waiting.values_list("hook", "kind")) == [(for_all.pk, "database.restored")]


def test_access__of_the_backup__is_ended(db: None) -> None:
    page = SignedIn(make_user("nora", "operator"))
    assert page.get("/links").status == 200
    assert _restored()["sessions_ended"] == 1
    assert page.get("/links").status == 401


def test_call__in_progress_in_the_backup__can_be_repeated(db: None) -> None:
    IdempotencyRecord.objects.create(caller="nora", key="k", fingerprint="f")
    _restored()
    assert not IdempotencyRecord.objects.exists()


def test_restore__done__is_in_the_audit_log_and_in_the_history(db: None) -> None:
    _restored()
    entry = AuditRecord.objects.latest("seq")
    assert (entry.action, entry.reason, entry.facts["audit_seq"]) == ("cli:console:restore", "disk lost", 7)
    assert Event.objects.get(data__kind="database.restored").data["severity"] == "blocker"

"""What is executed is what was approved: the registration and the webhooks are compared again before it begins."""

from __future__ import annotations

import pytest

from backend.clusters.models import Cluster, CredentialRole, Link
from backend.common.errors import ProblemError
from backend.core.plans.builders.hook_steps import with_hooks
from backend.identity.accounts.models import User
from backend.notifications.hooks.models import Hook
from backend.notifications.hooks.selectors import planned_hooks
from backend.notifications.hooks.services import hook_update
from backend.operations.runs import services
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Plan, Run
from backend.registration.changes import Change
from backend.registration.credentials import credential_replace
from tests.backend.two_persons.waiting import APPROVER, REQUESTER, approved, people, waiting_run
from tests.support.console import approval, confirmation, core_plan, store_plan
from tests.support.webhook_receiver import Receiver, receiver
from tests.support.webhooks import make_hook

__all__ = ["receiver"]


@pytest.fixture
def run(link: Link) -> Run:
    people()
    return waiting_run(link)


def _replace_account(link: Link) -> None:
    cluster = Cluster.objects.get(pk=link.active_cluster_id)
    change = Change(actor="root", reason="rotation")
    role = CredentialRole.OPERATOR
    credential_replace(
        change=change, cluster=cluster, role=role, user="other", password="another-one-4711", accept_unreachable=True
    )


def _refused(run: Run, what: str) -> None:
    assert RunStore(run.id, "w").claim(30) is None
    ended = Run.objects.get(pk=run.pk)
    assert (ended.state, ended.started_at) == ("failed", None)
    assert what in ended.outcome


def test_claim__account_replaced_since_the_approval__refused_by_name(run: Run) -> None:
    approved(run)
    _replace_account(run.link)
    _refused(run, f"registration of {run.link.active_cluster.name}")


def test_approve__account_replaced_since_the_plan__refused_and_shown(run: Run) -> None:
    _replace_account(run.link)
    fresh, user = Run.objects.get(pk=run.pk), User.objects.get(username=APPROVER)
    shown = services.decision_view(user, fresh)["changes"]
    assert [one["fact"] for one in shown] == [f"registration of {run.link.active_cluster.name}"]
    with pytest.raises(ProblemError, match=run.link.active_cluster.name) as refusal:
        services.run_approve(user=user, run=fresh, **approval(run.plan))
    assert refusal.value.code == "registration_changed"


def test_claim__account_replaced_after_the_begin__the_run_goes_on(run: Run) -> None:
    approved(run)
    assert RunStore(run.id, "w").claim(30) == 1
    Run.objects.filter(pk=run.pk).update(lease_until=None)
    _replace_account(run.link)
    assert RunStore(run.id, "w2").claim(30) == 2


def _hooked(link: Link, receiver: Receiver, phase: str) -> tuple[Run, Hook]:
    people()
    hook = make_hook(link, receiver, phase=phase)
    plan = store_plan(link, with_hooks(core_plan(link), planned_hooks(link.id, "relocate")))
    stored = Plan.objects.select_related("link").get(pk=plan.pk)
    return services.run_start(actor=REQUESTER, plan=stored, **confirmation(stored)), hook


@pytest.mark.parametrize("phase", ["before", "after"])
def test_claim__address_of_a_webhook_changed_since__refused_by_name(link: Link, receiver: Receiver, phase: str) -> None:
    run, hook = _hooked(link, receiver, phase)
    hook_update(actor="root", hook=hook, url=f"{receiver.url}&elsewhere=1")
    _refused(run, f"address of the webhook {hook.name}")


@pytest.mark.parametrize("phase", ["before", "after"])
def test_claim__webhooks_as_approved__begins(link: Link, receiver: Receiver, phase: str) -> None:
    run, _ = _hooked(link, receiver, phase)
    assert RunStore(run.id, "w").claim(30) == 1

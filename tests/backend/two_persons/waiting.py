"""A run that waits for its second person."""

from __future__ import annotations

from backend.clusters.models import Link
from backend.identity.accounts.models import ProtectedChange, User
from backend.operations.runs import services
from backend.operations.runs.models import Plan, Run
from tests.support.console import approval, confirmation, make_user, store_plan

REQUESTER, APPROVER = "nora", "anna"


def people() -> tuple[User, User]:
    """The requester and an approver, both long known."""
    return make_user(REQUESTER, "approver"), make_user(APPROVER, "approver")


def waiting_run(link: Link, *, actor: str = REQUESTER) -> Run:
    """A run of a link whose rule is on."""
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    plan = Plan.objects.select_related("link").get(pk=store_plan(link).pk)
    return services.run_start(actor=actor, plan=plan, **confirmation(plan))


def approved(run: Run) -> Run:
    """The same, approved by the other one."""
    return services.run_approve(user=User.objects.get(username=APPROVER), run=run, **approval(run.plan))


def stored_by_an_earlier_version() -> None:
    """Nobody wrote down who was behind the accounts and changes that are stored."""
    ProtectedChange.objects.update(people_behind=None)
    User.objects.update(people_behind=None)

"""Assigns roles to users and teams, for everything or for an environment, a cluster or a link."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.models import Cluster, Link
from backend.common.errors import conflict, invalid, not_found
from backend.common.roles import Role
from backend.identity.access.environments import environment_names
from backend.identity.access.models import RoleAssignment, ScopeKind
from backend.identity.access.promotions import held_back
from backend.identity.accounts.models import Team, User


def in_force() -> QuerySet[RoleAssignment]:
    """All assignments that have not expired, the latest first."""
    rows = RoleAssignment.objects.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()))
    return rows.select_related("user", "team").order_by("-granted_at", "id")


def assignment_get(assignment_id: str) -> RoleAssignment:
    """An assignment; 404 if it does not exist."""
    found = RoleAssignment.objects.select_related("user", "team").filter(pk=assignment_id).first()
    if found is None:
        raise not_found("role assignment")
    return found


@transaction.atomic
def role_assign(
    *,
    actor: str,
    to: User | Team,
    role: str,
    scope_kind: str,
    scope: str = "",
    reason: str = "",
    expires_at: datetime | None = None,
) -> RoleAssignment:
    """Assign a role. Who may run or approve more by it counts as a second person only after the waiting time."""
    _check(role, scope_kind, scope, expires_at)
    owner = {"team": to} if isinstance(to, Team) else {"user": to}
    same = {**owner, "role": role, "scope_kind": scope_kind, "scope": scope}
    if in_force().filter(**same).exists():
        raise conflict("assignment_exists", f"{to} has this role for this scope already. Nothing was changed.")
    users = list(to.members.all()) if isinstance(to, Team) else [to]
    with held_back(users, actor, f"was assigned the role {role} for {scope_name(scope_kind, scope)}"):
        row = RoleAssignment.objects.create(**same, reason=reason, granted_by=actor, expires_at=expires_at)
    _record(actor, row, "create")
    return row


@transaction.atomic
def assignment_end(*, actor: str, row: RoleAssignment) -> None:
    """End an assignment. Calls and workers are refused from now on; open streams end within two seconds."""
    _record(actor, row, "delete")
    row.delete()


def _check(role: str, scope_kind: str, scope: str, expires_at: datetime | None) -> None:
    if role == Role.NONE:
        raise invalid("role", "The role none includes nothing. Nothing was changed. Choose another role.")
    if role == Role.ADMIN and scope_kind == ScopeKind.EVERYTHING:
        raise invalid("role", "Administrators of all of the console have the role admin as users. Change the user.")
    if expires_at is not None and expires_at <= timezone.now():
        raise invalid("expires_at", "This time is over. Nothing was changed. Choose a later one, or none.")
    if (scope_kind == ScopeKind.EVERYTHING) != (scope == ""):
        raise invalid("scope", "Name the environment, cluster or link, and nothing for everything.")
    if not _exists(scope_kind, scope):
        raise invalid("scope", f"There is no {scope_kind} {scope}. Nothing was changed. Choose one that exists.")


def _exists(scope_kind: str, scope: str) -> bool:
    if scope_kind == ScopeKind.LINK:
        return Link.objects.filter(pk=scope).exists()
    if scope_kind == ScopeKind.CLUSTER:
        return Cluster.objects.filter(pk=scope).exists()
    return scope_kind == ScopeKind.EVERYTHING or scope in environment_names()


def scope_name(scope_kind: str, scope: str) -> str:
    """The scope as people call it."""
    if scope_kind == ScopeKind.EVERYTHING:
        return "everything"
    rows = (Link if scope_kind == ScopeKind.LINK else Cluster).objects.filter(pk=scope)
    return f"the {scope_kind} {rows.values_list('name', flat=True).first() or scope}"


def _record(actor: str, row: RoleAssignment, what: str) -> None:
    audit.record(
        actor=actor,
        action=f"api:role_assignment:{what}",
        link_id=row.scope if row.scope_kind == ScopeKind.LINK else "",
        target=row.id,
        reason=row.reason,
        facts={
            "user": row.user.username if row.user else None,
            "team": row.team.name if row.team else None,
            "role": row.role,
            "scope_kind": row.scope_kind,
            "scope": row.scope,
            "expires_at": row.expires_at,
        },
    )

"""Two links of which most callers may see only one, and these callers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils import timezone

from backend.adviser.advice.models import AdviceDismissal
from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.common.events import services as events
from backend.common.roles import PERMISSIONS, PERSONAL, Permission, Role
from backend.identity.access.assignments import role_assign
from backend.identity.access.environments import environment_set
from backend.identity.access.models import ScopeKind
from backend.identity.accounts import token_services
from backend.identity.accounts.models import User
from backend.identity.accounts.token_limits import TokenLimits
from backend.monitoring.models import NodeMaintenance
from backend.notifications.hooks.models import Hook, HookPhase
from backend.operations.incidents.models import Incident, IncidentItem
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.runs.models import Run
from tests.support.console import Caller, make_link, make_user, store_plan

_NO_LOSS = {"transactions": 0, "seconds": 0, "detail": ""}
Permissions = frozenset[Permission]


@dataclass(frozen=True, slots=True)
class Known:
    """A link with an object of each kind, and the texts by which an answer would give it away."""

    link: Link
    objects: dict[str, str]
    markers: tuple[str, ...]


def known_link(name: str, net: str, environment: str) -> Known:
    """A link with one object of each kind that a path can name."""
    link = make_link(name, net)
    environment_set(actor="test", subject=link, environment=environment)
    now, node = timezone.now(), Node.objects.filter(cluster=link.active_cluster).first()
    assert node is not None
    plan = store_plan(link)
    run = Run.objects.create(plan=plan, link=link, kind="relocate", state="failed", requested_by="eve", created_at=now)
    hook = Hook.objects.create(link=link, name=f"{name}-hook", sealed="", phase=HookPhase.EVENT.value)
    rehearsal = Rehearsal.objects.create(
        link=link, kind="relocate", state="passed", at=now, actor="x", duration_ms=1, loss=_NO_LOSS
    )
    incident = Incident.objects.create(
        name=f"{name}-incident", scope_kind="links", state="ended", created_by="x", created_at=now
    )
    IncidentItem.objects.create(incident=incident, link=link, position=0, role="chosen")
    maintenance = NodeMaintenance.objects.create(
        cluster=link.active_cluster, link=link, node=node, donor=node, run_id=run.id, opened_by="x",
        opened_at=now, until=now, members=2, stage="ended", ended_at=now,
    )  # fmt: skip
    dismissal = AdviceDismissal.objects.create(
        link=link, code="some_advice", fingerprint="f", fact="f", reason="r", by="x", at=now, expires_at=now
    )
    events.raised(link_id=link.id, kind="link.test", severity="info", message=f"about {name}")
    audit.record(actor="test", action="api:link:update", link_id=link.id, target=link.id)
    objects = {
        "link_id": link.id,
        "cluster_id": link.active_cluster_id,
        "node_id": node.id,
        "plan_id": plan.id,
        "run_id": run.id,
        "hook_id": hook.id,
        "destination_id": hook.id,
        "rehearsal_id": rehearsal.id,
        "incident_id": incident.id,
        "maintenance_id": maintenance.id,
        "dismissal_id": dismissal.id,
    }
    return Known(link, objects, (name, *objects.values(), link.standby_cluster_id))


@dataclass(frozen=True, slots=True)
class Person:
    """A caller, and what it may do everywhere, on the link inside, and on the link there."""

    name: str
    caller: Caller
    everywhere: Permissions = frozenset()
    inside: Permissions = frozenset()
    there: Permissions = frozenset()
    is_refused: bool = False

    @property
    def anywhere(self) -> Permissions:
        """What it may do on anything."""
        return self.everywhere | self.inside | self.there


def persons(inside: Known, there: Known) -> Iterator[Person]:
    """Everyone whose answers the table is compared with."""
    yield Person("anonymous", Caller(), is_refused=True)
    for role in Role:
        held = PERMISSIONS[role]
        yield Person(f"{role} everywhere", _caller(make_user(f"{role}-all", role)), held, held, held)
    admin = User.objects.get(username="admin-all")
    for role in (Role.VIEWER, Role.OPERATOR, Role.APPROVER, Role.ADMIN):
        user = make_user(f"{role}-inside", Role.NONE)
        role_assign(actor="test", to=user, role=role, scope_kind=ScopeKind.LINK, scope=inside.link.id)
        yield Person(f"{role} on one link", _caller(user), PERSONAL, _scoped(role))
    user = make_user("approver-environment", Role.NONE)
    role_assign(actor="test", to=user, role="approver", scope_kind=ScopeKind.ENVIRONMENT, scope="production")
    yield Person("approver of an environment", _caller(user), PERSONAL, _scoped(Role.APPROVER))
    user = make_user("viewer-and-operator", Role.VIEWER)
    role_assign(actor="test", to=user, role="operator", scope_kind=ScopeKind.LINK, scope=inside.link.id)
    viewer = PERMISSIONS[Role.VIEWER]
    yield Person("viewer, operator on one link", _caller(user), viewer, viewer | _scoped(Role.OPERATOR), viewer)
    narrow = TokenLimits(links=[inside.link.id], permissions=["read", "plan"])
    of_token = frozenset({Permission.READ, Permission.PLAN})
    yield Person("token of an administrator for one link", _caller(admin, narrow), frozenset(), of_token)
    yield Person("token from another address", _caller(admin, TokenLimits(addresses=["192.0.2.0/24"])), is_refused=True)


def _scoped(role: Role) -> Permissions:
    """What a role for a scope includes of what concerns links and clusters."""
    return PERMISSIONS[role] - PERSONAL - {Permission.USERS, Permission.AUDIT, Permission.LAB}


def _caller(user: User, limits: TokenLimits | None = None) -> Caller:
    _, secret = token_services.token_create(
        owner=user, label="test", role=None, expires_days=None, actor=user.username, limits=limits
    )
    return Caller(secret)

"""Two links of which most callers may see only one, and these callers: by role, scope and credential."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.core.signals import request_finished
from django.db import close_old_connections, transaction
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from backend.adviser.advice.models import AdviceDismissal
from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.common.events import services as events
from backend.common.roles import PERMISSIONS, PERSONAL, Permission, Role
from backend.identity.access.assignments import role_assign
from backend.identity.access.environments import environment_set
from backend.identity.access.models import ScopeKind
from backend.identity.accounts import session_proof, token_services
from backend.identity.accounts.models import ApiToken, User
from backend.identity.accounts.token_limits import TokenLimits
from backend.monitoring.models import NodeMaintenance
from backend.notifications.hooks.models import Hook, HookPhase
from backend.operations.incidents.models import Incident, IncidentItem
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.runs.models import Run
from backend.transactions.table_comparison.models import TableComparison
from tests.support.console import API, SignedIn, make_link, make_user, store_plan

_NO_LOSS = {"transactions": 0, "seconds": 0, "detail": ""}
Permissions = frozenset[Permission]
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
VERBS = (*METHODS, "HEAD", "OPTIONS", "TRACE")
CHANGING = ("POST", "PUT", "PATCH", "DELETE")


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
    comparison = TableComparison.objects.create(
        link=link, actor="x", state="finished", node_ids=[node.id], rows_per_s=1, busy_percent=1, started_at=now
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
        "comparison_id": comparison.id,
        "incident_id": incident.id,
        "maintenance_id": maintenance.id,
        "dismissal_id": dismissal.id,
    }
    return Known(link, objects, (name, *objects.values(), link.standby_cluster_id))


@dataclass(frozen=True, slots=True)
class Person:
    """A caller with a credential or none, and what it may do everywhere, on the link inside, and on the link there."""

    client: Client
    everywhere: Permissions = frozenset()
    inside: Permissions = frozenset()
    there: Permissions = frozenset()
    token: str = ""
    csrf: str = ""
    """What it sends with the cookie of its session."""
    is_known: bool = True
    is_session: bool = False
    has_bad_token: bool = False
    names_objects: bool = True
    """Whether it names objects of both links, or unknown ones alone."""
    verbs: tuple[str, ...] = ()
    """What it tries besides the methods that a call has."""

    @property
    def anywhere(self) -> Permissions:
        """What it may do on anything."""
        return self.everywhere | self.inside | self.there

    def call(self, verb: str, address: str, body: str) -> tuple[int, str]:
        """Status and text of one call; what it changed is reverted, so that no answer hangs on the one before it."""
        headers = {"X-CSRFToken": self.csrf} if self.csrf else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        cookies = self.client.cookies.output()
        with transaction.atomic():
            answer = self.client.generic(verb, address, body, "application/json", headers=headers)
            text = _text(answer, is_endless=address.endswith("events"))
            transaction.set_rollback(True)
        self.client.cookies.load(cookies.replace("Set-Cookie: ", ""))
        return answer.status_code, text


def _text(answer: Any, *, is_endless: bool) -> str:
    """Of an endless stream nothing; Django's test client takes the end of one for the end of the connection."""
    if not answer.streaming:
        return str(answer.content.decode())
    if not is_endless:
        return b"".join(answer).decode()
    request_finished.disconnect(close_old_connections)
    answer.close()
    request_finished.connect(close_old_connections)
    return ""


def _client() -> Client:
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def _token(user: User, limits: TokenLimits | None = None, role: str | None = None) -> tuple[ApiToken, str]:
    return token_services.token_create(
        owner=user, label="test", role=role, expires_days=9, actor=user.username, limits=limits
    )


def _anonymous(_inside: Known, _there: Known) -> Person:
    return Person(_client(), is_known=False, verbs=VERBS)


def _everywhere(role: Role, _inside: Known, _there: Known) -> Person:
    held = PERMISSIONS[role]
    verbs = METHODS if role is Role.ADMIN else ()
    return Person(_client(), held, held, held, _token(make_user("olga", role))[1], verbs=verbs)


def _scoped(role: Role) -> Permissions:
    """What a role for a scope includes of what concerns links and clusters."""
    return PERMISSIONS[role] - PERSONAL - {Permission.USERS, Permission.AUDIT, Permission.LAB}


def _on_one_link(role: Role, inside: Known, _there: Known, *, everywhere: Role = Role.NONE) -> Person:
    user = make_user("olga", everywhere)
    role_assign(actor="test", to=user, role=role, scope_kind=ScopeKind.LINK, scope=inside.link.id)
    held = PERMISSIONS[everywhere]
    return Person(_client(), held, held | _scoped(role), held - PERSONAL, _token(user)[1])


def _of_an_environment(_inside: Known, _there: Known) -> Person:
    user = make_user("olga", Role.NONE)
    role_assign(actor="test", to=user, role="approver", scope_kind=ScopeKind.ENVIRONMENT, scope="production")
    return Person(_client(), PERSONAL, _scoped(Role.APPROVER), token=_token(user)[1])


def _for_one_link(inside: Known, _there: Known) -> Person:
    narrow = TokenLimits(links=[inside.link.id], permissions=["read", "plan"])
    held = frozenset({Permission.READ, Permission.PLAN})
    return Person(_client(), inside=held, token=_token(make_user("olga", Role.ADMIN), narrow)[1])


def _from_another_address(_inside: Known, _there: Known) -> Person:
    _, secret = _token(make_user("olga", Role.ADMIN), TokenLimits(addresses=["192.0.2.0/24"]))
    return Person(_client(), token=secret, has_bad_token=True)


def _of_a_bad_token(spoil: Callable[[User, ApiToken], object], _inside: Known, _there: Known) -> Person:
    user = make_user("olga", Role.ADMIN)
    token, secret = _token(user)
    spoil(user, token)
    return Person(_client(), token=secret, has_bad_token=True, names_objects=False, verbs=VERBS)


def _expire(_user: User, token: ApiToken) -> None:
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def _revoke(_user: User, token: ApiToken) -> None:
    token_services.token_revoke(actor="test", token=token)


def _disable(user: User, _token: ApiToken) -> None:
    """The token as such still works: its owner is disabled behind the console's back."""
    User.objects.filter(pk=user.pk).update(is_active=False)


def _of_a_lesser_role(_inside: Known, _there: Known) -> Person:
    _, secret = _token(make_user("olga", Role.ADMIN), role="viewer")
    return Person(_client(), PERMISSIONS[Role.VIEWER], token=secret, names_objects=False, verbs=VERBS)


def _session(*, with_csrf: bool) -> Person:
    """Of an operator who was just asked for the password."""
    client = SignedIn(make_user("olga", Role.OPERATOR), enforce_csrf_checks=True).client
    request = HttpRequest()
    request.session = client.session
    session_proof.record(request, factor="")
    request.session.save()
    client.get(f"{API}/session")
    csrf = client.cookies["csrftoken"].value if with_csrf else ""
    held = PERMISSIONS[Role.OPERATOR]
    verbs = VERBS if with_csrf else CHANGING
    return Person(client, held, csrf=csrf, is_session=True, names_objects=False, verbs=verbs)


PERSONS: dict[str, Callable[[Known, Known], Person]] = {
    "anonymous": _anonymous,
    **{f"{role} everywhere": partial(_everywhere, role) for role in Role},
    **{
        f"{role} on one link": partial(_on_one_link, role)
        for role in (Role.VIEWER, Role.OPERATOR, Role.APPROVER, Role.ADMIN)
    },
    "approver of an environment": _of_an_environment,
    "viewer, operator on one link": partial(_on_one_link, Role.OPERATOR, everywhere=Role.VIEWER),
    "token of an administrator for one link": _for_one_link,
    "token from another address": _from_another_address,
    "expired token": partial(_of_a_bad_token, _expire),
    "revoked token": partial(_of_a_bad_token, _revoke),
    "token of a disabled user": partial(_of_a_bad_token, _disable),
    "viewer token of an administrator": _of_a_lesser_role,
    "session without CSRF token": lambda _inside, _there: _session(with_csrf=False),
    "session": lambda _inside, _there: _session(with_csrf=True),
}
"""Everyone whose answers the table is compared with."""

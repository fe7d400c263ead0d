"""Decides what a user may do, and where: the highest of the user's own role and of all roles assigned for a scope.

A link is covered by an assignment for it, for its environment, or for both of its clusters. A cluster is covered by an
assignment for it or for its environment. Of a link's cluster a user may besides read whatever any of its links shows;
what changes a cluster needs the permission on each link of it, because it affects them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.common.privileges import Permissions, Privileges
from backend.common.roles import CONSOLE_WIDE, PERMISSIONS, PERSONAL, Permission, Role
from backend.identity.access.models import RoleAssignment, ScopeKind
from backend.identity.accounts.models import ApiToken, User

_NOTHING: Permissions = frozenset()
_ONLY_EVERYWHERE = CONSOLE_WIDE | PERSONAL
_READS = frozenset({Permission.READ, Permission.LOOKUP})


@dataclass(frozen=True, slots=True)
class _Placed:
    """A link with what it is covered by."""

    id: str
    environment: str
    sides: tuple[str, str]
    is_retired: bool


def privileges_of(user: User, token: ApiToken | None) -> Privileges:
    """The privileges of a user at this moment; a token has at most those of its owner."""
    own = PERMISSIONS[Role(user.role)]
    granted = [] if user.role == Role.ADMIN else _granted(user)
    everywhere = own.union(*(PERMISSIONS[role] for role, kind, _ in granted if kind is ScopeKind.EVERYTHING))
    scoped = [one for one in granted if one[1] is not ScopeKind.EVERYTHING]
    is_narrow = token is not None and (token.links is not None or token.environments is not None)
    if not scoped and not is_narrow:
        return _capped(Privileges(everywhere), token)
    links = _placed_links()
    found = _by_scope(everywhere, scoped, links)
    return _capped(_narrowed(found, token, links) if token is not None and is_narrow else found, token)


def may_on_link(user: User, permission: Permission, link_id: str) -> bool:
    """Whether the user may do that on the link now. Workers ask before they act for a user."""
    return permission in user.privileges().on_link(link_id)


def assignments_of(user: User) -> QuerySet[RoleAssignment]:
    """What is assigned to the user or to a team of the user, and has not expired."""
    in_force = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return RoleAssignment.objects.filter(in_force, Q(user=user) | Q(team__members=user)).distinct()


def _granted(user: User) -> list[tuple[Role, ScopeKind, str]]:
    rows = assignments_of(user).values_list("role", "scope_kind", "scope")
    return [(Role(role), ScopeKind(kind), scope) for role, kind, scope in rows]


def _placed_links() -> list[_Placed]:
    rows = Link.objects.values_list("id", "environment", "active_cluster_id", "standby_cluster_id", "retired_at")
    return [
        _Placed(pk, environment, (one, other), retired is not None) for pk, environment, one, other, retired in rows
    ]


def _by_scope(everywhere: Permissions, granted: list[tuple[Role, ScopeKind, str]], links: list[_Placed]) -> Privileges:
    def given(kind: ScopeKind, scope: str) -> Permissions:
        found = (PERMISSIONS[role] for role, k, s in granted if k is kind and s == scope and scope)
        return _NOTHING.union(*found) - _ONLY_EVERYWHERE

    clusters = {
        pk: given(ScopeKind.CLUSTER, pk) | given(ScopeKind.ENVIRONMENT, environment)
        for pk, environment in Cluster.objects.values_list("id", "environment")
    }
    on_links = {
        link.id: given(ScopeKind.LINK, link.id)
        | given(ScopeKind.ENVIRONMENT, link.environment)
        | (clusters[link.sides[0]] & clusters[link.sides[1]])
        for link in links
    }
    return _with_clusters(Privileges(everywhere, on_links, clusters), links)


def _with_clusters(privileges: Privileges, links: Iterable[_Placed]) -> Privileges:
    """Add what the links of a cluster grant on it."""
    of_cluster: dict[str, list[Permissions]] = {}
    for link in links:
        for side in () if link.is_retired else link.sides:
            of_cluster.setdefault(side, []).append(privileges.links.get(link.id, _NOTHING))
    clusters = {
        pk: privileges.clusters.get(pk, _NOTHING) | _through_links(of_cluster.get(pk, []))
        for pk in {*privileges.clusters, *of_cluster}
    }
    return Privileges(privileges.everywhere, _filled(privileges.links), _filled(clusters))


def _through_links(held: list[Permissions]) -> Permissions:
    """What all links grant, and to read what any of them grants."""
    return (_NOTHING.union(*held) & _READS) | (frozenset.intersection(*held) if held else _NOTHING)


def _filled(scopes: Mapping[str, Permissions]) -> dict[str, Permissions]:
    return {name: permissions for name, permissions in scopes.items() if permissions}


def _narrowed(privileges: Privileges, token: ApiToken, links: list[_Placed]) -> Privileges:
    """Only the links and environments of the token; nothing that concerns all of the console, but the own account."""
    names, environments = set(token.links or ()), set(token.environments or ())
    chosen = {
        link.id: privileges.on_link(link.id) - _ONLY_EVERYWHERE
        for link in links
        if link.id in names or (link.environment and link.environment in environments)
    }
    return _with_clusters(Privileges(privileges.everywhere & PERSONAL, chosen), links)


def _capped(privileges: Privileges, token: ApiToken | None) -> Privileges:
    """At most the role of the token, and of that only the permissions that it was given."""
    if token is None:
        return privileges
    most = PERMISSIONS[Role(token.role)]
    if token.permissions is not None:
        most &= frozenset(Permission(name) for name in token.permissions)
    return replace(
        privileges,
        everywhere=privileges.everywhere & most,
        links=_filled({name: held & most for name, held in privileges.links.items()}),
        clusters=_filled({name: held & most for name, held in privileges.clusters.items()}),
    )

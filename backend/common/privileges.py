"""`Privileges`: what a user may do everywhere, and on which links and clusters besides."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from backend.common.roles import Permission

Permissions = frozenset[Permission]


@dataclass(frozen=True, slots=True)
class Privileges:
    """The permissions of a user at this moment. What is in no field is refused."""

    everywhere: Permissions = frozenset()
    links: Mapping[str, Permissions] = field(default_factory=dict)
    clusters: Mapping[str, Permissions] = field(default_factory=dict)

    def on_link(self, link_id: str) -> Permissions:
        """The permissions on a link."""
        return self.everywhere | self.links.get(link_id, frozenset())

    def on_cluster(self, cluster_id: str) -> Permissions:
        """The permissions on a cluster and its nodes."""
        return self.everywhere | self.clusters.get(cluster_id, frozenset())

    def anywhere(self) -> Permissions:
        """The permissions that the user has on anything at all."""
        return self.everywhere.union(*self.links.values(), *self.clusters.values())

    def links_with(self, permission: Permission) -> Collection[str] | None:
        """The links on which the user has the permission; None for all."""
        return _with(permission, self.everywhere, self.links)

    def clusters_with(self, permission: Permission) -> Collection[str] | None:
        """The clusters on which the user has the permission; None for all."""
        return _with(permission, self.everywhere, self.clusters)

    def shows_rows_of_all(self) -> bool:
        """Whether the user may see row values of everything that the user may read."""
        scopes = [self.everywhere, *self.links.values(), *self.clusters.values()]
        return all(Permission.LOOKUP in scope | self.everywhere for scope in scopes if Permission.READ in scope)

    @property
    def key(self) -> str:
        """Equal for users who may do the same, so that responses for them can be cached once."""
        scopes = [("", self.everywhere), *sorted(self.links.items()), *sorted(self.clusters.items())]
        text = ";".join(f"{name}:{','.join(sorted(permissions))}" for name, permissions in scopes)
        return hashlib.sha256(text.encode()).hexdigest()


def _with(permission: Permission, everywhere: Permissions, scopes: Mapping[str, Permissions]) -> Collection[str] | None:
    if permission in everywhere:
        return None
    return [name for name, permissions in scopes.items() if permission in permissions]

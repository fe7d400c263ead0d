"""What a token may less than its owner: permissions, links, environments, and the addresses to call from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any

from backend.common.errors import invalid
from backend.common.rest.scope import exists
from backend.common.roles import PERMISSIONS, Permission, Role


@dataclass(frozen=True, slots=True)
class TokenLimits:
    """None stands for no limit; an empty list is refused, because it reads like one."""

    permissions: Sequence[str] | None = None
    links: Sequence[str] | None = None
    environments: Sequence[str] | None = None
    addresses: Sequence[str] | None = None

    def fields(self, role: Role) -> dict[str, Any]:
        """The checked values as they are stored."""
        return {
            "permissions": _permissions(self.permissions, role),
            "links": _links(self.links),
            "environments": _unique(self.environments),
            "addresses": _addresses(self.addresses),
        }


def _unique(values: Sequence[str] | None) -> list[str] | None:
    return None if values is None else list(dict.fromkeys(values))


def _permissions(names: Sequence[str] | None, role: Role) -> list[str] | None:
    for name in names or ():
        if Permission(name) not in PERMISSIONS[role]:
            raise invalid(
                "permissions", f"The role {role} does not include the permission “{name}”. Choose a role with it."
            )
    return _unique(names)


def _links(ids: Sequence[str] | None) -> list[str] | None:
    for link_id in ids or ():
        if not exists("link_id", link_id):
            raise invalid("links", f"No link has the id {link_id}. No token was created. Choose links that exist.")
    return _unique(ids)


def _addresses(ranges: Sequence[str] | None) -> list[str] | None:
    if ranges is None:
        return None
    return list(dict.fromkeys(_range(text) for text in ranges))


def _range(text: str) -> str:
    try:
        return str(ip_network(text.strip()))
    except ValueError:
        message = (
            f"{text} is not a range of addresses. No token was created. Write it like 192.0.2.0/24, with no bit set "
            "after the prefix, or as a single address."
        )
        raise invalid("addresses", message) from None

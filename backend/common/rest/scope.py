"""Which link or cluster a call is about, and what its caller may do there: one table, filled when the console starts.

A route names its objects by the parameters of its path. A parameter is either registered here with how its links and
clusters are found, or it is in `WITHOUT_SCOPE`; a test fails for any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from rest_framework.request import Request

from backend.common.errors import forbidden, not_found
from backend.common.privileges import Permissions, Privileges
from backend.common.roles import Permission


class Where(StrEnum):
    """Where a caller needs the permission of a route that names no link and no cluster in its path."""

    EVERYWHERE = "everywhere"
    READABLE = "readable"
    """Anywhere: the view leaves out what the caller may not read, and asks for each object of the body."""
    NOTHING = "nothing"
    """Anywhere: nothing of any link or cluster is shown or changed."""


@dataclass(frozen=True, slots=True)
class Covered:
    """The links and clusters that an object is about; an object that is about none is about everything."""

    links: frozenset[str] = frozenset()
    clusters: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Parameter:
    noun: str
    find: Callable[[str], Covered | None]


_PARAMETERS: Final[dict[str, _Parameter]] = {}
WITHOUT_SCOPE: Final = frozenset(
    {
        "assignment_id", "change_id", "code", "freeze_id", "name", "passkey_id", "registration_id", "role",
        "session_id", "site", "subscription_id", "team_id", "token_id", "username", "window_id",
    }
)  # fmt: skip
"""Parameters that name nothing of one link or cluster: the permission is needed everywhere."""


def register(parameter: str, noun: str, find: Callable[[str], Covered | None]) -> None:
    """Register how the links and clusters of an object are found; `find` returns None if there is no such object."""
    _PARAMETERS[parameter] = _Parameter(noun, find)


def is_scoped(parameter: str) -> bool:
    """Whether objects of this parameter belong to links or clusters."""
    return parameter in _PARAMETERS


def exists(parameter: str, value: str) -> bool:
    """Whether there is such an object."""
    return _PARAMETERS[parameter].find(value) is not None


def privileges_of(request: Request) -> Privileges:
    """What the caller may do, read once for each call; nothing without a sign-in."""
    held: Privileges | None = getattr(request._request, "privileges", None)  # noqa: SLF001 - one for all layers of a call
    if held is None:
        ask = getattr(request.user, "privileges", None)
        held = ask() if ask is not None else Privileges()
        request._request.privileges = held  # type: ignore[attr-defined]  # noqa: SLF001
    return held


def is_allowed(request: Request, needed: Permission, parameters: Mapping[str, Any], where: Where) -> bool:
    """Whether the caller has the permission on what the path names; raises 404 for what the caller may not read."""
    privileges = privileges_of(request)
    _note_rows(request, privileges.shows_rows_of_all())
    if needed in privileges.everywhere and not (privileges.links or privileges.clusters):
        return True
    scoped = [name for name in parameters if is_scoped(name)]
    if not scoped:
        return needed in (privileges.everywhere if where is Where.EVERYWHERE else privileges.anywhere())
    return all(_is_allowed_on(request, needed, name, str(parameters[name])) for name in scoped)


def _is_allowed_on(request: Request, needed: Permission, name: str, value: str) -> bool:
    """An object out of scope is answered like an unknown one."""
    privileges, parameter = privileges_of(request), _PARAMETERS[name]
    covered = parameter.find(value)
    held = permissions_on(privileges, covered) if covered is not None else privileges.everywhere
    _note_rows(request, Permission.LOOKUP in held)
    if Permission.READ in held:
        return needed in held
    if needed in privileges.anywhere():
        raise not_found(parameter.noun)
    return False


def permissions_on(privileges: Privileges, covered: Covered) -> Permissions:
    """What the caller has on each link and cluster of the object."""
    held = [*map(privileges.on_link, covered.links), *map(privileges.on_cluster, covered.clusters)]
    return frozenset.intersection(*held) if held else privileges.everywhere


def require(request: Request, needed: Permission, parameter: str, ids: Iterable[str]) -> None:
    """For objects of a body: 404 for one that the caller may not read, 403 without the permission on it."""
    for value in ids:
        if not is_allowed(request, needed, {parameter: value}, Where.EVERYWHERE):
            raise forbidden(
                "forbidden",
                f"Your role does not include the permission “{needed}” on {value}. Nothing was done. Ask an "
                "administrator.",
            )


def require_everywhere(request: Request, needed: Permission) -> None:
    """For what concerns all of the console: 403 to a caller who has the permission for a scope only."""
    if needed not in privileges_of(request).everywhere:
        raise forbidden(
            "forbidden",
            f"You have the permission “{needed}” for some links or clusters only. Nothing was done. Ask an "
            "administrator of the console.",
        )


def _note_rows(request: Request, shows_rows: bool) -> None:
    request._request.shows_rows = shows_rows  # type: ignore[attr-defined]  # noqa: SLF001


def shows_rows(request: Request) -> bool:
    """Whether the caller sees row values here, which are business data."""
    return bool(getattr(request._request, "shows_rows", False))  # noqa: SLF001

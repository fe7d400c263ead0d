"""Service accounts: users without password and sessions, of a user or a team, that are never a second person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from backend.common.errors import conflict, invalid
from backend.identity.accounts.models import Team, User


def owner_fields(owner: User | Team | None, password: str | None) -> dict[str, Any]:
    """The fields of a new user that make it a service account of this owner; none for a person."""
    if owner is None:
        return {}
    if password is not None:
        raise invalid("password", "A service account has no password. No user was created. Leave the password out.")
    if isinstance(owner, Team):
        return {"is_service": True, "owner_team": owner}
    if owner.is_service:
        raise invalid("owner", "A service account cannot own another one. No user was created. Name a person.")
    return {"is_service": True, "owner": owner}


def check_password_allowed(user: User) -> None:
    """Refuse a password for a service account: it would allow sessions."""
    if user.is_service:
        raise invalid("password", "A service account has no password. The user is unchanged. Create a token for it.")


def check_is_service(user: User) -> None:
    """Administrators create tokens of service accounts only: with that of a person they could act as that person."""
    if not user.is_service:
        raise conflict(
            "not_service_account",
            f"{user.username} is not a service account. No token was created. The user creates own tokens.",
        )


def owners(user: User) -> Iterator[User]:
    """The owner of a service account, or the members of its team."""
    if user.owner is not None:
        yield user.owner
    if user.owner_team is not None:
        yield from user.owner_team.members.all()


def remember_owners(team: Team, left: Iterable[User]) -> None:
    """Who leaves a team stays behind its service accounts: that ends neither a known token nor what was asked for."""
    for service in team.service_accounts.all():
        service.former_owners.add(*left)


def people_behind(user: User) -> Iterator[User]:
    """In whose hands the tokens of a service account are: its owners, and who was one since it was created."""
    yield from owners(user)
    yield from user.former_owners.all()

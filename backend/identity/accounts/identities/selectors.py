"""Reads the identity of a user."""

from __future__ import annotations

from typing import Any, Final

from backend.identity.accounts.identities.models import Identity
from backend.identity.accounts.models import User

PASSWORD: Final = "password"  # noqa: S105 -- a way of signing in, no secret
"""The way of signing in of a local user."""


def method_of(user: User) -> str:
    """How the user signs in with name and password: by a local one, or by that of a directory."""
    identity = identity_of(user)
    return identity.kind if identity else PASSWORD


def identity_of(user: User) -> Identity | None:
    """The identity of a user who comes from a provider or directory; None for a local user."""
    return Identity.objects.filter(user=user).select_related("person").first()


def shown_identity(user: User) -> dict[str, Any] | None:
    """What pages show of it; a list of users reads all identities with them."""
    identity: Identity | None = getattr(user, "identity", None)
    if identity is None:
        return None
    return {
        "kind": identity.kind,
        "issuer": identity.issuer,
        "email": identity.email,
        "groups": identity.groups,
        "confirmed_at": identity.confirmed_at,
        "same_person_as": identity.person.username if identity.person else None,
    }

"""Asks the package that knows scopes what a user may do. Until it has registered itself, no user may do anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from backend.common.privileges import Privileges

if TYPE_CHECKING:
    from backend.identity.accounts.models import ApiToken, User

    Provider = Callable[[User, ApiToken | None], Privileges]

_PROVIDERS: Final[list[Provider]] = []


def register(provider: Provider) -> None:
    """Register what decides; called once when the application is ready."""
    _PROVIDERS[:] = [provider]


def held_by(user: User) -> Privileges:
    """What every role of the user includes, the assigned ones, too, also while the account is disabled."""
    return _PROVIDERS[0](user, None) if _PROVIDERS else Privileges()


def privileges_of(user: User, token: ApiToken | None) -> Privileges:
    """The privileges of an active user, or of one of the user's tokens."""
    return _PROVIDERS[0](user, token) if _PROVIDERS and user.is_active else Privileges()

"""Asks the package that knows scopes what a user may do. Until it has registered itself, nobody may do anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from backend.common.rights import Rights

if TYPE_CHECKING:
    from backend.accounts.models import ApiToken, User

    Provider = Callable[[User, ApiToken | None], Rights]

_PROVIDERS: Final[list[Provider]] = []


def register(provider: Provider) -> None:
    """Register what decides; called once when the application is ready."""
    _PROVIDERS[:] = [provider]


def rights_of(user: User, token: ApiToken | None) -> Rights:
    """The rights of an active user, or of one of the user's tokens."""
    return _PROVIDERS[0](user, token) if _PROVIDERS and user.is_active else Rights()

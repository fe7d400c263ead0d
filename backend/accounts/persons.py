"""Which names are one person: a console user whatever the case, and the accounts of the host that are mapped to him."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils import timezone

from backend.accounts.models import User
from backend.accounts.names import skeleton

BREAK_GLASS: Final = "break-glass "
COMMAND_LINE: Final = "command line "
_PREFIXES: Final = (BREAK_GLASS, COMMAND_LINE)
"""In front of the host's account where somebody acted at the shell."""


def os_user_of(actor: str) -> str | None:
    """The account of the host behind an actor; None where it is a console user."""
    return next((actor.removeprefix(prefix) for prefix in _PREFIXES if actor.startswith(prefix)), None)


def user_of(actor: str) -> User | None:
    """The console user behind an actor, by his name or by the account of the host that is mapped to him."""
    os_user = os_user_of(actor)
    if os_user is None:
        return User.objects.filter(name_skeleton=skeleton(actor)).first()
    now = timezone.now()
    mapped = (user for user in User.objects.all() if os_user in user.os_users)
    return next((user for user in mapped if datetime.fromisoformat(user.os_users[os_user]) <= now), None)


def are_one_person(one: str, other: str) -> bool:
    """Whether both actors are, or look like, one person."""
    if skeleton(one) == skeleton(other):
        return True
    first, second = user_of(one), user_of(other)
    return first is not None and second is not None and first.pk == second.pk


def is_unknown(actor: str) -> bool:
    """Whether nobody has said yet which console user stands behind an account of the host."""
    return os_user_of(actor) is not None and user_of(actor) is None

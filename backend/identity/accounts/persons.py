"""Which actor names belong to one person.

A user name regardless of case, the host accounts mapped to it, and the users of a provider who are known there by that
name, share a name there, or were declared to be that user; and whoever is one person with one of these.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils import timezone

from backend.identity.accounts.identities.models import Identity
from backend.identity.accounts.models import User
from backend.identity.accounts.names import skeleton

BREAK_GLASS: Final = "break-glass "
COMMAND_LINE: Final = "command line "
_PREFIXES: Final = (BREAK_GLASS, COMMAND_LINE)
"""Prefix of the host's account for actions at the shell."""


def os_user_of(actor: str) -> str | None:
    """The host account behind an actor; None for a console user."""
    return next((actor.removeprefix(prefix) for prefix in _PREFIXES if actor.startswith(prefix)), None)


def user_of(actor: str) -> User | None:
    """The console user behind an actor, by name or by the host account that is mapped to the user."""
    os_user = os_user_of(actor)
    if os_user is None:
        return User.objects.filter(name_skeleton=skeleton(actor)).first()
    now = timezone.now()
    mapped = (user for user in User.objects.all() if os_user in user.os_users)
    return next((user for user in mapped if datetime.fromisoformat(user.os_users[os_user]) <= now), None)


def acting_name(actor: str) -> str:
    """The name of the console user as whom the actor acts now; of an unmapped account of the host the actor itself.

    What is asked for or set keeps it: the account of the host may be mapped to nobody, or to another user, later.
    """
    user = user_of(actor) if os_user_of(actor) else None
    return actor if user is None else user.username


def are_one_person(one: str, other: str) -> bool:
    """Whether both actors are, or look like, one person."""
    if skeleton(one) == skeleton(other):
        return True
    first, second = user_of(one), user_of(other)
    if first is None or second is None:
        return False
    return first.pk == second.pk or second.name_skeleton in _looks(first)


def _looks(user: User) -> set[str]:
    """The looks of all names of the person, also those known by way of other accounts.

    A provider or directory may know several names of an account, and an administrator may have declared of which other
    user it is: each account that shares a look with the others found so far is of the same person.
    """
    rows = Identity.objects.values_list("user__name_skeleton", "person__name_skeleton", "aliases")
    accounts = [{name for name in (own, declared, *aliases) if name} for own, declared, aliases in rows]
    found = {user.name_skeleton}
    while joined := [names for names in accounts if names & found and not names <= found]:
        found.update(*joined)
    return found


def is_unknown(actor: str) -> bool:
    """Whether no console user is mapped to the host account of this actor."""
    return os_user_of(actor) is not None and user_of(actor) is None

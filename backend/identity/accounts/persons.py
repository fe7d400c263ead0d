"""Which actor names belong to one person.

A user name regardless of case, the host accounts mapped to it, and the users of a provider who are known there by that
name, share a name there, or were declared to be that user.
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


def are_one_person(one: str, other: str) -> bool:
    """Whether both actors are, or look like, one person."""
    if skeleton(one) == skeleton(other):
        return True
    first, second = user_of(one), user_of(other)
    if first is None or second is None:
        return False
    if first.pk == second.pk:
        return True
    identities = {each.user_id: each for each in Identity.objects.filter(user__in=(first, second))}
    mine, others = ((user, identities.get(user.pk)) for user in (first, second))
    return bool(_looks(*mine) & _looks(*others)) or _is_declared_one(mine, others)


def _looks(user: User, identity: Identity | None) -> set[str]:
    """The looks of all names under which Hawser, a provider or a directory knows the user."""
    return {user.name_skeleton, *(identity.aliases if identity else ())}


def _is_declared_one(mine: tuple[User, Identity | None], others: tuple[User, Identity | None]) -> bool:
    """Whether an administrator declared that both are one person, also by way of a third user."""
    return bool(_declared(*mine) & _declared(*others))


def _declared(user: User, identity: Identity | None) -> set[int]:
    person = identity.person_id if identity else None
    return {user.pk} if person is None else {user.pk, person}


def is_unknown(actor: str) -> bool:
    """Whether no console user is mapped to the host account of this actor."""
    return os_user_of(actor) is not None and user_of(actor) is None

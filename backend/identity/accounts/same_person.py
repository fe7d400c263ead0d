"""Declares that a user of a provider and another user are one person. To undo it needs a second administrator."""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from backend.common.errors import invalid
from backend.common.roles import Role
from backend.identity.accounts import objectors, protected_changes
from backend.identity.accounts.identities.models import Identity
from backend.identity.accounts.identities.selectors import identity_of
from backend.identity.accounts.models import User
from backend.identity.accounts.persons import are_one_person

KIND: Final = "persons_parted"


def declare(actor: str, user: User, username: str | None) -> None:
    """Declare which other user the person is, at once; None parts the two after the waiting time.

    `own_change_waits` if one of the two could object to a protected change of the actor that waits.
    """
    identity = identity_of(user)
    if identity is None:
        raise invalid(
            "same_person_as",
            f"{user.username} is a local user. Nothing was changed. Declare it at the user of the provider.",
            code="not_of_provider",
            status=409,
        )
    if username is None:
        _announce_parting(actor, identity)
        return
    other = User.objects.filter(username=username).exclude(pk=user.pk).first()
    if other is None:
        raise invalid("same_person_as", f"There is no other user {username}. Nothing was changed. Correct the name.")
    if identity.person is not None and identity.person.pk != other.pk:
        raise invalid(
            "same_person_as",
            f"{user.username} is declared to be {identity.person.username}. Nothing was changed. Remove that first.",
        )
    _check_objectors(actor, user, other)
    Identity.objects.filter(pk=identity.pk).update(person=other)


def _check_objectors(actor: str, user: User, other: User) -> None:
    """Who is one person with the one who asked for a change is no objector, and could be removed."""
    for admin in User.objects.filter(role=Role.ADMIN.value, is_active=True):
        if any(are_one_person(admin.username, one.username) for one in (user, other)):
            objectors.check_removal(actor, admin)


def _announce_parting(actor: str, identity: Identity) -> None:
    if identity.person is None:
        return
    name = identity.user.username
    summary = f"{name} and {identity.person.username} are to count as two persons, requested by {actor}."
    at = protected_changes.effective_at(timezone.now())
    change = protected_changes.announce(kind=KIND, target=name, summary=summary, actor=actor, at=at)
    if change is None:
        part(name)


def part(username: str) -> None:
    """The two count as two persons from now on."""
    Identity.objects.filter(user__username=username).update(person=None)


def keep(username: str) -> None:
    """The two stay one person."""

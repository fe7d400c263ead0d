"""Whether an account counts as a second person: long enough, longer than what it decides on, and in other hands."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from backend.accounts.models import ChangeState, ProtectedChange, User
from backend.accounts.persons import are_one_person, is_unknown, os_user_of, user_of
from backend.common.errors import ProblemError, forbidden

SECOND_PERSON_CODES = ("own_account", "not_yet_second_person", "younger_than_request", "shell_user_unmapped")
"""Problem codes of this module."""


def why_not_second_person(user: User, *, since: datetime) -> ProblemError | None:
    """Why the account (or the token in use) does not count as a second person for what was asked for at `since`."""
    begins = max(user.second_person_from, user.token_in_use.second_person_from if user.token_in_use else since)
    if begins > timezone.now():
        return forbidden(
            "not_yet_second_person",
            f"This account counts as a second person from {begins:%Y-%m-%d %H:%M} UTC, or as soon as a second "
            "administrator confirms the change of it.",
            counts_from=begins,
        )
    if user.second_person_from > since:
        return forbidden(
            "younger_than_request",
            "This account became a second person after this was asked for; somebody else must decide, "
            "or it is asked for anew.",
        )
    return None


def why_own_account(user: User, asker: str) -> ProblemError | None:
    """Why `asker` may be this user by another account: one that he made, or holds the password of.

    That lasts until the change of the account took effect, by a second administrator's yes or after its waiting time.
    """
    for actor in _who_may_act_as(asker):
        if are_one_person(actor, user.username):
            return forbidden(
                "own_account",
                f"The account of {asker} may be in your own hands: a change of it by you waits for a second "
                "administrator. Somebody else must decide, or the change is confirmed first and this asked for anew.",
            )
        if is_unknown(actor):
            return unknown_shell_user(actor)
    return None


def unknown_shell_user(actor: str) -> ProblemError:
    """Nobody can tell whether the one at the shell and the one who decides are two persons."""
    name = os_user_of(actor)
    return forbidden(
        "shell_user_unmapped",
        f"It was asked for at the shell by {name}, and no console user is mapped to that account of the host; an "
        "administrator says who that is (Users, accounts of the host).",
    )


def _who_may_act_as(name: str) -> list[str]:
    """Who made that account or holds its password, as far as nobody confirmed it; who did so with theirs, and so on."""
    found: list[str] = []
    names = [name]
    while names:
        owner = user_of(names.pop())
        if owner is not None:
            targets = [owner.username, *owner.tokens.values_list("pk", flat=True)]
            changes = ProtectedChange.objects.filter(state=ChangeState.WAITING.value, target__in=targets)
            names += (actors := set(changes.values_list("requested_by", flat=True)) - set(found))
            found += actors
    return found

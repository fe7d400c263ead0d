"""Withdraws protected changes that wait and must not take effect: of a stolen token, or that have fallen since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from django.db import transaction

from backend.common.errors import ProblemError
from backend.identity.accounts import protected_changes
from backend.identity.accounts.models import ApiToken, ChangeState, ProtectedChange, User


@transaction.atomic
def withdraw_of_token(actor: str, token: ApiToken) -> list[str]:
    """Reject what a token requested that is revoked as compromised, and what replaced that; the token still ends.

    Returns what each was, and then the accounts that it made or set the password of: also who may only read could go on
    by one of them, and whether somebody else knows them by now is for a person to judge.
    """
    why = f"Token {token.pk} of {token.user.username} was revoked as compromised."

    def reject(change: ProtectedChange) -> None:
        protected_changes.reject(actor=actor, change=change, comment=why)

    of_token = [change for change in protected_changes.waiting() if token.pk in change.tokens]
    kept = dict[str, str]()
    for change, problem in _not_ended([change.pk for change in of_token], reject):
        protected_changes.tell_not_withdrawn(change, actor, why, problem)
        kept[change.pk] = "Still waits"
    return [f"{kept.get(change.pk, 'Rejected')}: {change.summary}" for change in of_token] + _accounts_of(token)


def _accounts_of(token: ApiToken) -> list[str]:
    states = {True: "active", False: "disabled"}
    users = User.objects.filter(made_with_token=token.pk).order_by("username")
    named = [f"{user.username} ({user.role}, {states[user.is_active]})" for user in users]
    return [f"It made the account {name}, or set its password." for name in named]


@transaction.atomic
def withdraw_fallen() -> None:
    """Withdraw what cannot take effect any more. The monitor calls it every few seconds."""
    found = {change.pk: protected_changes.why_fallen(change) for change in protected_changes.waiting()}
    why = {pk: problem.detail for pk, problem in found.items() if problem is not None}

    def fall(change: ProtectedChange) -> None:
        protected_changes.fall(change, why[change.pk])

    for change, problem in _not_ended(why, fall):
        protected_changes.tell_not_withdrawn(change, change.requested_by, why[change.pk], problem)


def _not_ended(
    changes: Collection[str], end: Callable[[ProtectedChange], None]
) -> Iterator[tuple[ProtectedChange, ProblemError]]:
    """End each for itself; yields those that cannot be ended now, which wait on.

    None keeps another one of them: until its turn each counts as rejected, so that nobody has to object to it.
    """
    waiting = list(protected_changes.waiting().select_for_update().filter(pk__in=changes)) if changes else []
    rows = ProtectedChange.objects.filter(pk__in=[change.pk for change in waiting])
    rows.update(state=ChangeState.REJECTED.value)
    for change in waiting:
        rows.filter(pk=change.pk).update(state=ChangeState.WAITING.value)
        try:
            end(change)
        except ProblemError as problem:
            yield change, problem

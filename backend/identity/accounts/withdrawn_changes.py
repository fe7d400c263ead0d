"""Rejects the protected changes that a stolen token requested and that still wait."""

from __future__ import annotations

from django.db import transaction

from backend.common.errors import ProblemError
from backend.identity.accounts import protected_changes
from backend.identity.accounts.models import ApiToken, ChangeState, ProtectedChange


@transaction.atomic
def withdraw_of_token(actor: str, token: ApiToken) -> None:
    """Reject them, and what replaced them, each for itself.

    One that cannot be rejected now waits on and is told, and the token still ends. None keeps another one of them:
    until its turn each counts as rejected, so that nobody has to object to it.
    """
    changes = [change for change in protected_changes.waiting() if token.pk in change.tokens]
    rows = ProtectedChange.objects.filter(pk__in=[change.pk for change in changes])
    rows.update(state=ChangeState.REJECTED.value)
    for change in changes:
        rows.filter(pk=change.pk).update(state=ChangeState.WAITING.value)
        try:
            comment = f"Token {token.pk} of {token.user.username} was revoked as compromised."
            protected_changes.reject(actor=actor, change=change, comment=comment)
        except ProblemError as problem:
            protected_changes.tell_not_withdrawn(change, actor, problem)

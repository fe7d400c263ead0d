"""Rejects the protected changes that a stolen token requested and that still wait."""

from __future__ import annotations

import structlog

from backend.common.errors import ProblemError
from backend.identity.accounts import protected_changes
from backend.identity.accounts.models import ApiToken

log = structlog.get_logger(__name__)


def withdraw_of_token(actor: str, token: ApiToken) -> None:
    """Reject them, each for itself: one that cannot be rejected now waits on, and the token ends all the same."""
    for change in protected_changes.waiting().filter(token_id=token.pk):
        try:
            comment = f"Token {token.pk} of {token.user.username} was revoked as compromised."
            protected_changes.reject(actor=actor, change=change, comment=comment)
        except ProblemError as problem:
            log.warning("protected_change.not_withdrawn", change=change.pk, token=token.pk, code=problem.code)

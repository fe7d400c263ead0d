"""Checks a second factor of a user: a code of the app, a recovery code or a passkey. Each is accepted once."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from backend.audit import services as audit
from backend.audit.aggregation import refusals
from backend.common.errors import ProblemError, forbidden
from backend.common.events import services as events
from backend.identity.accounts import throttle
from backend.identity.accounts.models import User
from backend.identity.second_factors import passkeys, recovery_codes, totp
from backend.identity.second_factors.models import Totp

RECOVERY_CODE, TOTP, PASSKEY = "recovery_code", "totp", "passkey"
WAYS = (PASSKEY, TOTP, RECOVERY_CODE)


def way_of_code(user: User, code: str) -> str | None:
    """What a right code is, an app's or a recovery code; it is used up. None for a wrong or used one."""
    if _is_fresh_totp(user, code.replace(" ", "")):
        return TOTP
    return RECOVERY_CODE if recovery_codes.use(user, code) else None


def check_code(user: User, code: str) -> str:
    """The way of a right code; raises the refusal of a wrong one. Attempts are counted like those of sign-in."""
    attempt = counted_attempt(user)
    way = way_of_code(user, code)
    if way is None:
        _record_wrong(user, code)
        raise forbidden(
            "wrong_second_factor",
            "The code is wrong or was used before. Nothing was done. Wait for the next code of your app, "
            "or use a recovery code.",
        )
    attempt.succeed()
    return way


def check_passkey(request: HttpRequest, user: User, purpose: str, credential: dict[str, Any]) -> str:
    """The way `passkey`, after the check of what the browser sent."""
    try:
        passkeys.use(request, purpose, credential, user)
    except ProblemError as problem:
        audit.record(
            actor=user.username,
            action="session:user:second_factor_failed",
            target=user.username,
            reason=problem.detail,
        )
        raise
    return PASSKEY


def counted_attempt(user: User) -> throttle.Attempt:
    """Count a code, before it is checked."""
    try:
        return throttle.count_factor_attempt(username=user.username)
    except ProblemError as problem:
        refusals.add(actor=user.username, action="session:user:throttled", target=user.username)
        raise ProblemError(
            429,
            "too_many_attempts",
            "Too many wrong codes for this user. The code was not checked. Use a passkey, wait, "
            "or ask an administrator to unlock you.",
            headers=problem.headers,
        ) from problem


def _record_wrong(user: User, code: str) -> None:
    """A code that was right once is told to its user: another person may have seen it."""
    if not is_reused(user, code):
        audit.record(actor=user.username, action="session:user:second_factor_failed", target=user.username)
        return
    message = f"A code of {user.username} was given again after it was used. If it was not {user.username}, change the"
    events.raised(
        link_id="", kind="second_factor.reused", severity="warning", message=f"{message} password.", actor=user.username
    )
    audit.record(actor=user.username, action="session:user:second_factor_reused", target=user.username)


def is_reused(user: User, code: str) -> bool:
    """Whether this is a right code that was used before."""
    row = Totp.objects.filter(user=user).first()
    plain = code.replace(" ", "")
    if row is not None and plain.isascii() and plain.isdigit() and len(plain) == totp.DIGITS:
        return totp.step_of(plain, totp.unseal(row.sealed, user)) is not None
    return recovery_codes.is_used(user, code)


@transaction.atomic
def _is_fresh_totp(user: User, code: str) -> bool:
    row = Totp.objects.select_for_update().filter(user=user).first()
    if row is None or not (code.isascii() and code.isdigit() and len(code) == totp.DIGITS):
        return False
    step = totp.step_of(code, totp.unseal(row.sealed, user))
    if step is None or step <= row.last_step:
        return False
    row.last_step, row.last_used_at = step, timezone.now()
    row.save(update_fields=["last_step", "last_used_at"])
    return True

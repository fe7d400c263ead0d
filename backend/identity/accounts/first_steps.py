"""What a user does before anything else: replace a password that was set for it, agree to what is kept of persons.

Both are asked of sessions. A token is made in a session, so its user has done both.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import forbidden
from backend.identity.accounts.models import User


def initial_until() -> datetime | None:
    """Until when a password that an administrator sets now opens a session; None if it can stay."""
    hours = settings.HAWSER_INITIAL_PASSWORD_H
    return timezone.now() + timedelta(hours=hours) if hours else None


def must_change_password(user: User) -> bool:
    """Whether an administrator, or the shell, set the password."""
    return user.initial_password_until is not None


def must_accept_notice(user: User) -> bool:
    """Whether the user has yet to agree to what is kept of persons."""
    return bool(settings.HAWSER_PRIVACY_NOTICE) and user.notice_accepted_at is None


def check_sign_in(user: User) -> None:
    """Refuse an initial password after its time; call it after the password."""
    if user.initial_password_until is None or timezone.now() <= user.initial_password_until:
        return
    audit.record(actor=user.username, action="session:user:initial_password_ended", target=user.username)
    raise forbidden(
        "initial_password_ended",
        "This password was set by an administrator and was not replaced in time. You are not signed in. Ask an "
        "administrator for a new one.",
    )


def check(user: User) -> None:
    """Refuse everything else in a session until both are done."""
    if must_change_password(user):
        raise forbidden(
            "password_change_needed",
            "An administrator set this password. Choose your own; until then nothing else can be done in this session.",
        )
    if must_accept_notice(user):
        raise forbidden(
            "notice_not_accepted",
            "Read what Hawser keeps of you, and agree; until then nothing else can be done in this session.",
        )


def notice_decide(user: User, *, accepted: bool) -> None:
    """Record that the user agrees, or does not any more; the next call of a session is refused then."""
    if accepted == (user.notice_accepted_at is not None):
        return
    user.notice_accepted_at = timezone.now() if accepted else None
    user.save(update_fields=["notice_accepted_at"])
    if accepted:
        audit.record(actor=user.username, action="api:user:notice_accept", target=user.username)
    else:
        audit.record(actor=user.username, action="api:user:notice_withdraw", target=user.username)

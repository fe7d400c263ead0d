"""Deletes personal data of accounts that is of no more use; called by the monitor.

The name of a user stays, because the audit log names it and its chain cannot be changed.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from backend.audit import services as audit
from backend.common import heartbeats
from backend.identity.accounts import second_factor
from backend.identity.accounts.models import ApiToken, Preferences, SignIn, User

EVERY = timedelta(hours=1)
KEEP_SIGN_INS = timedelta(days=90)
KEEP_TOKENS = timedelta(days=400)
KEEP_DISABLED = timedelta(days=400)


def sweep() -> None:
    """Once an hour, whichever process calls."""
    if heartbeats.is_due("accounts retention", EVERY):
        forget(timezone.now())


def forget(now: datetime) -> None:
    """Delete ended sessions and tokens, and what is left of users who were disabled long ago."""
    ended = Q(ended_at__lt=now - KEEP_SIGN_INS) | Q(last_active_at__lt=now - KEEP_SIGN_INS)
    SignIn.objects.filter(ended).delete()
    ApiToken.objects.filter(
        Q(revoked_at__lt=now - KEEP_TOKENS) | Q(expires_at__lt=now - KEEP_TOKENS), second_person_from__lt=now
    ).delete()
    for user in _disabled_before(now - KEEP_DISABLED):
        erase(user)


def _disabled_before(moment: datetime) -> list[User]:
    """Disabled users without any use since then, of whom something is left to delete."""
    unused = Q(last_login__lt=moment) | Q(last_login=None, created_at__lt=moment)
    rows = User.objects.filter(unused, is_active=False, is_service=False)
    return [user for user in rows if user.has_usable_password() or Preferences.objects.filter(user=user).exists()]


def erase(user: User) -> None:
    """Delete what is kept of a person besides the name: settings, sessions, tokens, factors, address of mail."""
    Preferences.objects.filter(user=user).delete()
    SignIn.objects.filter(user=user).delete()
    ApiToken.objects.filter(user=user).delete()
    second_factor.factors().remove_all(user)
    if (identity := getattr(user, "identity", None)) is not None:
        identity.email, identity.groups = "", []
        identity.save(update_fields=["email", "groups"])
    user.set_unusable_password()
    user.os_users = {}
    user.save(update_fields=["password", "os_users"])
    audit.record(actor="hawser", action="console:user:erase", target=user.username)

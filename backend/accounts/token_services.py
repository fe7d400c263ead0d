"""Creates and revokes API tokens. A token can neither create nor extend one, and every token expires."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from backend.accounts import protected_changes
from backend.accounts.models import ApiToken, User
from backend.accounts.tokens import digest_of, new_secret
from backend.audit import services as audit
from backend.common.errors import conflict, forbidden, invalid
from backend.common.roles import Permission, Role, lesser, may
from backend.core.plural import pluralize

MAX_LIVE = 20
"""Limit per user: enough for every tool of a user, and few enough for a readable list."""


@transaction.atomic
def token_create(
    *, owner: User, label: str, role: str | None, expires_days: int | None, actor: str, source: str = "api"
) -> tuple[ApiToken, str]:
    """A token and its secret, which is returned only here; its role is at most that of the owner."""
    _check(owner, expires_days)
    granted = lesser(owner.acting_role, role or owner.acting_role)
    if role and granted != Role(role):
        raise invalid("role", f"A token cannot have a higher role than yours ({owner.acting_role.value}).")
    now = timezone.now()
    days = expires_days or min(settings.HAWSER_TOKEN_DAYS, settings.HAWSER_TOKEN_MAX_DAYS)
    secret = new_secret()
    token = ApiToken.objects.create(
        user=owner,
        label=label,
        role=granted.value,
        digest=digest_of(secret),
        expires_at=now + timedelta(days=days),
        second_person_from=protected_changes.effective_at(now) if _is_for_somebody_else(source, granted) else now,
    )
    _announce(token, actor)
    audit.record(
        actor=actor,
        action=f"{source}:token:create",
        target=token.id,
        facts={"owner": owner.username, "label": label, "role": token.role, "expires_at": token.expires_at},
    )
    return token, secret


def _check(owner: User, expires_days: int | None) -> None:
    if owner.token_in_use is not None:
        raise forbidden(
            "token_makes_no_token",
            "A token cannot create a token. No token was created. Sign in with your password and create it there.",
        )
    if expires_days and expires_days > settings.HAWSER_TOKEN_MAX_DAYS:
        message = (
            f"A token can be valid for up to {pluralize(settings.HAWSER_TOKEN_MAX_DAYS, 'day')}. "
            "No token was created. Choose a shorter time."
        )
        raise invalid("expires_days", message)
    if ApiToken.objects.filter(user=owner, revoked_at=None, expires_at__gt=timezone.now()).count() >= MAX_LIVE:
        raise conflict(
            "too_many_tokens",
            f"{owner.username} has {pluralize(MAX_LIVE, 'active token')}, which is the "
            "limit. No token was created. Revoke one first.",
        )


def _is_for_somebody_else(source: str, role: Role) -> bool:
    """At the shell a token can be created in any user's name, so its user may not be the owner for a while."""
    return source == "cli" and may(role, Permission.RUN)


def _announce(token: ApiToken, actor: str) -> None:
    owner = token.user
    is_approver = may(token.role, Permission.APPROVE)
    purpose = "to count as a second person" if is_approver else f"to ask for runs that {actor} may approve"
    protected_changes.announce(
        kind=f"{'approver' if is_approver else 'operator'}_token_made",
        target=token.id,
        summary=(f"A token of {owner.username} ({token.role}) was created at the shell by {actor} and is {purpose}."),
        actor=actor,
        at=token.second_person_from,
    )


@transaction.atomic
def token_revoke(*, actor: str, token: ApiToken, source: str = "api") -> None:
    """Revoke a token. It stops working with the next request; its event streams end within two seconds."""
    token.revoked_at = timezone.now()
    token.save(update_fields=["revoked_at"])
    audit.record(
        actor=actor,
        action=f"{source}:token:revoke",
        target=token.id,
        facts={"owner": token.user.username, "label": token.label},
    )


def token_confirmed(token_id: str) -> None:
    """Let the token count as a second person from now on."""
    token = ApiToken.objects.get(pk=token_id)
    token.second_person_from = min(token.second_person_from, timezone.now())
    token.save(update_fields=["second_person_from"])


def token_rejected(token_id: str) -> None:
    """Revoke the token."""
    ApiToken.objects.filter(pk=token_id, revoked_at=None).update(revoked_at=timezone.now())

"""Creates and revokes API tokens. A token can neither create nor extend one, and every token expires."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import product
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import conflict, forbidden, invalid
from backend.common.events import services as events
from backend.common.roles import CONSOLE_WIDE, PERMISSIONS, Permission, Role, may
from backend.core.plural import pluralize
from backend.identity.accounts import protected_changes
from backend.identity.accounts.models import ApiToken, User
from backend.identity.accounts.persons import are_one_person
from backend.identity.accounts.second_person import names_behind
from backend.identity.accounts.service_accounts import owners
from backend.identity.accounts.token_limits import TokenLimits
from backend.identity.accounts.tokens import digest_of, new_secret

OVERLAP_S = 3600
MAX_LIVE = 20
"""Limit per user: enough for every tool of a user, and few enough for a readable list."""

_WITHDRAWALS: Final[list[Callable[[str, ApiToken], list[str]]]] = []


def register_withdrawal(withdraw: Callable[[str, ApiToken], list[str]]) -> None:
    """Register what `withdraw(actor, token)` takes back of a token that is revoked as compromised.

    It returns a sentence of each thing that the token made, set or requested, and what became of that. Called once when
    the application is ready.
    """
    _WITHDRAWALS.append(withdraw)


@transaction.atomic
def token_create(
    *,
    owner: User,
    label: str,
    role: str | None,
    expires_days: int | None,
    actor: str,
    source: str = "api",
    limits: TokenLimits | None = None,
) -> tuple[ApiToken, str]:
    """A token and its secret, which is returned only here; it may at most what the owner may."""
    _check(owner, expires_days)
    granted = _granted_role(owner, role)
    now = timezone.now()
    days = expires_days or min(settings.HAWSER_TOKEN_DAYS, settings.HAWSER_TOKEN_MAX_DAYS)
    is_for_other = _is_for_somebody_else(source, owner, actor, granted)
    secret = new_secret()
    token = ApiToken.objects.create(
        user=owner,
        label=label,
        role=granted.value,
        digest=digest_of(secret),
        expires_at=now + timedelta(days=days),
        second_person_from=protected_changes.effective_at(now) if is_for_other else now,
        **(limits or TokenLimits()).fields(granted),
    )
    if is_for_other:
        _announce(token, actor, "at the shell" if source == "cli" else "for it")
    audit.record(actor=actor, action=f"{source}:token:create", target=token.id, facts=_facts_of(token))
    return token, secret


def _facts_of(token: ApiToken) -> dict[str, Any]:
    names = ("label", "role", "expires_at", "permissions", "links", "environments", "addresses")
    known = {name: getattr(token, name) for name in names if getattr(token, name) is not None}
    return {"owner": token.user.username, **known}


def _granted_role(owner: User, role: str | None) -> Role:
    """The role asked for, or the highest that the owner has anywhere; what it includes is decided by each call."""
    allowed = [one for one in Role if _includes(owner, one)]
    if role is None:
        return max(allowed, key=lambda one: len(PERMISSIONS[one]))
    if Role(role) not in allowed:
        raise invalid("role", f"A token cannot have a higher role than yours ({owner.acting_role.value}).")
    return Role(role)


def _includes(owner: User, role: Role) -> bool:
    if PERMISSIONS[role] <= PERMISSIONS[owner.acting_role]:
        return True
    privileges = owner.privileges()
    is_scoped = privileges.anywhere() != privileges.everywhere
    return is_scoped and PERMISSIONS[role] - CONSOLE_WIDE <= privileges.anywhere()


def check_no_token(user: User) -> None:
    """Refuse to create a token for a caller who uses one."""
    if user.token_in_use is not None:
        raise forbidden(
            "token_makes_no_token",
            "A token cannot create a token. No token was created. Sign in with your password and create it there.",
        )


def _check(owner: User, expires_days: int | None) -> None:
    check_no_token(owner)
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


def _is_for_somebody_else(source: str, owner: User, actor: str, role: Role) -> bool:
    """Who creates a token in another name may use it, so its user may not be the owner for a while."""
    return (source == "cli" or owner.is_service) and actor != owner.username and may(role, Permission.RUN)


def _is_rotated_by_a_stranger(token: ApiToken, actor: str) -> bool:
    """Whether somebody gets the new secret in whose hands the service account is not: as with a token that is made.

    Also an owner may be in other hands for now.
    """
    is_own = any(are_one_person(actor, one.username) for one in owners(token.user)) and not names_behind([actor])
    return not is_own and _is_for_somebody_else("api", token.user, actor, Role(token.role))


def _announce(token: ApiToken, actor: str, how: str) -> None:
    owner = token.user
    is_approver = may(token.role, Permission.APPROVE)
    purpose = "to count as a second person" if is_approver else f"to ask for runs that {actor} may approve"
    protected_changes.announce(
        kind=f"{'approver' if is_approver else 'operator'}_token_made",
        target=token.id,
        summary=(f"A token of {owner.username} ({token.role}) was created {how} by {actor} and is {purpose}."),
        actor=actor,
        at=token.second_person_from,
    )


@transaction.atomic
def token_revoke(*, actor: str, token: ApiToken, source: str = "api", is_compromised: bool = False) -> list[str]:
    """Revoke a token. It stops working with the next request; its event streams end within two seconds.

    Of a compromised one what it requested is ended, and what it approved told, where it has not begun yet. It may have
    ended before, and so may those that it replaced, which whoever had it may have had as well: they end with it.
    Returns a sentence of each thing that they made, set or requested.
    """
    ended = _with_replaced(token) if is_compromised else [token]
    for one in ended:
        one.revoked_at = one.revoked_at or timezone.now()
        one.save(update_fields=["revoked_at"])
    each = product(_WITHDRAWALS if is_compromised else (), ended)
    found = [sentence for withdraw, one in each for sentence in withdraw(actor, one)]
    if is_compromised:
        _tell_compromised(actor, token, found)
    facts = {"owner": token.user.username, "label": token.label, "is_compromised": is_compromised, "found": found}
    audit.record(actor=actor, action=f"{source}:token:revoke", target=token.id, facts=facts)
    return found


def _tell_compromised(actor: str, token: ApiToken, found: list[str]) -> None:
    what = " ".join(found) or "Nothing that it made, set or requested is left."
    message = f"{actor} revoked token {token.pk} of {token.user.username} as compromised. {what}"
    events.raised(link_id="", kind="token.compromised", severity="warning", message=message[:500], actor=actor)


def _with_replaced(token: ApiToken) -> list[ApiToken]:
    """The token, and those that it and they were rotated from, as far as they are stored."""
    found = [token]
    while (replaced := found[-1].rotated_from) is not None:
        found.append(replaced)
    return found


@transaction.atomic
def token_rotate(*, user: User, token: ApiToken, overlap_s: int | None) -> tuple[ApiToken, str]:
    """A successor with the same limits and its secret; the token itself stays valid for `overlap_s` seconds.

    Of a service account that is not the caller's alone it is a new token in the caller's hands: it is announced, what
    is asked with it may not be approved by the caller, and the old one ends at once unless said (its tools notice).
    """
    check_no_token(user)
    if token.successors.exists():
        raise conflict("token_rotated", "This token was rotated already. Nothing was changed. Rotate its successor.")
    now, secret = timezone.now(), new_secret()
    is_for_other = _is_rotated_by_a_stranger(token, user.username)
    if overlap_s is None:
        overlap_s = 0 if is_for_other else OVERLAP_S
    copied = ("label", "role", "permissions", "links", "environments", "addresses")
    fresh = ApiToken.objects.create(
        user=token.user,
        digest=digest_of(secret),
        expires_at=now + min(token.expires_at - token.created_at, timedelta(days=settings.HAWSER_TOKEN_MAX_DAYS)),
        rotated_from=token,
        second_person_from=protected_changes.effective_at(now) if is_for_other else token.second_person_from,
        **{name: getattr(token, name) for name in copied},
    )
    token.expires_at = min(token.expires_at, now + timedelta(seconds=overlap_s))
    token.save(update_fields=["expires_at"])
    if is_for_other:
        _announce(fresh, user.username, "in place of another one")
    audit.record(
        actor=user.username,
        action="api:token:rotate",
        target=fresh.id,
        facts={**_facts_of(fresh), "rotated_from": token.id, "old_valid_until": token.expires_at},
    )
    return fresh, secret


def token_confirmed(token_id: str) -> None:
    """Let the token count as a second person from now on."""
    token = ApiToken.objects.get(pk=token_id)
    token.second_person_from = min(token.second_person_from, timezone.now())
    token.save(update_fields=["second_person_from"])


def token_rejected(token_id: str) -> None:
    """Revoke the token."""
    ApiToken.objects.filter(pk=token_id, revoked_at=None).update(revoked_at=timezone.now())

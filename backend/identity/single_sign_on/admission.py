"""Admits an authenticated person of a provider or directory: a usable name, a role, and a user that is not disabled."""

from __future__ import annotations

import re

from backend.audit import services as audit
from backend.common.actors import ANONYMOUS
from backend.common.errors import ProblemError, forbidden
from backend.identity.accounts.identities.models import Identity, identity_key
from backend.identity.accounts.models import USERNAME_PATTERN, User
from backend.identity.accounts.provider_users import ProviderPerson, provider_user, provider_user_lost
from backend.identity.single_sign_on.account import Account
from backend.identity.single_sign_on.groups import no_role, role_of


def admit(account: Account) -> User:
    """The user of this account; ProblemError says why there is none. Every refusal is recorded."""
    try:
        return _admitted(account)
    except ProblemError as problem:
        audit.record(
            actor=ANONYMOUS,
            action="session:user:provider_refused",
            target=account.username[:80],
            facts={"kind": account.kind.value, "issuer": account.issuer, "code": problem.code},
        )
        raise


def _admitted(account: Account) -> User:
    role = role_of(account.groups)
    if role is None:
        _end_access_of(account)
        raise no_role(account.username)
    if not re.fullmatch(USERNAME_PATTERN, account.username):
        raise forbidden(
            "provider_name_refused",
            "Your user name at the provider cannot be one of Hawser: letters, digits and . _ @ - only, at most 63 of "
            "them. You are not signed in. Ask an administrator for another name, or for another claim as the name.",
        )
    user = provider_user(
        ProviderPerson(
            account.kind, account.issuer, account.subject, account.username, account.email, account.groups, role
        )
    )
    if not user.is_active:
        raise forbidden(
            "user_disabled",
            f"The user {user.username} is disabled in Hawser. You are not signed in. Ask an administrator.",
        )
    return user


def _end_access_of(account: Account) -> None:
    """Who lost the last group with a role also loses open sessions and tokens."""
    identity = Identity.objects.select_related("user").filter(key=identity_key(account.issuer, account.subject)).first()
    if identity is not None:
        provider_user_lost(identity, "no group with a role")

"""Confirms a session by its refresh token: the provider refuses it once the session ended or the user was deleted."""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone

from backend.common.errors import ProblemError
from backend.identity.accounts.identities.models import Identity, ProviderSession
from backend.identity.single_sign_on.admission import admit
from backend.identity.single_sign_on.oidc import client, tokens
from backend.identity.single_sign_on.oidc.errors import RejectedError
from backend.identity.single_sign_on.oidc.flow import account_of
from backend.identity.single_sign_on.oidc.sealed_tokens import open_tokens, seal_tokens


def confirm(session: ProviderSession) -> None:
    """Take over role and groups as they are now; raises RejectedError, or ProviderError while it is unknown."""
    held = open_tokens(session)
    if not held["refresh_token"]:
        return
    answer = client.tokens_of_refresh_token(held["refresh_token"])
    id_token = str(answer.get("id_token") or "")
    sealed = seal_tokens(
        id_token or held["id_token"],
        answer.get("refresh_token") or held["refresh_token"],
        sign_in_id=session.sign_in_id,
    )
    now = timezone.now()
    # Stored first: a provider that gives each refresh token once takes a second use of the old one for a theft.
    ProviderSession.objects.filter(pk=session.pk).update(sealed_tokens=sealed)
    if id_token:
        _take_over(session, id_token)
    ProviderSession.objects.filter(pk=session.pk).update(confirmed_at=now)
    Identity.objects.filter(pk=session.identity_id).update(confirmed_at=now)


def _take_over(session: ProviderSession, id_token: str) -> None:
    claims = tokens.id_token_claims(id_token, nonce=None)
    if claims["sub"] != session.identity.subject:
        raise RejectedError("the provider answered for another user")
    if settings.HAWSER_OIDC_GROUPS_CLAIM not in claims:
        return
    try:
        admit(account_of(claims))
    except ProblemError as problem:
        raise RejectedError(problem.detail) from problem

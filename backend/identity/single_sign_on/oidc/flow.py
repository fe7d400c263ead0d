"""The authorization code flow: from the button to the session."""

from __future__ import annotations

import secrets
from typing import Any, Final

from authlib.common.security import generate_token
from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare

from backend.audit.aggregation import refusals
from backend.common.actors import ANONYMOUS
from backend.common.errors import ProblemError, forbidden
from backend.identity.accounts.identities import sessions
from backend.identity.accounts.identities.models import ProviderKind
from backend.identity.accounts.models import User
from backend.identity.accounts.services import session_begin
from backend.identity.single_sign_on.account import Account
from backend.identity.single_sign_on.admission import admit
from backend.identity.single_sign_on.oidc import client, provider, sealed_tokens, tokens
from backend.identity.single_sign_on.oidc.errors import ProviderError, RejectedError

COOKIE: Final = "hawser_oidc"
LIFETIME_S: Final = 600
"""How long a user may take at the provider."""
_SALT: Final = "hawser.oidc"


def unavailable(error: ProviderError) -> ProblemError:
    """The provider does not answer as it should."""
    return ProblemError(
        503,
        "provider_unavailable",
        f"{settings.HAWSER_OIDC_NAME} cannot be used now: {error}. You are not signed in. Local users can sign in with "
        "their password.",
        headers={"Retry-After": "10"},
    )


def begin() -> tuple[str, str]:
    """The address at the provider, and the content of the cookie with which only this browser can end the sign-in."""
    state, nonce, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32), generate_token(64)
    try:
        url = client.authorization_url(state=state, nonce=nonce, verifier=verifier)
    except ProviderError as error:
        raise unavailable(error) from error
    return url, signing.dumps({"state": state, "nonce": nonce, "verifier": verifier}, salt=_SALT)


def remember(response: HttpResponseBase, content: str) -> None:
    """Give the browser the cookie; empty content removes it."""
    response.set_cookie(
        COOKIE,
        content,
        max_age=LIFETIME_S if content else 0,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def finish(*, request: HttpRequest, given: dict[str, Any]) -> User:
    """Sign in with what the provider sent the browser back with; refusals are counted in the audit log."""
    try:
        held = _held(request, given)
        answer = client.tokens_of_code(given["code"], held["verifier"])
        text = str(answer.get("id_token", ""))
        claims = tokens.id_token_claims(text, nonce=held["nonce"], access_token=str(answer.get("access_token", "")))
    except ProviderError as error:
        raise unavailable(error) from error
    except RejectedError as error:
        raise _refused(str(error)) from error
    user = admit(account_of(claims))
    sign_in = session_begin(request=request, user=user, method=ProviderKind.OIDC.value, amr=_amr(claims))
    sealed = sealed_tokens.seal_tokens(text, answer.get("refresh_token"), sign_in_id=sign_in.id)
    sessions.keep(sign_in, sid=str(claims.get("sid", ""))[:255], sealed_tokens=sealed)
    return user


def account_of(claims: dict[str, Any]) -> Account:
    """The person whom an ID token is about; a claim of the wrong type is as good as none."""
    groups = claims.get(settings.HAWSER_OIDC_GROUPS_CLAIM)
    named = groups if isinstance(groups, list) else [groups]
    return Account(
        kind=ProviderKind.OIDC,
        issuer=settings.HAWSER_OIDC_ISSUER,
        subject=str(claims["sub"]),
        username=_text(claims.get(settings.HAWSER_OIDC_USERNAME_CLAIM)),
        email=_text(claims.get("email"))[:254],
        groups=tuple(sorted({group for group in named if isinstance(group, str)})),
    )


def _held(request: HttpRequest, given: dict[str, Any]) -> dict[str, Any]:
    """What this browser was given at the beginning; RejectedError if it did not begin this sign-in."""
    try:
        held = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=LIFETIME_S)
    except signing.BadSignature as error:
        raise RejectedError("this browser did not begin this sign-in, or began it more than ten minutes ago") from error
    if not constant_time_compare(given["state"], held["state"]):
        raise RejectedError("this browser began another sign-in since")
    needs_iss = bool(provider.metadata().get("authorization_response_iss_parameter_supported"))
    if (given.get("iss") or needs_iss) and given.get("iss") != settings.HAWSER_OIDC_ISSUER:
        raise RejectedError("the answer came from another provider")
    if given.get("error"):
        raise RejectedError(f"the provider said {given['error']}")
    if not given.get("code"):
        raise RejectedError("the provider sent no code")
    return dict(held)


def _refused(reason: str) -> ProblemError:
    refusals.add(actor=ANONYMOUS, action="session:user:provider_failed", target=settings.HAWSER_OIDC_ISSUER, why=reason)
    return forbidden("provider_refused", f"You are not signed in: {reason}. Begin the sign-in again.")


def _amr(claims: dict[str, Any]) -> list[str]:
    amr = claims.get("amr")
    return [method for method in amr if isinstance(method, str)][:10] if isinstance(amr, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

"""Checks tokens that the provider signed: signature, issuer, audience, times, nonce, and the kind of token."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from authlib.oidc.core import CodeIDToken
from django.conf import settings
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwt import JWTClaimsRegistry, Token

from backend.identity.single_sign_on.oidc import provider
from backend.identity.single_sign_on.oidc.errors import RejectedError

LEEWAY_S: Final = 30
"""By how much the clocks of console and provider may differ."""
ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
    "Ed25519",
)
"""Signatures with a public key only: each holder of a shared secret could sign for the provider, and `none` is none."""
LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
LOGOUT_AGE_S: Final = 300
"""A logout token without an end is accepted for this long after it was issued."""

LOGOUT_LIFE_S: Final = 86_400
"""One that is valid for longer is refused, because it would have to be remembered for longer."""


def id_token_claims(text: str, *, nonce: str | None, access_token: str = "") -> dict[str, Any]:
    """The claims of an ID token for this client; raises RejectedError. Without a nonce it is one of a refresh."""
    token = _verified(text)
    params = {"nonce": nonce, "client_id": settings.HAWSER_OIDC_CLIENT_ID, "access_token": access_token}
    claims = CodeIDToken(token.claims, token.header, options=_issuer_and_audience(), params=params)
    try:
        claims.validate(now=int(time.time()), leeway=LEEWAY_S)
    except (JoseError, TypeError, ValueError) as error:
        raise RejectedError(f"its ID token is not valid: {_reason(error)}") from error
    return dict(claims)


def logout_token_claims(text: str) -> dict[str, Any]:
    """The claims of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6); raises RejectedError."""
    token = _verified(text)
    registry = JWTClaimsRegistry(
        now=int(time.time()),
        leeway=LEEWAY_S,
        **_issuer_and_audience(),
        iat={"essential": True},
        jti={"essential": True},
    )
    try:
        registry.validate(token.claims)
    except (JoseError, TypeError, ValueError) as error:
        raise RejectedError(f"the logout token is not valid: {_reason(error)}") from error
    if reason := _why_no_logout_token(token):
        raise RejectedError(f"the logout token is not valid: {reason}")
    return dict(token.claims)


def _why_no_logout_token(token: Token) -> str:
    claims = token.claims
    events = claims.get("events")
    if not isinstance(events, Mapping) or not isinstance(events.get(LOGOUT_EVENT), Mapping):
        return "it names no logout event"
    if "nonce" in claims:
        return "it has a nonce, as an ID token has"
    if str(token.header.get("typ", "logout+jwt")).lower() not in ("logout+jwt", "jwt"):
        return "it is a token of another kind"
    if not (claims.get("sub") or claims.get("sid")):
        return "it names neither user nor session"
    if any(not isinstance(claims[name], str) for name in ("sub", "sid") if name in claims):
        return "user or session is no text"
    if claims.get("exp", claims["iat"] + LOGOUT_AGE_S) < time.time() - LEEWAY_S:
        return "it is too old"
    if claims.get("exp", 0) > time.time() + LOGOUT_LIFE_S:
        return "it is valid for more than a day"
    return ""


def _verified(text: str) -> Token:
    """The token if one of the provider's keys signed it; keys that rotated are fetched again once."""
    try:
        try:
            return jwt.decode(text, provider.keys(), algorithms=ALGORITHMS)
        except (InvalidKeyIdError, ValueError):
            return jwt.decode(text, provider.keys(fresh=True), algorithms=ALGORITHMS)
    except (JoseError, ValueError, TypeError) as error:
        raise RejectedError(f"a token of the provider has no valid signature: {_reason(error)}") from error


def _issuer_and_audience() -> dict[str, Any]:
    return {
        "iss": {"essential": True, "value": settings.HAWSER_OIDC_ISSUER},
        "aud": {"essential": True, "value": settings.HAWSER_OIDC_CLIENT_ID},
    }


def _reason(error: Exception) -> str:
    return str(error)[:200] or type(error).__name__

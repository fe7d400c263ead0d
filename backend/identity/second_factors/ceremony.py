"""One exchange with an authenticator (WebAuthn): its options, and the check of what the browser sends back.

The challenge is stored in the session for one purpose and is used once. The browser signs the origin; it must be that
of this console, and the user must have been verified by PIN, finger or face.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from backend.common.errors import ProblemError, conflict, forbidden
from backend.identity.accounts.models import User

VALID_S: Final = 300
_KEY: Final = "hawser_webauthn"
ALGORITHMS: Final = frozenset({-7, -8, -257})
"""ES256, EdDSA and RS256 (RFC 9053, RFC 8812). The library takes whatever key an authenticator returns."""
_VERIFIED: Final = UserVerificationRequirement.REQUIRED


def rp_id(request: HttpRequest) -> str:
    """The host name that passkeys of this request are for; it is one of HAWSER_ALLOWED_HOSTS."""
    return split_domain_port(request.get_host())[0]


def options_to_create(request: HttpRequest, user: User, existing: Sequence[AttestedCredentialData]) -> dict[str, Any]:
    """Options for a new passkey of the user, which no authenticator with an existing one makes."""
    entity = PublicKeyCredentialUserEntity(id=str(user.pk).encode(), name=user.username, display_name=user.username)
    options, state = _server(request).register_begin(
        entity,
        list(existing),
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=_VERIFIED,
    )
    _remember(request, "create", state)
    return dict(options.public_key)


def created(request: HttpRequest, credential: dict[str, Any]) -> AuthenticatorData:
    """The checked data of a new passkey."""
    state = _taken(request, "create")
    try:
        made = _server(request).register_complete(state, RegistrationResponse.from_dict(credential))
    except Exception as error:  # the library raises many kinds for bad input; each is a refusal
        raise refused(error) from error
    if made.credential_data is None or made.credential_data.public_key.ALGORITHM not in ALGORITHMS:
        raise refused("its key has an algorithm that is not allowed")
    return made


def options_to_get(
    request: HttpRequest, purpose: str, allowed: Sequence[AttestedCredentialData] | None
) -> dict[str, Any]:
    """Options to use a passkey: one of `allowed`, or with None any passkey that the browser has for this console."""
    options, state = _server(request).authenticate_begin(
        None if allowed is None else list(allowed), user_verification=_VERIFIED
    )
    _remember(request, purpose, state)
    return dict(options.public_key)


def challenge(request: HttpRequest, purpose: str) -> dict[str, Any]:
    """The challenge that was sent for this purpose; it ends with this."""
    return _taken(request, purpose)


def used(
    request: HttpRequest, state: dict[str, Any], known: AttestedCredentialData, credential: dict[str, Any]
) -> AuthenticatorData:
    """The checked data of a passkey that was used."""
    try:
        answer = AuthenticationResponse.from_dict(credential)
        _server(request).authenticate_complete(state, [known], answer)
    except Exception as error:  # as above
        raise refused(error) from error
    return answer.response.authenticator_data


def refused(error: Exception | str) -> ProblemError:
    """The refusal of a passkey, with what the check found."""
    found = str(error).rstrip(".") or type(error).__name__
    detail = f"The passkey was not accepted: {found[:200]}. Nothing was done. Try again, or use another way."
    return forbidden("passkey_refused", detail)


def _server(request: HttpRequest) -> Fido2Server:
    entity = PublicKeyCredentialRpEntity(id=rp_id(request), name="Hawser")
    server = Fido2Server(entity, verify_origin=lambda origin: origin in _origins(request))
    server.allowed_algorithms = [one for one in server.allowed_algorithms if one.alg in ALGORITHMS]
    return server


def _origins(request: HttpRequest) -> set[str]:
    """Where this console's page may come from: its own address, and trusted origins with the same host name."""
    trusted = {origin for origin in settings.CSRF_TRUSTED_ORIGINS if urlsplit(origin).hostname == rp_id(request)}
    return {f"{request.scheme}://{request.get_host()}", *trusted}


def _remember(request: HttpRequest, purpose: str, state: dict[str, Any]) -> None:
    request.session[_KEY] = {"purpose": purpose, "at": time.time(), "state": dict(state)}


def _taken(request: HttpRequest, purpose: str) -> dict[str, Any]:
    held = request.session.pop(_KEY, None) or {}
    if held.get("purpose") != purpose or time.time() - held["at"] > VALID_S:
        raise conflict(
            "not_begun", "This was not begun in this session, or too long ago. Nothing was done. Start again."
        )
    return dict(held["state"])

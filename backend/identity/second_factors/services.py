"""Sign-in with a second factor or a passkey, and the proof that the user of a session is present."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import NotAuthenticated

from backend.audit import services as audit
from backend.common.actors import ANONYMOUS
from backend.common.errors import ProblemError, invalid
from backend.common.request_context import current
from backend.identity.accounts import local_sign_in, second_factor, session_proof, throttle
from backend.identity.accounts.identities.selectors import PASSWORD, method_of
from backend.identity.accounts.models import User
from backend.identity.accounts.proof_permission import ways_to_prove
from backend.identity.accounts.services import password_check, session_begin
from backend.identity.second_factors import ceremony, passkeys
from backend.identity.second_factors.verification import PASSKEY, check_code, check_passkey

SIGN_IN, SECOND, PROOF = "sign_in", "second_factor", "proof"
"""What a challenge is for; an answer to one is no answer to another."""


def waiting_user(request: HttpRequest) -> User:
    """Who has yet to give a second factor in this session; 401 without one."""
    user = second_factor.pending_user(request)
    if user is None:
        raise NotAuthenticated("No sign-in waits for a second factor in this session. Sign in first.")
    return user


def sign_in_complete(
    request: HttpRequest, user: User, *, code: str | None = None, credential: dict[str, Any] | None = None
) -> User:
    """Give the second factor of a sign-in that waits for it. The session begins."""
    way = check_passkey(request, user, SECOND, credential) if credential is not None else check_code(user, code or "")
    session_begin(request=request, user=user, method=method_of(user), factor=way)
    return user


def sign_in_options(request: HttpRequest) -> dict[str, Any]:
    """Options for a sign-in with any passkey that the browser has for this console."""
    if not request.session.session_key:
        request.session.set_expiry(ceremony.VALID_S)
    return ceremony.options_to_get(request, SIGN_IN, None)


def sign_in_with_passkey(request: HttpRequest, *, credential: dict[str, Any]) -> User:
    """Sign in with a passkey alone: it is on a device, and the device verified its user."""
    attempt = throttle.count_attempt(username=" passkey", source_ip=current.get().source_ip, browser_id=None)
    try:
        user = passkeys.use(request, SIGN_IN, credential).user
        local_sign_in.check_passkey(user)
    except ProblemError as problem:
        audit.record(actor=ANONYMOUS, action="session:user:sign_in_failed", target="passkey", reason=problem.detail)
        raise
    attempt.succeed()
    session_begin(request=request, user=user, method=PASSWORD, factor=PASSKEY)
    return user


def prove(request: HttpRequest, user: User, *, way: str, given: Any) -> None:
    """Record that the user of the session is present. A password counts only without a second factor."""
    if way == "password":
        if "password" not in ways_to_prove(user):
            raise invalid("password", "You have a second factor. Nothing was done. Give that instead.")
        password_check(request=request, user=user, password=given)
        factor = ""
    else:
        factor = check_passkey(request, user, PROOF, given) if way == "credential" else check_code(user, given)
    session_proof.record(request, factor=factor)
    audit.record(
        actor=user.username, action="session:user:proof", target=user.username, facts={"second_factor": factor}
    )

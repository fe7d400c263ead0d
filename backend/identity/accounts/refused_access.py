"""Middleware that counts every refused access (401, 403 and the rate's 429 of the API) in the audit log."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from backend.audit.aggregation import refusals
from backend.common.actors import ANONYMOUS
from backend.identity.accounts.models import ApiToken, User
from backend.identity.accounts.session_hash import session_user
from backend.identity.accounts.tokens import digest_of

RECORDED_AT_SIGN_IN = {
    *("wrong_credentials", "second_factor_needed", "wrong_second_factor", "passkey_refused", "provider_refused")
}
THROTTLED = "throttled"
log = structlog.get_logger(__name__)


class RefusedAccessMiddleware:
    """The page's question for the current user without a sign-in is not counted; a call with credentials is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Call the view, then look at the response."""
        answer = self.get_response(request)
        is_refused = answer.status_code in (403, 429) or (answer.status_code == 401 and _shows_credentials(request))
        if is_refused and isinstance(answer, HttpResponse):
            try:
                _count(request, answer)
            except Error as error:  # the response is sent even if the record fails
                log.warning("access.refusal_not_counted", error=type(error).__name__)
        return answer


def _shows_credentials(request: HttpRequest) -> bool:
    return "HTTP_AUTHORIZATION" in request.META or settings.SESSION_COOKIE_NAME in request.COOKIES


def _count(request: HttpRequest, answer: HttpResponse) -> None:
    code = _code_of(answer)
    if answer.status_code == 429:
        if code == THROTTLED:
            refusals.add(action="api:access:throttled", actor=_user_of(request))
        return
    if code in RECORDED_AT_SIGN_IN:
        return
    token = _token_of(request)
    refusals.add(
        action="api:access:refused",
        actor=_user_of(request) if answer.status_code == 403 else ANONYMOUS,
        target=token.id if token else "",
        call=f"{request.method} /{getattr(request.resolver_match, 'route', '')}",
        status=answer.status_code,
        code=code,
        **({"token_id": token.id, "token_owner": token.user.username} if token else {}),
    )


def _code_of(answer: HttpResponse) -> str:
    try:
        return str(json.loads(answer.content)["code"])
    except (ValueError, KeyError, TypeError):
        return ""


def _user_of(request: HttpRequest) -> str:
    """The current user; the REST framework drops a session's user if the CSRF token is missing."""
    user: Any = request.user if request.user.is_authenticated else session_user(request)
    return user.username if isinstance(user, User) else ANONYMOUS


def _token_of(request: HttpRequest) -> ApiToken | None:
    """The token that was sent, if it is or was a token of the console."""
    _, _, secret = str(request.META.get("HTTP_AUTHORIZATION", "")).partition(" ")
    if not secret:
        return None
    return ApiToken.objects.select_related("user").filter(digest=digest_of(secret.strip())).first()

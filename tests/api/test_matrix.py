"""Route x verb x caller, generated from the URL map and the role table: who is let in, who is told to sign in, who not.

Each cell is one call in a transaction that is rolled back, so that no cell hangs on the one before it. Callers with a
right cell get a body that no endpoint takes, or an id of nothing, and so do nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends.base import SessionBase
from django.core.signals import request_finished
from django.db import close_old_connections, transaction
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from backend.common.roles import Role, may
from backend.identity.accounts import session_proof, token_services
from backend.identity.accounts.models import ApiToken, User
from tests.support.console import API, SignedIn, make_user
from tests.support.routes import Route, tabled_routes

VERBS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE")
CHANGING = ("POST", "PUT", "PATCH", "DELETE")
FROM_A_SESSION = {
    ("POST", "tokens"),
    ("POST", "password"),
    ("POST", "push-subscriptions"),
    ("POST", "proof"),
    ("POST", "proof-options"),
    ("POST", "own-app"),
    ("DELETE", "own-app"),
    ("POST", "own-app-secret"),
    ("POST", "own-passkeys"),
    ("POST", "own-passkey-options"),
    ("DELETE", "own-passkey"),
    ("POST", "own-recovery-codes"),
}
"""What a token may not, whatever its role."""
SIGN_INS = {
    "session",
    "second-factor",
    "second-factor-options",
    "passkey-sign-in",
    "passkey-sign-in-options",
    "oidc",
    "oidc-callback",
}
"""Where a browser signs in: a change needs the CSRF token before anything else is looked at."""
AFTER_A_PASSWORD = {"second-factor", "second-factor-options"}
"""A sign-in ends there; without one that waits no caller is let in."""
SHOWN_TO_STRANGERS = {"sign-in-methods"}
"""What the page of the sign-in reads."""
NEVER_TAKEN = '{"never": "taken"}'
BODIES = {"tokens": '{"label": "t"}'}
"""Where the body is looked at before the caller's token is."""
LET_IN = 200
"""Stands for every answer but 401, 403, 405 and an error of the server."""
FEWEST_ROUTES = 60
"""Below this the map was not read whole."""


@dataclass
class MatrixCaller:
    """A caller with a credential, or with none.

    `role` is what he acts with, None for a stranger; `is_session` whether the browser's cookie says who he is, and
    `csrf` the token he sends with it; `has_bad_token` whether he shows a token that does not work any more.
    """

    client: Client
    role: Role | None = None
    token: str = ""
    is_session: bool = False
    csrf: str = ""
    has_bad_token: bool = False

    def status(self, verb: str, route: Route) -> int:
        """The status of one call; what it changed is reverted."""
        headers = {"X-CSRFToken": self.csrf} if self.csrf else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        cookies = self.client.cookies.output()
        body = BODIES.get(route.name, NEVER_TAKEN) if verb in CHANGING else ""
        with transaction.atomic():
            answer = self.client.generic(verb, route.address, body, "application/json", headers=headers)
            _close_if_stream(answer)
            transaction.set_rollback(True)
        self.client.cookies.load(cookies.replace("Set-Cookie: ", ""))
        return answer.status_code

    def expected(self, verb: str, route: Route) -> int:
        """What the role table says."""
        table, method = route.view.permissions, "GET" if verb == "HEAD" else verb
        if verb in CHANGING and not self.csrf and (route.name in SIGN_INS or self.is_session) and _asks(route):
            return 403
        if self.has_bad_token and _asks(route):
            return 401
        if method not in table:
            return 405 if self.role or not _asks(route) else 401
        needed = table[method]
        if route.name in AFTER_A_PASSWORD:
            return 401
        if needed is None:
            is_open = not _asks(route) or method != "GET" or route.name in SHOWN_TO_STRANGERS
            return LET_IN if self.role or is_open else 401
        if self.role is None:
            return 401
        is_allowed = may(self.role, needed) and (self.is_session or (method, route.name) not in FROM_A_SESSION)
        return LET_IN if is_allowed else 403


def _close_if_stream(answer: Any) -> None:
    """End a stream; Django's test client closes everything else, and does not take it for the end of the connection."""
    if answer.streaming:
        request_finished.disconnect(close_old_connections)
        answer.close()
        request_finished.connect(close_old_connections)


def _asks(route: Route) -> bool:
    """Whether anybody is asked who he is there: not by the health checks."""
    return bool(route.view.authentication_classes)


def _owner(name: str, role: str = "admin") -> tuple[User, ApiToken, str]:
    """A user and a token, with its secret."""
    user = make_user(name, role)
    token, secret = token_services.token_create(owner=user, label="t", role=None, expires_days=9, actor="test")
    return user, token, secret


def _client() -> Client:
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def _anonymous() -> MatrixCaller:
    return MatrixCaller(_client())


def _expired() -> MatrixCaller:
    _, token, secret = _owner("anna")
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    return MatrixCaller(_client(), token=secret, has_bad_token=True)


def _revoked() -> MatrixCaller:
    _, token, secret = _owner("anna")
    token_services.token_revoke(actor="test", token=token)
    return MatrixCaller(_client(), token=secret, has_bad_token=True)


def _disabled() -> MatrixCaller:
    """The token as such still works: its owner is disabled behind the console's back."""
    user, _, secret = _owner("anna")
    User.objects.filter(pk=user.pk).update(is_active=False)
    return MatrixCaller(_client(), token=secret, has_bad_token=True)


def _viewer_token() -> MatrixCaller:
    user, _, _ = _owner("anna")
    _, secret = token_services.token_create(owner=user, label="v", role="viewer", expires_days=9, actor="test")
    return MatrixCaller(_client(), Role.VIEWER, secret)


def _prove(session: SessionBase) -> None:
    """As if the user had just been asked for the password."""
    request = HttpRequest()
    request.session = session
    session_proof.record(request, factor="")
    session.save()


def _session(*, with_csrf: bool) -> MatrixCaller:
    page = SignedIn(make_user("anna", "operator"), enforce_csrf_checks=True)
    _prove(page.client.session)
    page.client.get(f"{API}/session")
    csrf = page.client.cookies["csrftoken"].value if with_csrf else ""
    return MatrixCaller(page.client, Role.OPERATOR, is_session=True, csrf=csrf)


CALLERS: dict[str, Callable[[], MatrixCaller]] = {
    "anonymous": _anonymous,
    "expired token": _expired,
    "revoked token": _revoked,
    "token of a disabled user": _disabled,
    "viewer token of an administrator": _viewer_token,
    "session without CSRF token": lambda: _session(with_csrf=False),
    "session": lambda: _session(with_csrf=True),
}
ALWAYS = {"anonymous", "session without CSRF token"}
"""The others are left to `make test-whole`: `test_access_matrix` has tokens of four callers."""


def _is_as_expected(status: int, expected: int) -> bool:
    if expected == LET_IN:
        return status not in (401, 403, 405) and status < 500
    return status == expected


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ALWAYS else pytest.mark.slow) for name in CALLERS]
)
def test_cell__route_verb_caller__is_what_the_role_table_says(db: None, settings: Any, name: str) -> None:
    settings.HAWSER_METRICS_PUBLIC = False
    settings.HAWSER_CALLS_PER_MINUTE = settings.HAWSER_ANONYMOUS_CALLS_PER_MINUTE = 10_000
    routes, caller = tabled_routes(), CALLERS[name]()
    assert len(routes) > FEWEST_ROUTES
    wrong = []
    for route in routes:
        for verb in VERBS:
            status, expected = caller.status(verb, route), caller.expected(verb, route)
            if not _is_as_expected(status, expected):
                wrong.append(f"{verb} /{route.path} by {name}: {status}, the table says {expected}")
    assert not wrong, "\n".join(wrong)

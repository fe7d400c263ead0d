"""The console as a client of the provider: Authlib builds the requests, the console's own client sends them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from authlib.oauth2.base import OAuth2Error
from authlib.oauth2.client import OAuth2Client
from django.conf import settings

from backend.identity.single_sign_on.oidc import provider
from backend.identity.single_sign_on.oidc.errors import ProviderError, RejectedError

CALLBACK_PATH = "/sign-in/callback"
"""The page to which the provider sends the browser back."""


class _Answer:
    """An answer as Authlib reads it."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status_code, self._body = status, body

    def json(self) -> Any:
        """The body."""
        return json.loads(self._body)

    def raise_for_status(self) -> None:
        """An error of the provider, or no OAuth answer at all."""
        raise ProviderError(f"it answered {self.status_code}")


class _Session:
    """What Authlib sends its requests through."""

    def post(self, url: str, data: Mapping[str, str], headers: Mapping[str, str], auth: Any) -> _Answer:
        """Send a form with the client's authentication."""
        _, prepared, body = auth.prepare("POST", url, dict(headers), urlencode(data))
        answer = provider.call("POST", url, body.encode(), dict(prepared))
        return _Answer(answer.status, answer.body)


class _Client(OAuth2Client):  # type: ignore[misc]
    """Refreshing goes through the same session as fetching."""

    def _http_post(self, url: str, body: str, auth: Any, headers: Any, **_: Any) -> Any:
        return self.session.post(url, data=dict(parse_qsl(body)), headers=headers, auth=auth)


def redirect_uri() -> str:
    """Where the provider sends the browser back to; it must be registered there."""
    return f"{settings.HAWSER_CONSOLE_URL}{CALLBACK_PATH}"


def _client() -> Any:
    methods = provider.metadata().get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    return _Client(
        _Session(),
        client_id=settings.HAWSER_OIDC_CLIENT_ID,
        client_secret=settings.HAWSER_OIDC_CLIENT_SECRET,
        token_endpoint_auth_method="client_secret_basic" if "client_secret_basic" in methods else "client_secret_post",
        scope=settings.HAWSER_OIDC_SCOPES,
        redirect_uri=redirect_uri(),
        code_challenge_method="S256",
    )


def authorization_url(*, state: str, nonce: str, verifier: str) -> str:
    """Where the browser goes to sign in."""
    more = {"prompt": settings.HAWSER_OIDC_PROMPT} if settings.HAWSER_OIDC_PROMPT else {}
    url, _ = _client().create_authorization_url(
        provider.metadata()["authorization_endpoint"], state=state, nonce=nonce, code_verifier=verifier, **more
    )
    return str(url)


def tokens_of_code(code: str, verifier: str) -> dict[str, Any]:
    """The tokens that the code stands for; raises RejectedError if the provider says no."""
    given = {"code": code, "redirect_uri": redirect_uri(), "code_verifier": verifier}
    return _asked(lambda url: _client().fetch_token(url, grant_type="authorization_code", **given))


def tokens_of_refresh_token(refresh_token: str) -> dict[str, Any]:
    """New tokens; raises RejectedError if the provider ended the session or the user."""
    return _asked(lambda url: _client().refresh_token(url, refresh_token=refresh_token))


def _asked(ask: Any) -> dict[str, Any]:
    try:
        return dict(ask(provider.metadata()["token_endpoint"]))
    except OAuth2Error as error:
        # Only this one is about the user; others are about the console's own registration at the provider.
        if error.error == "invalid_grant":
            raise RejectedError("the provider refused the code or the session") from error
        raise ProviderError(f"it refused the console itself: {str(error.error)[:100]}") from error
    except (ValueError, TypeError, KeyError) as error:
        raise ProviderError("its answer cannot be read") from error

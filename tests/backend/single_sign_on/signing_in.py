"""A page that signs in by the provider."""

from __future__ import annotations

from typing import Any

from tests.support.console import API
from tests.support.page import Page
from tests.support.providers.oidc import Browser, Provider

BEGIN, FINISH = f"{API}/sign-in/oidc", f"{API}/sign-in/oidc/callback"
BACK_CHANNEL = f"{API}/sign-in/oidc/back-channel-logout"


def begin(page: Page) -> str:
    """The address at the provider."""
    answer = page.send("POST", BEGIN)
    assert answer.status_code == 200, answer.content
    return str(answer.json()["authorization_url"])


def sign_in(
    provider: Provider, login: str, page: Page | None = None, browser: Browser | None = None
) -> tuple[Page, Any]:
    """The page and the console's answer to the callback."""
    page = page or Page()
    answer = (browser or provider.browser()).sign_in(begin(page), login)
    # What the callback's page sends on; Keycloak adds `session_state`.
    given = {name: value for name, value in answer.items() if name in ("code", "error", "iss", "state")}
    return page, page.send("POST", FINISH, given)


def log_out(token: str, page: Page | None = None) -> Any:
    """The provider's call by the back channel."""
    client = (page or Page()).client
    return client.post(BACK_CHANNEL, f"logout_token={token}", content_type="application/x-www-form-urlencoded")

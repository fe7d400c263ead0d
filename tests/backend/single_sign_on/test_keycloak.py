"""The same against Keycloak; it takes a minute to start, so only the whole form of the tests runs it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from backend.identity.single_sign_on import confirmation
from backend.identity.single_sign_on.oidc import provider as provider_cache
from tests.backend.single_sign_on.conftest import ROLES
from tests.backend.single_sign_on.signing_in import log_out, sign_in
from tests.support.console import API
from tests.support.page import SESSION
from tests.support.providers.keycloak import KeycloakBrowser, is_here, keycloak
from tests.support.providers.oidc import CLIENT_ID, CONSOLE, SECRET, open_url
from tests.support.waiting import wait_for

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.whole,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not os.environ.get("HAWSER_WHOLE"), reason="the whole form (HAWSER_WHOLE=1) starts Keycloak"),
    pytest.mark.skipif(not is_here(), reason="neither Java nor Maven is here"),
]


def test_keycloak__sign_in_confirmation_and_logout_at_the_provider(settings: Any, tmp_path: Path) -> None:
    with keycloak(tmp_path, CONSOLE) as running:
        provider_cache.forget()
        settings.HAWSER_OIDC_ISSUER, settings.HAWSER_CONSOLE_URL = running.issuer, CONSOLE
        settings.HAWSER_OIDC_CLIENT_ID, settings.HAWSER_OIDC_CLIENT_SECRET = CLIENT_ID, SECRET
        settings.HAWSER_GROUP_ROLES, settings.HAWSER_OIDC_TIMEOUT_S = ROLES, 20.0
        settings.HAWSER_OIDC_SCOPES, settings.HAWSER_PROVIDER_CHECK_S = "openid profile email", 0
        browser = KeycloakBrowser(running)
        page, answer = sign_in(running, "anna", browser=browser)
        assert (answer.status_code, answer.json().get("role")) == (200, "operator"), answer.content
        confirmation.tick()
        assert page.client.get(SESSION).json()["provider"]["groups"] == ["dba"]
        other, _ = sign_in(running, "anna", browser=browser)
        url = other.send("POST", f"{API}/sign-in/oidc/sign-out").json()["end_session_url"]
        _, headers, _ = open_url(browser.opener, url)
        assert headers["Location"] == f"{CONSOLE}/sign-in"
        wait_for(lambda: running.logout_tokens, "the logout token", 20)
        assert log_out(running.logout_tokens.pop()).status_code == 200
        assert page.client.get(SESSION).status_code == 401

"""A sign-in by a provider of a user who has a second factor in Hawser."""

from __future__ import annotations

from typing import Any

import pytest

from backend.identity.single_sign_on.oidc import flow
from tests.backend.single_sign_on.signing_in import sign_in
from tests.support.console import API
from tests.support.page import SESSION
from tests.support.providers.oidc import Provider
from tests.support.second_factors import FACTORS, PROOF, add_app, code_of

pytestmark = pytest.mark.django_db


def require_factor(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Require one of approvers; the provider asked for the password alone."""
    settings.HAWSER_SECOND_FACTOR_ROLES = ["approver"]
    monkeypatch.setattr(flow, "_amr", lambda _claims: ["pwd"])


def test_sign_in__first_time_without_a_factor__must_add_one(
    oidc: Provider, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_factor(settings, monkeypatch)
    page, answer = sign_in(oidc, "s-lead")
    assert answer.json()["must_add_second_factor"] is True
    add_app(page)
    assert page.client.get(SESSION).json()["must_add_second_factor"] is False


def test_sign_in__password_of_the_provider_alone__adds_no_other_factor(
    oidc: Provider, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_factor(settings, monkeypatch)
    secret, _ = add_app(sign_in(oidc, "s-lead")[0])
    page, answer = sign_in(oidc, "s-lead")
    assert answer.json()["must_add_second_factor"] is False
    assert page.send("POST", f"{FACTORS}/passkeys/options").json().get("code") == "step_up_needed"
    assert page.send("POST", f"{FACTORS}/recovery-codes").json().get("code") == "step_up_needed"
    assert page.client.get(f"{API}/links").json().get("code") == "step_up_needed"
    assert page.send("POST", PROOF, {"code": code_of(secret)}).status_code == 204
    assert page.client.get(f"{API}/links").status_code == 200
    assert page.send("POST", f"{FACTORS}/passkeys/options").status_code == 200

"""Sign-out at either side ends the session at both."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from backend.audit.aggregation import refusals
from backend.audit.models import AuditRecord
from backend.audit.services import OPENING
from backend.identity.accounts.models import SignIn, User
from tests.backend.single_sign_on.signing_in import log_out, sign_in
from tests.support.console import API
from tests.support.page import SESSION
from tests.support.providers.oidc import CONSOLE, Provider
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db


def sign_out(page: Any) -> Any:
    return page.send("POST", f"{API}/sign-in/oidc/sign-out")


def arrived(oidc: Provider) -> str:
    """The logout token that the provider sent."""
    wait_for(lambda: oidc.logout_tokens, "the logout token", 10, 0.02)
    return oidc.logout_tokens.pop()


def test_sign_out__here__ends_session_and_leads_to_the_provider(oidc: Provider) -> None:
    page, _ = sign_in(oidc, "s-anna")
    url = sign_out(page).json()["end_session_url"]
    query = parse_qs(urlsplit(url).query)
    assert url.startswith(f"{oidc.issuer}/session/end?")
    assert query["post_logout_redirect_uri"] == [f"{CONSOLE}/sign-in"]
    assert query["id_token_hint"][0].count(".") == 2
    assert page.client.get(SESSION).status_code == 401


def test_sign_out__at_the_provider__back_channel_ends_the_session_here(oidc: Provider) -> None:
    browser = oidc.browser()
    page, _ = sign_in(oidc, "s-anna", browser=browser)
    other, _ = sign_in(oidc, "s-anna")
    stays, _ = sign_in(oidc, "s-lead")
    third, _ = sign_in(oidc, "s-anna", browser=browser)
    url = sign_out(third).json()["end_session_url"]
    assert browser.end_session(url) == f"{CONSOLE}/sign-in"
    assert log_out(arrived(oidc)).status_code == 200
    assert [one.client.get(SESSION).status_code for one in (page, other, stays)] == [401, 200, 200]
    record = AuditRecord.objects.filter(action="provider:logout:sessions_ended").get()
    assert record.facts == {"sessions_ended": 1, "by_session": True}
    assert record.actor == "identity-provider"


def test_logout_token__sent_again__refused(oidc: Provider) -> None:
    browser = oidc.browser()
    page, _ = sign_in(oidc, "s-anna", browser=browser)
    browser.end_session(sign_out(page).json()["end_session_url"])
    token = arrived(oidc)
    assert log_out(token).status_code == 200
    answer = log_out(token)
    assert answer.status_code == 400
    assert answer.json()["code"] == "logout_token_refused"
    assert "used before" in answer.json()["detail"]


def test_back_channel__id_token__refused(oidc: Provider) -> None:
    page, _ = sign_in(oidc, "s-anna")
    stays, _ = sign_in(oidc, "s-anna")
    hint = parse_qs(urlsplit(sign_out(page).json()["end_session_url"]).query)["id_token_hint"][0]
    assert log_out(hint).status_code == 400
    assert stays.client.get(SESSION).status_code == 200


def test_back_channel__strangers_tokens_at_any_rate__one_record_with_the_count(oidc: Provider) -> None:
    assert {log_out("a.b.c").status_code for _ in range(20)} == {400}
    refusals.flush()
    (record,) = AuditRecord.objects.filter(action="provider:logout:refused")
    assert (record.actor, record.target, record.facts["count"]) == ("anonymous", oidc.issuer, 20)
    assert record.facts["why"]
    assert AuditRecord.objects.exclude(action=OPENING).count() == 1


@pytest.mark.parametrize("body", ["", "logout_token=", "logout_token=a.b.c", "other=1"])
def test_back_channel__nonsense__refused(oidc: Provider, body: str) -> None:
    sign_in(oidc, "s-anna")
    from django.test import Client

    answer = Client().post(
        f"{API}/sign-in/oidc/back-channel-logout", body, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code == 400
    assert SignIn.objects.filter(ended_at=None).count() == User.objects.count() == 1

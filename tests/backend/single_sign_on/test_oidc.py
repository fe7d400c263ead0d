"""The code flow against a certified provider."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from structlog.testing import capture_logs

from backend.audit.aggregation import refusals
from backend.audit.models import AuditRecord
from backend.audit.services import OPENING
from backend.identity.accounts.identities.models import Identity, ProviderSession
from backend.identity.accounts.models import User
from backend.identity.single_sign_on.oidc import sealed_tokens
from deploy.services.net import free_port
from tests.backend.single_sign_on.signing_in import FINISH, begin, sign_in
from tests.support.console import API, PASSWORD, make_user
from tests.support.page import SESSION, Page
from tests.support.providers.oidc import Provider

pytestmark = pytest.mark.django_db


def last(action: str) -> AuditRecord:
    return AuditRecord.objects.filter(action=action).latest("seq")


def test_sign_in__of_a_group_with_a_role__session_with_that_role(oidc: Provider) -> None:
    page, answer = sign_in(oidc, "s-anna")
    assert answer.status_code == 200, answer.content
    me = page.client.get(SESSION).json()
    assert (me["username"], me["role"], me["provider"]["groups"]) == ("anna", "operator", ["dba", "staff"])
    assert Identity.objects.get().subject == "s-anna"
    record = last("session:user:sign_in")
    assert record.facts == {"method": "oidc", "amr": ["pwd", "otp"], "second_factor": ""}
    assert last("provider:user:create").facts["groups"] == ["dba", "staff"]


def test_authorization__has_pkce_state_and_nonce(oidc: Provider) -> None:
    page = Page()
    query = parse_qs(urlsplit(begin(page)).query)
    assert query["code_challenge_method"] == ["S256"]
    assert query["response_type"] == ["code"]
    assert len(query["state"][0]) > 30 < len(query["nonce"][0])
    cookie = page.client.cookies["hawser_oidc"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")


def test_sign_in__highest_of_several_roles(oidc: Provider) -> None:
    assert sign_in(oidc, "s-lead")[1].json()["role"] == "approver"


def test_sign_in__without_a_group_of_the_mapping__refused_and_recorded(oidc: Provider) -> None:
    page, answer = sign_in(oidc, "s-guest")
    assert (answer.status_code, answer.json().get("code")) == (403, "no_role_by_group")
    assert page.client.get(SESSION).status_code == 401
    assert not User.objects.exists()
    assert last("session:user:provider_refused").facts["code"] == "no_role_by_group"


def test_sign_in__name_of_a_local_user__never_taken_over(oidc: Provider) -> None:
    local = make_user("Anna", "admin", PASSWORD)
    _, answer = sign_in(oidc, "s-anna")
    assert (answer.status_code, answer.json().get("code")) == (409, "provider_name_taken")
    assert not Identity.objects.filter(user=local).exists()


def test_sign_in__again_with_another_name__still_the_same_user(oidc: Provider) -> None:
    sign_in(oidc, "s-anna")
    oidc.control("set", sub="s-anna", claims={"preferred_username": "anna.new"})
    assert sign_in(oidc, "s-anna")[1].json()["username"] == "anna"
    assert User.objects.count() == 1
    assert {"anna", "anna.new"} <= set(Identity.objects.get().aliases)


def test_sign_in__another_subject_with_the_same_name__refused(oidc: Provider) -> None:
    sign_in(oidc, "s-anna")
    oidc.control("set", sub="s-guest", claims={"preferred_username": "anna", "groups": ["dba"]})
    assert sign_in(oidc, "s-guest")[1].json().get("code") == "provider_name_taken"


def test_sign_in__groups_changed__role_changes_and_other_sessions_end(oidc: Provider) -> None:
    first, _ = sign_in(oidc, "s-lead")
    oidc.control("set", sub="s-lead", claims={"groups": ["dba"]})
    assert sign_in(oidc, "s-lead")[1].json()["role"] == "operator"
    assert first.client.get(SESSION).status_code == 401
    assert last("provider:user:update").facts["role_before"] == "approver"


def test_sign_in__last_group_lost__refused_and_open_sessions_end(oidc: Provider) -> None:
    page, _ = sign_in(oidc, "s-anna")
    oidc.control("set", sub="s-anna", claims={"groups": ["staff"]})
    assert sign_in(oidc, "s-anna")[1].status_code == 403
    assert page.client.get(SESSION).status_code == 401
    assert last("provider:user:access_ended").target == "anna"


def test_sign_in__disabled_in_hawser__refused(oidc: Provider) -> None:
    sign_in(oidc, "s-anna")
    User.objects.update(is_active=False)
    assert sign_in(oidc, "s-anna")[1].json().get("code") == "user_disabled"


@pytest.mark.parametrize("name", ["", "a b", "x" * 64, "anna\u202e"])
def test_sign_in__name_that_no_user_can_have__refused(oidc: Provider, name: str) -> None:
    oidc.control("set", sub="s-anna", claims={"preferred_username": name})
    assert sign_in(oidc, "s-anna")[1].json().get("code") == "provider_name_refused"


def test_sign_in__name_under_which_hawser_acts__refused(oidc: Provider) -> None:
    oidc.control("set", sub="s-anna", claims={"preferred_username": "automation"})
    assert sign_in(oidc, "s-anna")[1].status_code == 400
    assert not User.objects.exists()


def finish(page: Page, **given: str) -> Any:
    answer = page.send("POST", FINISH, given)
    assert page.client.get(SESSION).status_code == 401
    return answer.json().get("code")


def test_callback__state_of_another_sign_in__refused(oidc: Provider) -> None:
    page = Page()
    given = oidc.browser().sign_in(begin(page), "s-anna")
    assert finish(page, **given | {"state": "x" * 43}) == "provider_refused"
    begin(page)
    assert finish(page, **given) == "provider_refused"


def test_callback__in_a_browser_that_did_not_begin__refused(oidc: Provider) -> None:
    page = Page()
    given = oidc.browser().sign_in(begin(page), "s-anna")
    assert finish(Page(), **given) == "provider_refused"


def test_callback__by_a_stranger_at_any_rate__one_record_with_the_count(oidc: Provider) -> None:
    page = Page()
    assert [finish(page, state="x" * 43, code="c") for _ in range(20)] == ["provider_refused"] * 20
    refusals.flush()
    record = last("session:user:provider_failed")
    assert (record.actor, record.target, record.facts["count"]) == ("anonymous", oidc.issuer, 20)
    assert "did not begin" in record.facts["why"]
    assert AuditRecord.objects.exclude(action=OPENING).count() == 1


def test_callback__code_used_twice__refused(oidc: Provider) -> None:
    page = Page()
    given = oidc.browser().sign_in(begin(page), "s-anna")
    cookie = page.client.cookies["hawser_oidc"].value
    assert page.send("POST", FINISH, given).status_code == 200
    other = Page()
    other.client.cookies["hawser_oidc"] = cookie
    assert finish(other, **given) == "provider_refused"


def test_callback__of_another_issuer__refused(oidc: Provider) -> None:
    page = Page()
    given = oidc.browser().sign_in(begin(page), "s-anna")
    assert given["iss"] == oidc.issuer
    assert finish(page, **given | {"iss": "http://other.invalid"}) == "provider_refused"
    assert finish(page, state=given["state"], code=given["code"]) == "provider_refused"


def test_callback__error_of_the_provider__refused_with_it(oidc: Provider) -> None:
    page = Page()
    given = oidc.browser().sign_in(begin(page), "s-unknown")
    assert given["error"] == "access_denied"
    given.pop("error_description")
    assert finish(page, **given) == "provider_refused"


def test_callback__nonce_of_another_sign_in__refused(oidc: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    from backend.identity.single_sign_on.oidc import flow

    page = Page()
    given = oidc.browser().sign_in(begin(page), "s-anna")
    held = flow._held
    monkeypatch.setattr(flow, "_held", lambda *sent: {**held(*sent), "nonce": "another"})
    assert finish(page, **given) == "provider_refused"


def test_keys__rotated__fetched_again(oidc: Provider) -> None:
    sign_in(oidc, "s-anna")
    oidc.control("rotate")
    assert sign_in(oidc, "s-anna")[1].status_code == 200


def test_provider__down__said_and_local_users_sign_in(oidc: Provider, settings: Any) -> None:
    settings.HAWSER_OIDC_ISSUER = f"http://127.0.0.1:{free_port()}"
    make_user("nora", "admin", PASSWORD)
    page = Page()
    methods = page.client.get(f"{API}/sign-in/methods").json()
    assert (methods["oidc"]["is_available"], methods["oidc"]["problem"] != "") == (False, True)
    answer = page.send("POST", f"{API}/sign-in/oidc")
    assert (answer.status_code, answer.json().get("code")) == (503, "provider_unavailable")
    assert page.sign_in("nora").status_code == 200


def test_provider__not_configured__offers_nothing(db: None) -> None:
    page = Page()
    assert page.client.get(f"{API}/sign-in/methods").json() == {"local": "always", "oidc": None, "directory": None}
    assert page.send("POST", f"{API}/sign-in/oidc").status_code == 404


def test_log__of_the_page_with_the_code__has_no_query(db: None) -> None:
    with capture_logs() as lines:
        Page().client.get("/sign-in/callback?code=of-a-user&state=s")
    shown = [line for line in lines if line["log_level"] != "debug"]
    assert "GET /sign-in/callback" in str(shown)
    assert "of-a-user" not in str(shown)


def test_tokens_of_the_provider__stored_sealed(oidc: Provider) -> None:
    sign_in(oidc, "s-anna")
    session = ProviderSession.objects.get()
    tokens = sealed_tokens.open_tokens(session)
    assert tokens["id_token"].count(".") == 2
    assert tokens["refresh_token"]
    assert [token for token in tokens.values() if token in session.sealed_tokens] == []


def test_user_of_the_provider__role_and_password__not_changed_here(oidc: Provider) -> None:
    sign_in(oidc, "s-anna")
    make_user("root", "admin", PASSWORD)
    admin = Page()
    admin.sign_in("root")
    for change in ({"role": "admin"}, {"password": PASSWORD}):
        answer = admin.send("PATCH", f"{API}/users/anna", change)
        assert (answer.status_code, answer.json().get("code")) == (409, "managed_by_provider")
        assert answer.json()["errors"][0]["field"] == next(iter(change))
    assert admin.send("PATCH", f"{API}/users/anna", {"is_active": False}).status_code == 200

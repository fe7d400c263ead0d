"""Tokens and users over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ApiToken, SignIn, User
from backend.identity.accounts.sign_ins import IDLE_HEADER
from backend.identity.accounts.tokens import digest_of
from backend.operations.runs.models import Plan
from tests.support.console import PASSWORD, Caller, SignedIn, confirmation, make_token_for, make_user


@pytest.fixture
def page(signed_in: Callable[[str], SignedIn]) -> SignedIn:
    return signed_in("operator")


def test_token__made__shown_once_and_stored_as_hash(page: SignedIn) -> None:
    answer = page.post("/tokens", {"label": "ci"})
    assert answer.status == 201
    secret = answer.body["token"]
    assert len(secret) > 40
    stored = ApiToken.objects.get(pk=answer.body["id"])
    assert stored.digest == digest_of(secret)
    assert secret not in str(stored.__dict__)
    listed = page.get("/tokens").body["results"]
    assert all("token" not in token for token in listed)
    assert Caller(secret).get("/session").body["username"] == "operator-1"


def test_token__label_too_long_or_role_too_high__400(page: SignedIn) -> None:
    assert page.post("/tokens", {"label": "x" * 64}).status == 400
    answer = page.post("/tokens", {"label": "up", "role": "admin"})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "role")


def test_token__lesser_role__limits_its_owner(signed_in: Callable[[str], SignedIn]) -> None:
    small = Caller(signed_in("admin").post("/tokens", {"label": "ro", "role": "viewer"}).body["token"])
    assert small.get("/session").body["role"] == "viewer"
    assert small.get("/users").status == 403


def test_token__asks_for_a_token__403(operator: Caller) -> None:
    answer = operator.post("/tokens", {"label": "child"})
    assert (answer.status, answer.body.get("code")) == (403, "token_makes_no_token")
    assert ApiToken.objects.count() == 1


def test_token__without_a_lifetime__ends_all_the_same(page: SignedIn, settings: Any) -> None:
    settings.HAWSER_TOKEN_DAYS, settings.HAWSER_TOKEN_MAX_DAYS = 90, 100
    made = page.post("/tokens", {"label": "ci", "expires_days": None}).body
    days = (ApiToken.objects.get(pk=made["id"]).expires_at - timezone.now()).total_seconds() / 86_400
    assert 89.9 < days < 90.1
    longer = page.post("/tokens", {"label": "ci", "expires_days": 101})
    assert longer.status == 400
    assert longer.body["errors"][0]["field"] == "expires_days"


def test_token__more_than_can_be_kept_in_view__409(page: SignedIn) -> None:
    owner = User.objects.get(username="operator-1")
    for number in range(token_services.MAX_LIVE - owner.tokens.count()):
        assert page.post("/tokens", {"label": f"t{number}"}).status == 201
    assert page.post("/tokens", {"label": "one more"}).body.get("code") == "too_many_tokens"


@pytest.mark.parametrize("change", [{"role": "viewer"}, {"is_active": False}, {"password": "a much better one 4711"}])
def test_user__changed__tokens_and_sessions_end(admin: Caller, change: dict[str, Any]) -> None:
    admin.post("/users", {"username": "eve", "role": "operator"})
    owner = User.objects.get(username="eve")
    token, page = Caller(make_token_for("eve")), SignedIn(owner)
    assert (token.get("/links").status, page.get("/links").status) == (200, 200)
    assert admin.call("PATCH", "/users/eve", change).status == 200
    assert (token.get("/links").status, page.get("/links").status) == (401, 401)
    assert admin.call("PATCH", "/users/eve", {"is_active": True, "role": "operator"}).status == 200
    assert (token.get("/links").status, page.get("/links").status) == (401, 401)


def test_token__expired_or_revoked__401(page: SignedIn) -> None:
    made = page.post("/tokens", {"label": "old", "expires_days": 1}).body
    ApiToken.objects.filter(pk=made["id"]).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Caller(made["token"]).get("/links").status == 401
    other = page.post("/tokens", {"label": "gone"}).body
    assert page.call("DELETE", f"/tokens/{other['id']}").status == 204
    assert Caller(other["token"]).get("/links").status == 401
    assert page.call("DELETE", f"/tokens/{other['id']}").status == 404


def test_token__of_somebody_else__404_but_for_administrators_by_name(
    page: SignedIn, admin: Caller, viewer: Caller
) -> None:
    token_id = page.post("/tokens", {"label": "mine"}).body["id"]
    assert admin.call("DELETE", f"/tokens/{token_id}").status == 404
    assert viewer.get("/users/operator-1/tokens").status == 403
    assert token_id in {token["id"] for token in admin.get("/users/operator-1/tokens").body["results"]}
    assert admin.call("DELETE", f"/users/operator-1/tokens/{token_id}").status == 204
    assert token_id not in {token["id"] for token in admin.get("/users/operator-1/tokens").body["results"]}


def test_token__revoked_as_compromised__the_run_that_it_requested_ends(
    page: SignedIn, admin: Caller, plan: Plan
) -> None:
    made = page.post("/tokens", {"label": "mine"}).body
    run = Caller(made["token"]).post(f"/plans/{plan.id}/runs", confirmation(plan)).body
    assert run["state"] == "queued"
    ended = admin.call("DELETE", f"/users/operator-1/tokens/{made['id']}?is_compromised=true")
    assert ended.status == 200
    assert run["id"] in ended.body["found"][0]
    ended = admin.get(f"/runs/{run['id']}").body
    assert (ended["state"], ended["started_at"]) == ("aborted", None)
    assert AuditRecord.objects.get(action="api:token:revoke").facts["is_compromised"] is True


def test_session__of_somebody_else__seen_and_ended_by_administrators(page: SignedIn, admin: Caller) -> None:
    listed = admin.get("/users/operator-1/sessions").body["results"]
    assert [(row["id"], row["is_current"]) for row in listed] == [(page.sign_in.id, False)]
    assert [row["is_current"] for row in page.get("/sessions").body["results"]] == [True]
    assert admin.call("DELETE", f"/users/operator-1/sessions/{page.sign_in.id}").status == 204
    assert page.get("/links").status == 401
    assert admin.call("DELETE", f"/users/operator-1/sessions/{page.sign_in.id}").status == 404


def test_session__left_alone__ends_where_the_page_alone_asked(page: SignedIn, settings: Any) -> None:
    settings.HAWSER_SESSION_IDLE_S = 600
    begun = timezone.now() - timedelta(seconds=590)
    SignIn.objects.update(last_active_at=begun)
    assert page.get("/links", **{IDLE_HEADER: "1"}).status == 200
    assert SignIn.objects.get().last_active_at == begun
    assert page.get("/links").status == 200
    assert SignIn.objects.get().last_active_at > begun
    SignIn.objects.update(last_active_at=timezone.now() - timedelta(seconds=601))
    assert page.get("/links").status == 401


def test_password__own__changed_with_the_present_one_and_ends_all_else(db: None) -> None:
    user = make_user("nora", "operator", PASSWORD)
    page, other, token = SignedIn(user), SignedIn(user), Caller(make_token_for("nora"))
    fresh = "a much better one 4711"
    wrong = page.post("/session/password", {"current_password": "guess", "new_password": fresh})
    assert (wrong.status, wrong.body["errors"][0]["field"]) == (403, "current_password")
    assert AuditRecord.objects.filter(action="api:user:password_refused", actor="nora").exists()
    weak = page.post("/session/password", {"current_password": PASSWORD, "new_password": "password1234"})
    assert (weak.status, weak.body["errors"][0]["field"]) == (400, "new_password")
    given = {"current_password": PASSWORD, "new_password": fresh}
    assert token.post("/session/password", given).body["code"] == "session_needed"
    assert page.post("/session/password", given).status == 204
    assert [caller.get("/links").status for caller in (page, other, token)] == [200, 401, 401]
    assert User.objects.get().check_password(fresh)


def test_password__guessed_at_in_a_stolen_session__slowed_like_a_sign_in(db: None, settings: Any) -> None:
    settings.HAWSER_LOGIN_LIMIT = 2
    page = SignedIn(make_user("nora", "operator", PASSWORD))
    given = {"current_password": "guess", "new_password": "a much better one 4711"}
    assert [page.post("/session/password", given).status for _ in range(3)] == [403, 403, 429]


def test_password__guessable__refused_by_name(admin: Caller) -> None:
    answer = admin.post("/users", {"username": "wp2", "role": "viewer", "password": "wp2wp2wp2wp2"})
    assert (answer.status, answer.body.get("code")) == (400, "validation_failed")


def test_user__demoted__tokens_end(admin: Caller) -> None:
    admin.post("/users", {"username": "eve", "role": "operator"})
    token = Caller(make_token_for("eve"))
    admin.call("PATCH", "/users/eve", {"role": "viewer"})
    assert token.get("/links").status == 401


@pytest.mark.parametrize(
    "password", ["aaaaaaaaaaaa", "password1234", "123456789012", "wp2wp2wp2wp2", "qwertyuiop12", "abcdefghijkl"]
)
def test_user__password_that_everybody_tries_first__400(admin: Caller, settings: Any, password: str) -> None:
    answer = admin.post("/users", {"username": "wp2", "role": "viewer", "password": password})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "password")


def test_token__in_query_or_cookie__is_not_taken(operator: Caller) -> None:
    stranger = Caller()
    assert stranger.get(f"/links?token={operator.token}").status == 401
    stranger.client.cookies["Authorization"] = f"Bearer {operator.token}"
    assert stranger.get("/links").status == 401


def test_token__used__remembers_when(operator: Caller) -> None:
    operator.get("/links")
    assert operator.get("/tokens").body["results"][0]["last_used_at"] is not None


def test_token__events__are_recorded_without_the_secret(page: SignedIn) -> None:
    made = page.post("/tokens", {"label": "ci"}).body
    page.call("DELETE", f"/tokens/{made['id']}")
    records = AuditRecord.objects.filter(target=made["id"]).order_by("seq")
    assert [r.action for r in records] == ["api:token:create", "api:token:revoke"]
    assert made["token"] not in str([r.facts for r in records])


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 64, "ä", "-a", "a\nb"])
def test_user__bad_name__400(admin: Caller, name: str) -> None:
    assert admin.post("/users", {"username": name, "role": "viewer"}).status == 400


def test_user__same_name_twice__409(admin: Caller) -> None:
    assert admin.post("/users", {"username": "eve", "role": "viewer"}).status == 201
    second = admin.post("/users", {"username": "eve", "role": "viewer"})
    assert (second.status, second.body["code"]) == (409, "user_exists")


@pytest.mark.parametrize("name", ["EVE-lina", "eve-1ina", "eve_lina", "Eve.Lina"])
def test_user__name_that_looks_like_another__409_names_it(admin: Caller, name: str) -> None:
    assert admin.post("/users", {"username": "eve-lina", "role": "viewer"}).status == 201
    answer = admin.post("/users", {"username": name, "role": "approver"})
    assert (answer.status, answer.body["code"]) == (409, "user_exists")
    assert "eve-lina" in answer.body["detail"]


@pytest.mark.parametrize("name", ["Automation", "SCHEDULE"])
def test_user__name_the_console_acts_under__400(admin: Caller, name: str) -> None:
    assert admin.post("/users", {"username": name, "role": "viewer"}).status == 400


def test_user__last_administrator__cannot_be_demoted_or_disabled(admin: Caller) -> None:
    for change in ({"role": "viewer"}, {"is_active": False}):
        answer = admin.call("PATCH", "/users/admin-1", change)
        assert (answer.status, answer.body["code"]) == (409, "last_administrator")
    assert User.objects.get(username="admin-1").role == "admin"


def test_user__short_password__400_names_the_field(admin: Caller) -> None:
    answer = admin.post("/users", {"username": "eve", "role": "viewer", "password": "abc"})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "password")


def test_user__unknown__404(admin: Caller) -> None:
    assert admin.call("PATCH", "/users/unknown", {"role": "viewer"}).status == 404


def test_users__more_of_them__read_by_as_many_queries(admin: Caller, viewer: Caller) -> None:
    admin.get("/users")  # the first call of a token writes when it was used
    with CaptureQueriesContext(connection) as few:
        admin.get("/users")
    for number in range(5):
        make_user(f"user-{number}", "viewer")
    with CaptureQueriesContext(connection) as many:
        assert len(admin.get("/users").body["results"]) == 7
    assert len(many) == len(few)

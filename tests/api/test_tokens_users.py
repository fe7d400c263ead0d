"""Tokens and users over HTTP."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from backend.accounts.models import ApiToken, User
from backend.accounts.tokens import digest_of
from backend.audit.models import AuditRecord
from tests.support.console import Caller


def test_token__made__shown_once_and_stored_as_hash(operator: Caller) -> None:
    answer = operator.post("/tokens", {"label": "ci"})
    assert answer.status == 201
    secret = answer.body["token"]
    assert len(secret) > 40
    stored = ApiToken.objects.get(pk=answer.body["id"])
    assert stored.digest == digest_of(secret)
    assert secret not in str(stored.__dict__)
    listed = operator.get("/tokens").body["results"]
    assert all("token" not in token for token in listed)
    assert Caller(secret).get("/session").body["username"] == "operator-1"


def test_token__label_too_long_or_role_too_high__400(operator: Caller) -> None:
    assert operator.post("/tokens", {"label": "x" * 64}).status == 400
    answer = operator.post("/tokens", {"label": "up", "role": "admin"})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "role")


def test_token__lesser_role__limits_its_owner_and_its_children(admin: Caller) -> None:
    small = Caller(admin.post("/tokens", {"label": "ro", "role": "viewer"}).body["token"])
    assert small.get("/session").body["role"] == "viewer"
    assert small.get("/users").status == 403
    assert small.post("/tokens", {"label": "up", "role": "operator"}).status == 400
    assert small.post("/tokens", {"label": "same"}).body["role"] == "viewer"


def test_token__owner_demoted__token_follows(admin: Caller) -> None:
    admin.post("/users", {"username": "eve", "role": "operator"})
    made = make_token_for("eve")
    assert Caller(made).get("/session").body["role"] == "operator"
    assert admin.call("PATCH", "/users/eve", {"role": "viewer"}).status == 200
    assert Caller(made).get("/session").body["role"] == "viewer"
    assert admin.call("PATCH", "/users/eve", {"is_active": False}).status == 200
    assert Caller(made).get("/session").status == 401


def make_token_for(name: str) -> str:
    from backend.accounts import services

    owner = User.objects.get(username=name)
    return services.token_create(owner=owner, label="t", role=None, expires_days=1, actor="test")[1]


def test_token__expired_or_revoked__401(operator: Caller) -> None:
    made = operator.post("/tokens", {"label": "old", "expires_days": 1}).body
    ApiToken.objects.filter(pk=made["id"]).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Caller(made["token"]).get("/links").status == 401
    other = operator.post("/tokens", {"label": "gone"}).body
    assert operator.call("DELETE", f"/tokens/{other['id']}").status == 204
    assert Caller(other["token"]).get("/links").status == 401
    assert operator.call("DELETE", f"/tokens/{other['id']}").status == 404


def test_token__of_somebody_else__404(operator: Caller, admin: Caller) -> None:
    token_id = operator.post("/tokens", {"label": "mine"}).body["id"]
    assert admin.call("DELETE", f"/tokens/{token_id}").status == 404


def test_token__in_query_or_cookie__is_not_taken(operator: Caller) -> None:
    stranger = Caller()
    assert stranger.get(f"/links?token={operator.token}").status == 401
    stranger.client.cookies["Authorization"] = f"Bearer {operator.token}"
    assert stranger.get("/links").status == 401


def test_token__used__remembers_when(operator: Caller) -> None:
    operator.get("/links")
    assert operator.get("/tokens").body["results"][0]["last_used_at"] is not None


def test_token__events__are_recorded_without_the_secret(operator: Caller) -> None:
    made = operator.post("/tokens", {"label": "ci"}).body
    operator.call("DELETE", f"/tokens/{made['id']}")
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


def test_user__last_administrator__cannot_be_demoted_or_disabled(admin: Caller) -> None:
    for change in ({"role": "viewer"}, {"is_active": False}):
        answer = admin.call("PATCH", "/users/admin-1", change)
        assert (answer.status, answer.body["code"]) == (409, "last_administrator")
    assert User.objects.get(username="admin-1").role == "admin"


def test_user__short_password__400_names_the_field(admin: Caller) -> None:
    answer = admin.post("/users", {"username": "eve", "role": "viewer", "password": "abc"})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "password")


def test_user__unknown__404(admin: Caller) -> None:
    assert admin.call("PATCH", "/users/nobody", {"role": "viewer"}).status == 404

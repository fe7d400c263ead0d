"""Refusals are in the audit record, many of a kind as one, and a stranger never names an actor."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from backend.audit import aggregation
from backend.audit.aggregation import Aggregator, refusals
from backend.audit.models import AuditRecord
from backend.identity.accounts.models import ApiToken
from tests.support.console import API, PASSWORD, Caller, make_user
from tests.support.page import SESSION, Page
from tests.support.waiting import wait_for


def refused() -> list[AuditRecord]:
    refusals.flush()
    return list(AuditRecord.objects.filter(action="api:access:refused").order_by("seq"))


def test_sign_in__reserved_name__the_actor_is_anonymous(db: None) -> None:
    Page().sign_in("automation", "wrong")
    record = AuditRecord.objects.get(action="session:user:sign_in_failed")
    assert (record.actor, record.target) == ("anonymous", "automation")
    assert not AuditRecord.objects.filter(actor="automation").exists()


def test_user_create__anonymous__refused(admin: Caller) -> None:
    answer = admin.post("/users", {"username": "anonymous", "role": "viewer"})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "username")


def test_sign_in__throttled_many_times__one_record_with_the_count(db: None, settings: Any) -> None:
    settings.HAWSER_LOGIN_LIMIT = 1
    page = Page("203.0.113.5")
    statuses = [page.sign_in("nora", "wrong").status_code for _ in range(41)]
    assert statuses == [401] + [429] * 40
    refusals.flush()
    record = AuditRecord.objects.get(action="session:user:throttled")
    assert (record.actor, record.target, record.source_ip) == ("anonymous", "nora", "203.0.113.5")
    assert record.facts["count"] == 40
    assert record.facts["first_at"] < record.facts["last_at"]


def test_api__403__recorded_under_the_user_with_route_and_code(viewer: Caller) -> None:
    for _ in range(3):
        viewer.post("/users", {"username": "x", "role": "admin"})
    viewer.get("/lab")
    (record,) = refused()
    assert (record.actor, record.facts["status"], record.facts["code"]) == ("viewer-1", 403, "forbidden")
    assert record.facts["count"] == 4
    assert record.facts["calls"] == ["GET /api/v1/lab", "POST /api/v1/users"]


def test_api__401_without_credentials__no_record(db: None) -> None:
    Page()
    Client().get(f"{API}/links")
    assert refused() == []


def test_api__revoked_token__recorded_with_its_id(viewer: Caller) -> None:
    token = ApiToken.objects.get()
    viewer.call("DELETE", f"/tokens/{token.id}")
    viewer.get("/links")
    Caller("hawser_never-was-one").get("/links")
    records = refused()
    assert len(records) == 2
    known, unknown = records
    assert (known.actor, known.target) == ("anonymous", token.id)
    assert (known.facts["token_id"], known.facts["token_owner"]) == (token.id, "viewer-1")
    assert (unknown.target, unknown.facts["code"]) == ("", "authentication_failed")


def test_api__csrf_missing__recorded_under_the_user_or_anonymous(db: None) -> None:
    make_user("nora", "operator", PASSWORD)
    page = Page()
    page.send("POST", SESSION, {"username": "nora", "password": "x"}, csrf="")
    page.sign_in("nora")
    page.send("POST", f"{API}/tokens", {"label": "t"}, csrf="")
    assert [(record.actor, record.facts["code"]) for record in refused()] == [
        ("anonymous", "csrf_failed"),
        ("nora", "csrf_failed"),
    ]


def test_aggregator__more_kinds_than_it_keeps__counted_by_actor(db: None) -> None:
    aggregator = Aggregator()
    for n in range(1000):
        aggregator.add(action="a:b:c", actor="anonymous", target=f"name{n}")
    aggregator.flush()
    counts = [record.facts["count"] for record in AuditRecord.objects.filter(action="a:b:c").order_by("seq")]
    assert len(counts) == aggregation.MAX_KEYS + 1
    assert sum(counts) == 1000


def test_aggregator__database_away__keeps_the_count(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    aggregator = Aggregator()
    aggregator.add(action="a:b:c", actor="anonymous")
    with monkeypatch.context() as patched:
        patched.setattr(aggregation, "_write", _fails)
        aggregator.flush()
    aggregator.add(action="a:b:c", actor="anonymous")
    aggregator.flush()
    assert [record.facts["count"] for record in AuditRecord.objects.filter(action="a:b:c")] == [2]


def test_aggregator__window_over__written_by_itself(emptied: None, settings: Any) -> None:
    settings.HAWSER_AUDIT_FOLD_S = 0.05
    Aggregator().add(action="a:b:c", actor="anonymous")
    wait_for(AuditRecord.objects.filter(action="a:b:c").exists, "the record", 10, 0.05)


def _fails(*_: Any) -> None:
    raise OperationalError

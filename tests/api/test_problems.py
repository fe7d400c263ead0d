"""Every error is RFC 9457 problem details and says what to do."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support.console import API, Answer, Caller, cluster_body

MEMBERS = {"type", "title", "status", "detail", "code", "errors", "request_id"}


def _is_problem(answer: Answer, status: int, code: str) -> None:
    assert answer.status == status, answer.body
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert set(answer.body) >= MEMBERS
    assert (answer.body["status"], answer.body["code"]) == (status, code)
    assert answer.body["detail"]
    assert answer.body["request_id"] == answer.headers["X-Request-ID"]


def test_problem__unknown_address__404(viewer: Caller) -> None:
    _is_problem(viewer.get("/no/such/thing"), 404, "not_found")
    _is_problem(viewer.get("/links/l_aaaaaaaaaaaa"), 404, "not_found")
    _is_problem(viewer.get("/links/l_aaaaaaaaaaaa/"), 404, "not_found")


def test_problem__unknown_method__405(viewer: Caller) -> None:
    answer = viewer.call("DELETE", "/audit")
    _is_problem(answer, 405, "method_not_allowed")


def test_problem__bad_token__401_with_challenge(db: None) -> None:
    answer = Caller("hawser_wrong").get("/links")
    _is_problem(answer, 401, "authentication_failed")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("{", "malformed_json"),
        ("[]", "malformed_json"),
        ("null", "malformed_json"),
        ('{"a": NaN}', "malformed_json"),
        (b"\xff\xfe", "malformed_json"),
        ('{"a":' * 40 + "1" + "}" * 40, "malformed_json"),
        ("{" + '"a":[' * 20_000, "malformed_json"),
    ],
)
def test_problem__broken_body__400(admin: Caller, body: str | bytes, code: str) -> None:
    _is_problem(admin.call("POST", "/links", body), 400, code)


def test_problem__huge_body__413(admin: Caller) -> None:
    _is_problem(admin.call("POST", "/links", '{"name":"' + "x" * 1_100_000 + '"}'), 413, "body_too_large")


def test_problem__form_body__415(admin: Caller) -> None:
    answer = admin.call("POST", "/links", "name=x", **{"Content-Type": "application/x-www-form-urlencoded"})
    _is_problem(answer, 415, "unsupported_media_type")


def test_problem__unknown_field__400_names_it_and_the_known_ones(admin: Caller) -> None:
    body = cluster_body("milan", "127.0.71.1")
    body["nodes"][0]["is_admin"] = True
    answer = admin.post("/clusters", body)
    _is_problem(answer, 400, "validation_failed")
    assert [error["field"] for error in answer.body["errors"]] == ["nodes.0.is_admin"]
    assert "This call takes" in answer.body["errors"][0]["message"]


def test_problem__missing_fields__400_names_each(admin: Caller) -> None:
    answer = admin.post("/links", {})
    _is_problem(answer, 400, "validation_failed")
    assert {error["field"] for error in answer.body["errors"]} == {"name", "active_cluster", "standby_cluster"}


def test_problem__unknown_or_repeated_query__400(viewer: Caller) -> None:
    _is_problem(viewer.get("/runs?limi=3"), 400, "validation_failed")
    _is_problem(viewer.get("/runs?limit=3&limit=4"), 400, "validation_failed")
    _is_problem(viewer.get("/runs?cursor=nonsense"), 400, "validation_failed")
    _is_problem(viewer.get("/runs?cursor=WyJ4Il0"), 400, "validation_failed")


def test_problem__accept_html__406(viewer: Caller) -> None:
    assert viewer.get("/links", Accept="text/html").status == 406


def test_request_id__well_formed_is_kept_and_ill_formed_replaced(viewer: Caller) -> None:
    assert viewer.get("/links", X_Request_ID="abc-12345678").headers["X-Request-ID"] == "abc-12345678"
    assert viewer.get("/links", X_Request_ID="a b\tc").headers["X-Request-ID"] != "a b\tc"


def test_api__answers__are_not_cached(viewer: Caller) -> None:
    assert viewer.get("/links").headers["Cache-Control"] == "no-store"
    assert Caller().call("GET", f"{API}/healthz").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("method", ["post", "patch", "delete"])
def test_unknown_address__a_tool_writes_to_it__told_so_and_nothing_of_cookies(db: None, method: str) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = getattr(client, method)("/api/v1/no/such/thing", {}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")

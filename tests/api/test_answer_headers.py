"""Headers of every answer, whoever asks and whatever comes of it."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from structlog.testing import capture_logs

from deploy.services.process import ROOT
from tests.support.console import API, Caller, SignedIn

ANSWERS = [
    "/session",
    "/links",
    "/audit",
    "/nothing",
    "/audit/export?format=csv",
    "/audit/export?format=jsonl",
    "/schema",
]


@pytest.mark.parametrize("path", ANSWERS)
def test_api__each_answer__is_a_download_with_a_fixed_name_and_a_charset(viewer: Caller, path: str) -> None:
    headers = viewer.get(path).headers
    kind = headers["Content-Type"]
    assert re.search(r'^(attachment|inline); filename="[\w.-]+"$', headers.get("Content-Disposition", "")), headers
    assert not kind.startswith("text/") or "charset=utf-8" in kind
    if "json" in kind and "jsonl" not in kind:
        assert headers["Content-Disposition"] == 'attachment; filename="api.json"'


def test_headers__every_answer__denies_sensors_of_the_browser(db: None) -> None:
    for path in ("/", "/api/v1/session", "/api/v1/healthz", "/nothing"):
        headers = Client().get(path).headers
        assert "geolocation=()" in headers["Permissions-Policy"]
        assert headers["Referrer-Policy"] == "same-origin"


def test_host__not_of_the_settings__400(db: None, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["hawser.example.net"]
    assert Client(headers={"host": "hawser.example.net"}).get("/api/v1/session").status_code == 401
    assert Client(headers={"host": "evil.example.net"}).get("/api/v1/session").status_code == 400


def test_origin__of_elsewhere__no_header_lets_it_read(viewer: Caller) -> None:
    for origin in ("https://evil.example.net", "null"):
        answers = [viewer.get("/links", Origin=origin), viewer.call("OPTIONS", "/links", Origin=origin)]
        assert not [name for answer in answers for name in answer.headers if name.lower().startswith("access-control")]


def test_origin__of_the_console__opens_nothing_by_itself(db: None) -> None:
    assert Caller().get("/links", Origin="http://testserver").status == 401


def test_request_log__method_that_is_not_there__is_a_line(viewer: Caller) -> None:
    with capture_logs() as lines:
        assert viewer.call("PROPFIND", "/links").status == 405
    (line,) = [line for line in lines if line["event"] == "request_finished"]
    assert (line["method"], line["status"]) == ("PROPFIND", 405)


def test_body__compressed__not_unpacked(admin: Caller) -> None:
    body = gzip.compress(b'{"username":"eve","role":"viewer"}')
    assert admin.call("POST", "/users", body, Content_Encoding="gzip").status == 400


@pytest.mark.parametrize("path", ["/static/", "/static/.git/config", "/static/../manage.py", "/.env", "/.git/HEAD"])
def test_static__dot_files_and_folders__not_served(db: None, settings: Any, tmp_path: Path, path: str) -> None:
    settings.HAWSER_FRONTEND_DIST = tmp_path
    (tmp_path / "index.html").write_text("the page")
    answer = Client().get(path)
    assert answer.status_code == 404 or b"the page" in b"".join(answer)  # type: ignore[arg-type]


def test_session__key__has_32_random_characters(signed_in: Callable[[str], SignedIn]) -> None:
    keys = {signed_in("viewer").client.cookies["hawser_session"].value}
    assert all(re.fullmatch(r"[a-z0-9]{32}", key) for key in keys)


def test_schema__secrets__are_fields_of_bodies_alone() -> None:
    schema = yaml.safe_load((ROOT / "frontend/src/api/generated/openapi.yaml").read_text())
    named = [
        (path, parameter["name"])
        for path, verbs in schema["paths"].items()
        for verb in verbs.values()
        for parameter in verb.get("parameters", [])
        if re.search(r"password|secret|token|key$", parameter["name"], re.IGNORECASE)
    ]
    assert {name for _, name in named} <= {"token_id", "Idempotency-Key"}, named
    assert schema["paths"][f"{API}/session"]

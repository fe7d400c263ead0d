"""Liveness, readiness, metrics, schema, docs and the page."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.db import connection
from django.test import Client

from backend.api import health
from backend.audit import triggers
from backend.audit.services import record
from backend.audit.verification import full_walk
from backend.common import heartbeats
from backend.monitoring import lease
from backend.operations.runs.models import Plan
from tests.support.console import Caller, confirmation

SCHEMA = Path(__file__).resolve().parents[2] / "frontend/src/api/generated/openapi.yaml"


@pytest.mark.parametrize("prefix", ["/", "/api/v1/"])
def test_healthz__anybody__ok(db: None, prefix: str) -> None:
    answer = Client().get(f"{prefix}healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_readyz__parts_missing__degraded_and_named(db: None, settings: Any) -> None:
    settings.HAWSER_REDIS_URL = "redis://127.0.0.1:1/0"
    body = Client().get("/readyz").json()
    assert body["status"] == "degraded"
    assert body["parts"]["database"]["ok"] is True
    assert {name for name, part in body["parts"].items() if not part["ok"]} == {"redis", "workers", "monitor"}
    assert "wait" in body["parts"]["redis"]["detail"]


def test_readyz__redis_silent__one_thread_waits_and_the_others_tell_what_it_was_told_last(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_asked, is_over = threading.Event(), threading.Event()
    assert Client().get("/readyz").json()["parts"]["redis"]["ok"]

    def silent() -> dict[str, Any]:
        is_asked.set()
        assert is_over.wait(60)
        return {"ok": False, "detail": "silent"}

    monkeypatch.setattr(health, "_asked_redis", silent)
    other = threading.Thread(target=health._redis)
    other.start()
    assert is_asked.wait(60)
    told = Client().get("/readyz").json()["parts"]["redis"]
    is_over.set()
    other.join(60)
    assert told["ok"]
    assert Client().get("/readyz").json()["parts"]["redis"]["detail"] == "silent"


def test_readyz__worker_and_monitor_seen__said_so(db: None) -> None:
    heartbeats.record_heartbeat("worker", "w:1")
    lease.acquire("m:1")
    parts = Client().get("/readyz").json()["parts"]
    assert parts["workers"]["ok"]
    assert parts["monitor"] == {"ok": True, "detail": "m:1"}


def test_metrics__closed_unless_public__names_runs_and_links(
    viewer: Caller, operator: Caller, plan: Plan, settings: Any
) -> None:
    operator.post(f"/plans/{plan.id}/runs", confirmation(plan))
    settings.HAWSER_METRICS_PUBLIC = False
    assert Client().get("/metrics").status_code == 401
    text = viewer.get("/metrics").body
    assert 'hawser_runs{state="queued"} 1.0' in text
    settings.HAWSER_METRICS_PUBLIC = True
    assert Client().get("/metrics").status_code == 200


def test_schema__served__is_openapi_3_1_and_the_committed_file(db: None) -> None:
    served = Client().get("/api/v1/schema").content.decode()
    assert served == SCHEMA.read_text(), "run `make schema`"
    assert served.startswith("openapi: 3.1")


def test_schema__paths__have_no_trailing_slash() -> None:
    paths = re.findall(r"^  (/\S*):$", SCHEMA.read_text(), re.MULTILINE)
    assert "/api/v1/links" in paths
    assert [path for path in paths if path.endswith("/")] == []


def test_docs__page__loads_from_this_server_only_and_has_no_inline_code(db: None) -> None:
    client = Client()
    answer = client.get("/api/v1/docs")
    text = answer.content.decode()
    assert "http://" not in text
    assert "https://" not in text
    assert not re.search(r"<script>|<style|onload=", text)
    assert "unsafe-inline" not in answer.headers["Content-Security-Policy"]
    for address in re.findall(r'(?:src|href)="([^"]+)"', text):
        file = client.get(address)
        file.close()
        assert file.status_code == 200, address


def test_page__any_other_address__index_with_a_fresh_nonce(db: None, settings: Any, tmp_path: Path) -> None:
    settings.HAWSER_FRONTEND_DIST = tmp_path
    assert Client().get("/links/x").status_code == 503
    (tmp_path / "index.html").write_text('<script nonce="HAWSER_CSP_NONCE" src="/static/a.js"></script>')
    answers = [Client().get(path) for path in ("/", "/links/l_1?tab=x")]
    nonces = []
    for answer in answers:
        found = re.search(r'nonce="([^"]+)"', answer.content.decode())
        assert found
        nonces.append(found[1])
        assert f"'nonce-{found[1]}'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cache-Control"] == "no-store"
    assert nonces[0] != nonces[1]
    assert Client().post("/links").status_code == 405


def test_service_worker__served_at_the_root__as_a_script_that_is_checked_for_changes(
    settings: Any, tmp_path: Path
) -> None:
    settings.HAWSER_FRONTEND_DIST = tmp_path
    assert Client().get("/service-worker.js").status_code == 503
    (tmp_path / "service-worker.js").write_text("// worker")
    answer = Client().get("/service-worker.js")
    assert answer.content == b"// worker"
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"


def test_headers__every_answer__carries_the_policy(db: None) -> None:
    headers = Client().get("/api/v1/healthz").headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert not configured.DEBUG


def test_lab__not_a_demo__404_for_whoever_may_and_403_for_others(operator: Caller, viewer: Caller) -> None:
    assert operator.get("/lab").status == 404
    assert operator.post("/lab/nodes/db-a1", {"action": "kill"}).status == 404
    assert viewer.get("/lab").status == 403


def test_lab__demo_without_a_lab__409_says_so(operator: Caller, settings: Any, tmp_path: Path) -> None:
    settings.HAWSER_DEMO = True
    settings.HAWSER_LAB_HOME = str(tmp_path / "lab")
    answer = operator.get("/lab")
    assert (answer.status, answer.body["code"]) == (409, "lab_refused")
    assert operator.get("/lab/verify").body["state"] == "idle"


def test_readyz__record_damaged__degraded_until_a_walk_finds_it_whole(emptied: None) -> None:
    record(actor="zoe", action="test:thing:do")
    assert Client().get("/readyz").json()["parts"]["audit"] == {"ok": True, "detail": "not yet verified"}
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE audit_auditrecord SET actor='mallory' WHERE seq=2")
    assert "restore-triggers" in Client().get("/readyz").json()["parts"]["audit"]["detail"]
    triggers.install(connection)
    full_walk.advance()
    body = Client().get("/readyz").json()
    assert (body["status"], body["parts"]["audit"]["ok"]) == ("degraded", False)
    assert body["parts"]["audit"]["detail"] == "the audit log is damaged: rewritten"

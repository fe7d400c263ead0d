"""Metrics: what the console stores and counts, as Prometheus's own parser reads it."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backend.adviser.advice.models import StoredConfiguration
from backend.api.metrics import certificates
from backend.audit.models import AuditRecord
from backend.audit.services import record
from backend.clusters.models import Node
from backend.core.adviser.advice.facts import NodeConfiguration
from backend.core.adviser.advice.serialization import configuration_to_json
from backend.notifications.hooks.models import Delivery, Hook
from backend.operations.runs.execution.claim import RunClaim
from backend.operations.runs.models import Plan, Run
from deploy.services.net import free_port
from deploy.services.process import ROOT
from tests.api.fleet import registered, rehearsed
from tests.api.scraped_metrics import families, value
from tests.deploy.proxy import certificate
from tests.support.console import Caller, confirmation
from tests.support.proof_periods import store_periods

PAGE = ROOT / "docs/how-to/monitor-and-alert.md"


def test_metrics__that_are_served__are_on_the_page(db: None) -> None:
    Client().get("/healthz")
    named = re.findall(r"^\| `(hawser_\w+)` \|", PAGE.read_text(), re.MULTILINE)
    served = [f"{one.name}_total" if one.type == "counter" else one.name for one in families()]
    assert sorted(named) == sorted(served)


def test_rehearsals__passed_and_failed__age_of_the_last_that_passed(db: None) -> None:
    link = registered(1)
    rehearsed(link, at=timezone.now() - timedelta(days=3))
    rehearsed(link, at=timezone.now() - timedelta(days=2))
    rehearsed(link, at=timezone.now(), state="failed")
    age = value("hawser_rehearsal_passed_age_seconds", link=link.name, kind="failover")
    assert age is not None
    assert 2 * 86400 <= age < 3 * 86400
    assert value("hawser_rehearsal_passed_age_seconds", link=link.name, kind="relocate") is None


def test_proof__of_the_last_day__seconds_proven_and_not_by_direction(db: None) -> None:
    link = registered(1)
    store_periods(link, link.standby_cluster, timezone.now(), ("", 90_000.0), ("log_unread", 60.0), ("", 600.0))
    for name, seconds in (("hawser_link_proven_seconds", 86_340), ("hawser_link_not_proven_seconds", 60)):
        assert value(name, link=link.name, direction="forward") == pytest.approx(seconds, abs=1)
        assert value(name, link=link.name, direction="reverse") is None


def test_run__waits_and_loses_a_worker__age_and_takeover(operator: Caller, plan: Plan) -> None:
    assert value("hawser_run_queued_oldest_seconds") == 0
    operator.post(f"/plans/{plan.id}/runs", confirmation(plan))
    run = Run.objects.get()
    Run.objects.update(created_at=timezone.now() - timedelta(seconds=90))
    age = value("hawser_run_queued_oldest_seconds")
    assert age is not None
    assert 90 <= age < 120
    assert RunClaim(run.id, "worker-1").claim(-1.0) is not None
    assert value("hawser_run_takeovers_total") == 0
    assert RunClaim(run.id, "worker-2").claim(-1.0) is not None
    assert value("hawser_run_takeovers_total") == 1


def test_access__failed_sign_in_and_break_glass__counted_from_the_audit_log(db: None) -> None:
    before = value("hawser_sign_in_failures_total")
    Client().post("/api/v1/session", {"username": "unknown", "password": "wrong"}, content_type="application/json")
    after = value("hawser_sign_in_failures_total")
    assert before is not None
    assert after == before + 1
    record(actor="break-glass anna", action="shell:run:start")
    record(actor="anna", action="api:run:start")
    assert value("hawser_break_glass_records_total") == 1


def test_audit__receiver_that_has_nothing_yet__records_wait(db: None, settings: Any, tmp_path: Path) -> None:
    settings.HAWSER_AUDIT_JSONL_FILE = str(tmp_path / "audit.jsonl")
    record(actor="anna", action="test:thing:write")
    assert value("hawser_audit_waiting_records", receiver="file") == AuditRecord.objects.count()


def test_webhooks__one_due_one_delivered__pending_and_its_age(plan: Plan) -> None:
    hook = Hook.objects.create(link=plan.link, name="chat", sealed_url="", sealed="", phase="event")
    since = timezone.now() - timedelta(minutes=10)
    common: dict[str, Any] = {"hook": hook, "phase": "event", "kind": "link.state", "payload": {}, "created_at": since}
    Delivery.objects.create(key="1", state="pending", due_at=timezone.now(), **common)
    Delivery.objects.create(key="2", state="delivered", **common)
    Delivery.objects.create(key="3", state="failed", **common)
    age = value("hawser_webhook_pending_oldest_seconds")
    assert value("hawser_webhook_pending") == 1
    assert value("hawser_webhook_failed") == 1
    assert age is not None
    assert 600 <= age < 660


def test_redis__does_not_answer__component_down_and_no_queue_length(db: None, settings: Any) -> None:
    settings.HAWSER_REDIS_URL = "redis://127.0.0.1:1/0"
    assert value("hawser_component_ok", component="redis") == 0
    assert value("hawser_queue_messages") is None


def test_queue__redis_answers__its_length(db: None) -> None:
    assert value("hawser_component_ok", component="redis") == 1
    assert value("hawser_queue_messages") is not None


def test_requests__of_a_route_and_of_no_route__counted_by_route_not_by_path(viewer: Caller) -> None:
    def counted(route: str, status: str) -> float:
        return value("hawser_http_request_seconds_count", method="GET", route=route, status=status) or 0.0

    before = counted("/api/v1/links", "2xx"), counted("other", "4xx")
    viewer.get("/links")
    viewer.get("/no-such-path-1")
    viewer.get("/no-such-path-2")
    assert counted("/api/v1/links", "2xx") == before[0] + 1
    assert counted("other", "4xx") == before[1] + 2


def test_certificate__of_a_node__time_until_its_end_and_absent_where_none_is_shown(db: None) -> None:
    link = registered(1)
    shown, silent = link.active_cluster.nodes.get(), link.standby_cluster.nodes.get()
    ends_at = timezone.now() + timedelta(days=20)
    store_status(shown, {"ssl_server_not_after": f"{ends_at:%b %d %H:%M:%S %Y} GMT"})
    store_status(silent, {"ssl_server_not_after": ""})
    name = "hawser_node_certificate_expires_seconds"
    left = value(name, cluster=shown.cluster.name, node=shown.name)
    assert left is not None
    assert 19 * 86400 < left <= 20 * 86400
    assert value(name, cluster=silent.cluster.name, node=silent.name) is None


def store_status(node: Node, status: dict[str, str]) -> None:
    """As if it had been read just now."""
    read = NodeConfiguration(node.pk, node.name, read_at_s=timezone.now().timestamp(), status=status)
    body = configuration_to_json(read)
    StoredConfiguration.objects.create(node=node, read_at=timezone.now(), body=body)


def test_certificate__of_the_proxy__read_from_its_address_and_absent_where_none_answers(
    db: None, settings: Any, tmp_path: Path
) -> None:
    certificate(tmp_path)
    port = free_port()
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    shown, silent = f"https://127.0.0.1:{port}", "https://127.0.0.1:1"
    settings.CSRF_TRUSTED_ORIGINS = [shown, silent, "http://127.0.0.1", "https://*.example.net"]
    certificates.proxy_certificate_end.cache_clear()
    with socket.create_server(("127.0.0.1", port)) as listening, ThreadPoolExecutor(1) as pool:
        answered = pool.submit(handshake, listening, server)
        left = value("hawser_proxy_certificate_expires_seconds", origin=shown)
        answered.result(10)
    assert left is not None
    assert 29 * 86400 < left <= 30 * 86400
    assert value("hawser_proxy_certificate_expires_seconds", origin=silent) is None


def handshake(listening: socket.socket, context: ssl.SSLContext) -> None:
    """One client's."""
    connection, _ = listening.accept()
    with contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as tls:
        tls.recv(1)

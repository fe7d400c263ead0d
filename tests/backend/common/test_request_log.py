"""The log line of a request says who called from where, and what for."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from structlog.testing import capture_logs

from backend.clusters.models import Link
from backend.identity.accounts.models import ApiToken
from tests.support.console import API, Caller


def line_of(method: str, path: str, token: str | None, **headers: str) -> dict[str, Any]:
    sent = {"Authorization": f"Bearer {token}"} if token else {}
    with capture_logs() as lines:
        Client(REMOTE_ADDR="203.0.113.5").generic(method, API + path, headers={**sent, **headers})
    (line,) = [line for line in lines if line["event"] == "request_finished"]
    return dict(line)


def test_request_log__with_a_token__names_caller_address_and_what_was_asked(viewer: Caller, link: Link) -> None:
    line = line_of("GET", f"/links/{link.id}/lag?minutes=1", viewer.token)
    assert line.pop("duration_ms") > 0
    line.pop("request_id", None)
    assert line == {
        "event": "request_finished",
        "log_level": "info",
        "method": "GET",
        "route": "/api/v1/links/<str:link_id>/lag",
        "request": f"GET /api/v1/links/{link.id}/lag?minutes=1",
        "status": 200,
        "source_ip": "203.0.113.5",
        "user": "viewer-1",
        "access_id": ApiToken.objects.get().id,
        "link_id": link.id,
    }


@pytest.mark.parametrize("path", ["/runs/r_aaaaaaaaaaaa", "/runs/r_aaaaaaaaaaaa/report"])
def test_request_log__run_that_is_not_there__names_it(viewer: Caller, path: str) -> None:
    line = line_of("GET", path, viewer.token)
    assert (line["status"], line["run_id"]) == (404, "r_aaaaaaaaaaaa")


def test_request_log__stranger__names_the_address_alone(db: None) -> None:
    line = line_of("GET", "/links", None)
    assert (line["status"], line["source_ip"], line["user"], line["access_id"]) == (401, "203.0.113.5", "", "")

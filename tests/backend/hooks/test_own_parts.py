"""A webhook never leads to the console's own database, Redis or page, whatever a list of networks allows."""

from __future__ import annotations

from typing import Any

import pytest

from backend.clusters.models import Link
from backend.common.outgoing import own_parts
from backend.common.outgoing.http_client import post
from tests.api.webhooks import hook_body
from tests.support.console import Caller
from tests.support.webhook_receiver import Receiver


@pytest.fixture
def parts(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """URLs of the console's parts, each by another spelling."""
    settings.HAWSER_HOOK_NETWORKS = ["127.0.0.0/8", "::1/128", "10.0.0.0/8"]
    settings.HAWSER_REDIS_URL = "redis://:secret@127.0.0.1:6379/0"
    monkeypatch.setattr(own_parts, "_database", lambda: [("10.0.0.5", 3307)])
    settings.CSRF_TRUSTED_ORIGINS = ["https://10.0.0.6", "https://localhost:8443"]
    settings.HAWSER_WEB_ADDRESSES = ["127.0.0.1:8000"]
    return [
        "http://127.0.0.1:6379/x",
        "http://127.9.9.9:6379/x",
        "http://localhost:6379/x",
        "http://[::ffff:127.0.0.1]:6379/x",
        "http://10.0.0.5:3307/x",
        "https://10.0.0.6/x",
        "https://127.0.0.1:8443/x",
        "http://127.0.0.1:8000/api/v1/session",
    ]


def test_webhook__to_a_part_of_the_console__refused_when_it_is_added(
    admin: Caller, link: Link, parts: list[str]
) -> None:
    for url in parts:
        answer = admin.post(f"/links/{link.id}/hooks", hook_body(url=url))
        assert (answer.status, answer.body.get("code")) == (400, "address_refused"), url
        assert "service of Hawser itself" in answer.body["detail"]


def test_webhook__to_a_part_of_the_console__not_called(receiver: Receiver, parts: list[str], settings: Any) -> None:
    """The part's place may become known, or the name may lead there, after the webhook was added."""
    settings.HAWSER_WEB_ADDRESSES = ["127.0.0.1:8000", f"127.0.0.1:{receiver.port}"]
    reply = post(receiver.url, b"{}", {}, timeout_s=3)
    assert "service of Hawser itself" in reply.error
    for url in parts:
        assert "service of Hawser itself" in post(url, b"{}", {}, timeout_s=1).error, url
    assert receiver.calls == []


def test_webhook__another_port_of_the_same_machine__called(receiver: Receiver, parts: list[str]) -> None:
    assert post(receiver.url, b"{}", {}, timeout_s=3).is_taken

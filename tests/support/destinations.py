"""Destinations for tests, and the ways to local receivers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest

from backend.clusters.models import Link
from backend.common.outgoing.http_client import Reply
from backend.common.outgoing.http_client import post as real_post
from backend.notifications.hooks.destinations.services import destination_create
from backend.notifications.hooks.messages import sending
from backend.notifications.hooks.models import Hook
from tests.support.console import CANARY
from tests.support.webhook_receiver import Receiver

TOKEN = f"{CANARY}".replace("-", "") + "TIiajkdnlazkcOXr"
SLACK_URL = f"https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/{TOKEN}"
TEAMS_HOST = "prod-12.westeurope.logic.azure.com"
TEAMS_URL = (
    f"https://{TEAMS_HOST}:443/workflows/643e69f83c89/triggers/manual/paths/invoke"
    f"?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={TOKEN}"
)
KEY = f"{TOKEN}0123"
MAIL: dict[str, Any] = {
    "host": "127.0.0.1",
    "port": 2525,
    "security": "none",
    "sender": "hawser@example.net",
    "recipients": ["anna@example.net", "ben@example.net"],
}
SETTINGS: Mapping[str, dict[str, Any]] = {
    "email": MAIL,
    "slack": {"url": SLACK_URL},
    "teams": {"url": TEAMS_URL},
    "pagerduty": {"key": KEY},
    "opsgenie": {"key": KEY, "region": "eu"},
}
SECRETS = (TOKEN, KEY)


def make_destination(
    service: str, link: Link | None, settings: Mapping[str, Any] | None = None, **changes: Any
) -> Hook:
    """A destination of the link, or of all links."""
    given: dict[str, Any] = {"name": service, "kinds": [], "min_severity": "warning", "enabled": True}
    settings = SETTINGS[service] if settings is None else settings
    return destination_create(actor="test", link=link, service=service, settings=settings, **(given | changes))


@pytest.fixture
def routed(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The URLs that calls were composed for; each call goes to the receiver instead, by the real client."""
    urls: list[str] = []

    def post(url: str, body: bytes, headers: Mapping[str, str], *, timeout_s: float) -> Reply:
        urls.append(url)
        parts = urlsplit(url)
        query = f"?{parts.query}" if parts.query else ""
        return real_post(f"http://127.0.0.1:{receiver.port}{parts.path}{query}", body, headers, timeout_s=timeout_s)

    monkeypatch.setattr(sending, "post", post)
    return urls

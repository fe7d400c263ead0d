"""Webhooks for tests."""

from __future__ import annotations

from typing import Any

from backend.clusters.models import Link
from backend.notifications.hooks.models import Hook
from backend.notifications.hooks.services import hook_create
from tests.support.webhook_receiver import Receiver

SECRET = "s" * 24


def make_hook(link: Link, receiver: Receiver, **changes: Any) -> Hook:
    """A webhook of the link that leads to the receiver."""
    given: dict[str, Any] = {
        "name": "proxies",
        "url": receiver.url,
        "secret": SECRET,
        "phase": "before",
        "kinds": [],
        "blocking": True,
        "timeout_s": 5,
        "min_severity": "warning",
        "enabled": True,
    }
    return hook_create(actor="test", link=link, **(given | changes))

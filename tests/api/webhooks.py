"""Webhooks added over HTTP."""

from __future__ import annotations

from typing import Any

from backend.clusters.models import Link
from tests.support.console import CANARY, Caller

SECRET = f"{CANARY}-signs"


def hook_body(url: str = "http://127.0.0.1:1/x", **changes: Any) -> dict[str, Any]:
    """A webhook to add."""
    return {"name": "proxies", "url": url, "secret": SECRET, "phase": "before", **changes}


def add(admin: Caller, link: Link, **changes: Any) -> dict[str, Any]:
    """Added."""
    answer = admin.post(f"/links/{link.id}/hooks", hook_body(**changes))
    assert answer.status == 201, answer.body
    return dict(answer.body)

"""What a notification says, from the stored payload of its delivery; the same for every service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from backend.common.redaction import redact_text
from backend.core.findings import Severity
from backend.notifications.hooks.messages.conditions import ended_by, key_of

HEADLINE_CHARS = 120
TEXT_CHARS = 900
"""The shortest limit of a service is 1000."""
CONSOLE = "Hawser"


@dataclass(frozen=True, slots=True)
class Message:
    """`condition` is equal for all messages of one condition; `is_end` says that it is over."""

    title: str
    headline: str
    text: str
    severity: Severity
    condition: str
    is_end: bool
    url: str
    details: Mapping[str, str]


def message_of(payload: Mapping[str, Any]) -> Message:
    """The message of an event, or of a test."""
    event = payload["event"] or {"severity": Severity.INFO.value, "subject": None}
    link, kind, severity = payload["link"], payload["kind"], Severity(event["severity"])
    name, sentence = link["name"] or CONSOLE, redact_text(payload["summary"])
    data = {"kind": kind, "severity": severity, "run_id": payload["run"], "subject": event.get("subject")}
    url = _url(link["id"], payload["run"], kind)
    return Message(
        title=f"{name}: {kind} ({severity.value})",
        headline=f"{name}: {sentence}"[:HEADLINE_CHARS],
        text="\n".join(part for part in (sentence[:TEXT_CHARS], url) if part),
        severity=severity,
        condition=key_of(link["id"] or "", data),
        is_end=ended_by(data) is not None,
        url=url,
        details=_details(payload, severity),
    )


_DECISIONS = ("run.waiting_approval", "run.approval_reminder")


def _details(payload: Mapping[str, Any], severity: Severity) -> dict[str, str]:
    found = {
        "link": payload["link"]["name"],
        "event": payload["kind"],
        "severity": severity.value,
        "state of the link": payload["state"],
        "run": payload["run"],
        "time": payload["time"],
    }
    return {name: str(value) for name, value in found.items() if value}


def _url(link_id: str | None, run_id: str | None, kind: str) -> str:
    """The page of the decision, of the run or of the link, at the console's first origin; empty if no origin is set."""
    origin = next(iter(settings.CSRF_TRUSTED_ORIGINS), "")
    if not origin:
        return ""
    page = "/approve" if kind in _DECISIONS else ""
    path = f"/runs/{run_id}{page}" if run_id else f"/links/{link_id}" if link_id else "/links"
    return f"{origin}{path}"

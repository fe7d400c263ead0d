"""What a message says of an event. It holds what every user of the console may read, and no secret.

The rules which events count are those of the page's own notifications (frontend/src/domain/notifications.ts).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from backend.common.events.models import Event
from backend.common.redaction import redact_text
from backend.common.row_redaction import redact_rows
from backend.core.findings import Severity
from backend.notifications.web_push.models import PushSubscription

SENTENCE_CHARS = 500
"""A push service takes 4096 bytes; this fits in any script."""
CONSOLE_TAG = "console"


class MessageKind(StrEnum):
    """What a user can choose to be told of, and the test."""

    INCIDENT = "incident"
    APPROVAL = "approval"
    FAILED_RUN = "failed_run"
    TEST = "test"


def kind_of(event: Event) -> MessageKind | None:
    """The kind of an event; None if no browser is told of it."""
    kind, severity = event.data["kind"], event.data["severity"]
    if kind in ("run.waiting_approval", "run.approval_reminder"):
        return MessageKind.APPROVAL
    if kind == "run.failed":
        return MessageKind.FAILED_RUN
    # What cannot be observed is as severe as what is down.
    return MessageKind.INCIDENT if severity in (Severity.BLOCKER, Severity.UNKNOWN) else None


def is_chosen(subscription: PushSubscription, kind: MessageKind) -> bool:
    """Whether the user of this browser chose the kind."""
    chosen = {
        MessageKind.INCIDENT: subscription.incidents,
        MessageKind.APPROVAL: subscription.approvals,
        MessageKind.FAILED_RUN: subscription.failed_runs,
    }
    return chosen.get(kind, False)


def message_of(event: Event, kind: MessageKind, link_name: str) -> dict[str, Any]:
    """The payload. `tag` names what it is about: a later message with the same tag replaces this one."""
    return _payload(
        kind,
        link=link_name,
        sentence=redact_text(redact_rows(event.data["message"]))[:SENTENCE_CHARS],
        path=_path(event, kind),
        tag=f"link {event.link_id}" if event.link_id else CONSOLE_TAG,
    )


def message_for_test() -> dict[str, Any]:
    """The payload of a test."""
    return _payload(
        MessageKind.TEST,
        link="",
        sentence="This browser receives notifications of Hawser.",
        path="/settings/notifications",
        tag="test",
    )


def _payload(kind: MessageKind, *, link: str, sentence: str, path: str, tag: str) -> dict[str, Any]:
    return {"kind": kind.value, "link": link, "sentence": sentence, "path": path, "tag": tag}


def _path(event: Event, kind: MessageKind) -> str:
    if kind == MessageKind.APPROVAL and event.run_id:
        return f"/runs/{event.run_id}/approve"
    if kind != MessageKind.INCIDENT and event.run_id:
        return f"/runs/{event.run_id}"
    return f"/links/{event.link_id}" if event.link_id else "/links"

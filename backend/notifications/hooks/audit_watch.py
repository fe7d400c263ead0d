"""Watches the audit log: verifies it, stores its head externally, and raises damage as events for webhooks."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

import structlog
from django.conf import settings

from backend.audit.damage import Damage
from backend.audit.verification import full_walk, signed_heads
from backend.audit.verification.signed_heads import SignedHeadError
from backend.common import heartbeats
from backend.common.events import services as events
from backend.common.outgoing.http_client import post
from backend.identity.accounts import restores
from backend.notifications.hooks.signing import signature

TIMEOUT_S = 5.0
log = structlog.get_logger(__name__)


def tick() -> None:
    """Check for a restored database, verify a slice of all records, and from time to time store the head externally."""
    restores.watch.check()
    found = full_walk.advance()
    if found is not None:
        raise_damage(found)
    if _has_receiver() and heartbeats.is_due("audit head", timedelta(minutes=settings.HAWSER_AUDIT_HEAD_INTERVAL_MIN)):
        keep_head_outside()


def raise_damage(found: Damage) -> None:
    """Raise an event of the console as a whole, which destinations of all links receive."""
    message = f"The audit log is damaged at record {found.seq} ({found.reason.value}): {found.detail}"
    events.raised(link_id="", kind="audit.damaged", severity="blocker", message=message)


def keep_head_outside() -> None:
    """Append the signed head to the file and post it; a failure is logged and the next time will do."""
    if settings.HAWSER_AUDIT_HEAD_FILE:
        try:
            signed_heads.append(Path(settings.HAWSER_AUDIT_HEAD_FILE))
        except (OSError, SignedHeadError) as error:
            log.warning("audit.head_not_appended", error=str(error))
    if settings.HAWSER_AUDIT_HEAD_URL:
        try:
            error_text = _post()
        except SignedHeadError as error:
            error_text = str(error)
        if error_text:
            log.warning("audit.head_not_posted", error=error_text)


def _post() -> str:
    """Empty if the receiver accepted the head, else the error."""
    body, at_s = signed_heads.current().line.encode(), int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Hawser",
        "Hawser-Signature": signature(settings.HAWSER_AUDIT_HEAD_SECRET, body, at_s=at_s),
    }
    return post(settings.HAWSER_AUDIT_HEAD_URL, body, headers, timeout_s=TIMEOUT_S).error


def _has_receiver() -> bool:
    return bool(settings.HAWSER_AUDIT_HEAD_FILE or settings.HAWSER_AUDIT_HEAD_URL)

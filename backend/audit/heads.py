"""The head of the audit log: its lock orders the writers, its MAC proves that Hawser moved it last."""

from __future__ import annotations

from typing import Any

import structlog

from backend.audit import chain
from backend.audit.keys import key_ring
from backend.audit.models import AuditHead, AuditRecord

log = structlog.get_logger(__name__)


def locked_head() -> AuditHead:
    """The head, locked for this transaction."""
    head = next(iter(AuditHead.objects.select_for_update().filter(pk=1)), None)  # `first` would sort the one row
    if head is not None:
        return head
    last = AuditRecord.objects.order_by("-seq").first()
    seq, digest = (last.seq, last.hash) if last else (0, chain.GENESIS)
    AuditHead.objects.get_or_create(pk=1, defaults={"seq": seq, "hash": digest})
    return AuditHead.objects.select_for_update().get(pk=1)


def is_genuine(head: AuditHead) -> bool:
    """Whether Hawser set the head to its current value."""
    return key_ring().is_genuine(head.mac, "audit head", _content(head), key_id=head.key_id)


def move(head: AuditHead, entry: AuditRecord) -> None:
    """Set the head to the record just written; a forged head gets no MAC, so that the damage stays visible."""
    was_genuine = is_genuine(head)
    head.seq, head.hash = entry.seq, entry.hash
    if was_genuine:
        sign(head)
        return
    log.error("audit.head_forged", seq=entry.seq)
    head.key_id = head.mac = ""
    head.save()


def sign(head: AuditHead) -> None:
    """Store the head with a MAC of the newest key."""
    keys = key_ring()
    head.key_id = keys.newest_id
    head.mac = keys.mac("audit head", _content(head))
    head.save()


def _content(head: AuditHead) -> dict[str, Any]:
    return {
        "installation_id": head.installation_id,
        "seq": head.seq,
        "hash": head.hash,
        "key_id": head.key_id,
    }

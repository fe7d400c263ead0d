"""Writes the audit log. The head row's lock makes the sequence gapless and the chain single.

Call it last in a transaction: while the head is locked, nothing else may be waited for.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from backend.audit import chain, heads
from backend.audit.keys import key_ring
from backend.audit.models import AuditHead, AuditRecord
from backend.common import heartbeats
from backend.common.redaction import redact
from backend.common.request_context import current
from backend.common.row_redaction import redact_rows

OPENING: Final = "console:audit:open"
"""The first record with a key. It names the installation, and its `prev_hash` covers everything before it."""

READING_EVERY: Final = timedelta(minutes=1)


@transaction.atomic(savepoint=False)
def record(
    *,
    actor: str,
    action: str,
    link_id: str = "",
    run_id: str = "",
    target: str = "",
    reason: str = "",
    facts: Mapping[str, Any] | None = None,
    request_id: str = "",
) -> AuditRecord:
    """Append one record; `action` reads source:subject:action, for example `api:run:start`.

    Within the caller's transaction it has no savepoint: a change without its record is never committed.

    Request id and address come from the current request. Secrets in `facts` are masked and rows quoted by errors are
    redacted, because every user can read the log and it is kept.
    """
    head = heads.locked_head()
    if head.seq == 0 and not head.installation_id:
        _open(head)
    context = current.get()
    data: dict[str, Any] = {
        "actor": actor[:80],
        "action": action[:80],
        "link_id": link_id,
        "run_id": run_id,
        "target": target[:200],
        "reason": reason,
        "request_id": (request_id or context.request_id)[:64],
        "source_ip": context.source_ip,
        "facts": redact(redact_rows(chain.plain(facts or {}))),
    }
    entry = _append(head, data)
    heads.move(head, entry)
    return entry


def record_reading(*, actor: str, action: str, facts: Mapping[str, Any]) -> None:
    """Record a reading, at most once a minute for each actor and action: a reader must not be able to fill the log."""
    if heartbeats.is_due(f"{action} {actor}", READING_EVERY):
        record(actor=actor, action=action, facts=facts)


@transaction.atomic
def open_keyed_chain() -> bool:
    """Continue a log from before the first key with keyed records; False if there is nothing to do."""
    head = heads.locked_head()
    if head.seq == 0 or head.installation_id or AuditRecord.objects.exclude(key_id="").exists():
        return False
    _open(head)
    return True


def _open(head: AuditHead) -> None:
    """Write the first keyed record, and give the head its first MAC."""
    head.installation_id = str(uuid.uuid4())
    entry = _append(
        head,
        {
            "actor": "console",
            "action": OPENING,
            "link_id": "",
            "run_id": "",
            "target": "",
            "reason": "",
            "request_id": "",
            "source_ip": "",
            "facts": {"installation_id": head.installation_id, "unkeyed_records": head.seq},
        },
    )
    head.seq, head.hash = entry.seq, entry.hash
    heads.sign(head)


def _append(head: AuditHead, data: dict[str, Any]) -> AuditRecord:
    keys, at = key_ring(), timezone.now()
    data = {**data, "seq": head.seq + 1, "prev_hash": head.hash, "key_id": keys.newest_id}
    data["hash"] = chain.hash_of({**data, "at": chain.time_text(at)}, keys.newest)
    return AuditRecord.objects.create(at=at, **data)

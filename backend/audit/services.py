"""Writes the record. The head row's lock makes the sequence gapless and the chain single.

Call it last in a transaction: whoever holds the head waits for nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.audit import chain
from backend.audit.models import AuditHead, AuditRecord
from backend.common.redaction import redact
from backend.common.request_context import current
from backend.common.row_redaction import redact_rows


@transaction.atomic
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

    Request id and address come from the current request. Secrets in `facts` are masked, rows that errors
    quote are left out: everybody reads the record, and it is kept.
    """
    head = _locked_head()
    context = current.get()
    data: dict[str, Any] = {
        "seq": head.seq + 1,
        "actor": actor[:80],
        "action": action[:80],
        "link_id": link_id,
        "run_id": run_id,
        "target": target[:200],
        "reason": reason,
        "request_id": (request_id or context.request_id)[:64],
        "source_ip": context.source_ip,
        "facts": redact(redact_rows(chain.plain(facts or {}))),
        "prev_hash": head.hash,
    }
    at = timezone.now()
    data["hash"] = chain.hash_of({**data, "at": chain.time_text(at)})
    entry = AuditRecord.objects.create(at=at, **data)
    AuditHead.objects.filter(pk=head.pk).update(seq=entry.seq, hash=entry.hash)
    return entry


def _locked_head() -> AuditHead:
    head = AuditHead.objects.select_for_update().filter(pk=1).first()
    if head is not None:
        return head
    AuditHead.objects.get_or_create(pk=1, defaults={"seq": 0, "hash": chain.GENESIS})
    return AuditHead.objects.select_for_update().get(pk=1)

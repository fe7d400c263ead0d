"""Writes the audit log. The head row's lock makes the sequence gapless and the chain single.

Call it last in a transaction: while the head is locked, nothing else may be waited for.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from backend.audit import chain, heads
from backend.audit.keys import key_ring
from backend.audit.models import AuditHead, AuditRecord
from backend.common import heartbeats
from backend.common.redaction import redact_all
from backend.common.request_context import current

OPENING: Final = "console:audit:open"
"""The first record with a key. It names the installation, and its `prev_hash` covers everything before it."""

READING_EVERY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Entry:
    """What one record is to say; request id and address come from the current request where it names none."""

    actor: str
    action: str
    link_id: str = ""
    run_id: str = ""
    target: str = ""
    reason: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    request_id: str = ""


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

    Request id and address come from the current request. Secrets in `facts` and `reason` are masked and rows quoted by
    errors are redacted, because every user can read the log and it is kept.
    """
    return record_all([Entry(actor, action, link_id, run_id, target, reason, facts or {}, request_id)])[0]


@transaction.atomic(savepoint=False)
def record_all(entries: Sequence[Entry]) -> list[AuditRecord]:
    """Append at least one record, as `record` does, under one lock of the head."""
    head = heads.locked_head()
    if head.seq == 0 and not head.installation_id:
        _open(head)
    records: list[AuditRecord] = []
    seq, last_hash = head.seq, head.hash
    for entry in entries:
        records.append(_chained(seq + 1, last_hash, _data(entry)))
        seq, last_hash = records[-1].seq, records[-1].hash
    AuditRecord.objects.bulk_create(records)
    heads.move(head, records[-1])
    return records


def _data(entry: Entry) -> dict[str, Any]:
    context = current.get()
    return {
        "actor": entry.actor[:80],
        "action": entry.action[:80],
        "link_id": entry.link_id,
        "run_id": entry.run_id,
        "target": entry.target[:200],
        "reason": redact_all(entry.reason),
        "request_id": (entry.request_id or context.request_id)[:64],
        "source_ip": context.source_ip,
        "facts": redact_all(chain.plain(entry.facts)),
    }


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
    entry = _chained(
        head.seq + 1,
        head.hash,
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
    entry.save()
    head.seq, head.hash = entry.seq, entry.hash
    heads.sign(head)


def _chained(seq: int, prev_hash: str, data: dict[str, Any]) -> AuditRecord:
    """The record with that number; the caller stores it."""
    keys, at = key_ring(), timezone.now()
    data = {**data, "seq": seq, "prev_hash": prev_hash, "key_id": keys.newest_id}
    data["hash"] = chain.hash_of({**data, "at": chain.time_text(at)}, keys.newest)
    return AuditRecord(at=at, **data)

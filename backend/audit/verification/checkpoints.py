"""Checkpoints of verifications. A row without a valid MAC is ignored, and everything is verified again."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from backend.audit.chain import ChainEnd, time_text
from backend.audit.damage import Damage, Reason
from backend.audit.keys import key_ring
from backend.audit.models import AuditCheckpoint, AuditRecord

VERIFIED: Final = "verified"
"""Up to where the chain is verified, since when as a whole, and the damage that the full verification found."""
FULL_WALK: Final = "full walk"
"""How far the full verification is."""
_PURPOSE: Final = "audit checkpoint"


def genuine(name: str) -> AuditCheckpoint | None:
    """The checkpoint, if Hawser wrote it and its record is unchanged."""
    row = AuditCheckpoint.objects.filter(pk=name).first()
    if row is None or not key_ring().is_genuine(row.mac, _PURPOSE, _content(row), key_id=row.key_id):
        return None
    if row.seq and not AuditRecord.objects.filter(seq=row.seq, hash=row.hash).exists():
        return None
    return row


def end_of(row: AuditCheckpoint | None) -> ChainEnd:
    """The point at which a verification continues."""
    return ChainEnd(row.seq, row.hash, row.is_keyed) if row else ChainEnd()


def damage_of(row: AuditCheckpoint | None) -> Damage | None:
    """The damage that was found."""
    if row is None or row.bad_seq is None:
        return None
    return Damage(row.bad_seq, Reason(row.reason), row.detail)


def store(
    name: str, end: ChainEnd, *, started_at: datetime, finished_at: datetime | None = None, found: Damage | None = None
) -> None:
    """Write the checkpoint, whatever its old value."""
    AuditCheckpoint.objects.update_or_create(pk=name, defaults=_values(name, end, started_at, finished_at, found))


def advance(row: AuditCheckpoint, end: ChainEnd) -> None:
    """Advance a checkpoint without damage, unless another process moved it meanwhile."""
    values = _values(row.name, end, row.started_at, row.finished_at, None)
    AuditCheckpoint.objects.filter(pk=row.pk, mac=row.mac).update(**values)


def _values(
    name: str, end: ChainEnd, started_at: datetime, finished_at: datetime | None, found: Damage | None
) -> dict[str, Any]:
    row = AuditCheckpoint(
        name=name,
        seq=end.seq,
        hash=end.hash,
        is_keyed=end.is_keyed,
        started_at=started_at,
        finished_at=finished_at,
        bad_seq=found.seq if found else None,
        reason=found.reason.value if found else "",
        detail=found.detail if found else "",
        key_id=key_ring().newest_id,
    )
    row.mac = key_ring().mac(_PURPOSE, _content(row))
    return {field.name: getattr(row, field.name) for field in row._meta.fields if not field.primary_key}  # noqa: SLF001


def _content(row: AuditCheckpoint) -> dict[str, Any]:
    return {
        "name": row.name,
        "seq": row.seq,
        "hash": row.hash,
        "is_keyed": row.is_keyed,
        "started_at": time_text(row.started_at),
        "finished_at": time_text(row.finished_at) if row.finished_at else None,
        "bad_seq": row.bad_seq,
        "reason": row.reason,
        "detail": row.detail,
        "key_id": row.key_id,
    }

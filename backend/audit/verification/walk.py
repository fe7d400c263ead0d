"""Verifies the audit log: every hash from the beginning, and that the log ends where the head says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import Max, Min
from django.utils import timezone

from backend.audit import chain, heads
from backend.audit.chain import ChainEnd
from backend.audit.damage import Damage, Reason, missing, rewritten
from backend.audit.keys import key_ring
from backend.audit.models import AuditCheckpoint, AuditHead, AuditRecord
from backend.audit.selectors import as_plain, oldest_first
from backend.audit.verification import checkpoints, signed_heads
from backend.audit.verification.signed_heads import SignedHead

_FIRST_USER_SLACK: Final = timedelta(minutes=5)
"""The first user is created in the transaction that writes the first record."""


class UnfinishedError(Exception):
    """More records are unverified than one call may verify; the next call continues after `seq`."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"verified up to record {seq}, not yet to the head")
        self.seq = seq


@dataclass(frozen=True, slots=True)
class Walk:
    """The first damage, if any, the last valid record, and whether the chain's end was reached."""

    found: Damage | None
    end: ChainEnd
    is_finished: bool = True


def verify(external_heads: Sequence[SignedHead] = ()) -> dict[str, Any]:
    """Verify the whole chain up to the head; writers may continue meanwhile."""
    walk = walk_to_head(chain.START)
    return verdict_of(walk.found or signed_heads.damage_of(external_heads), walk.end, full_checked_at=timezone.now())


def verify_further(external_heads: Sequence[SignedHead] = (), *, limit: int | None = None) -> dict[str, Any]:
    """Verify the records since the last verified one, up to `limit`; UnfinishedError if there are more."""
    row = checkpoints.genuine(checkpoints.VERIFIED)
    if row is None:
        checkpoints.store(checkpoints.VERIFIED, chain.START, started_at=timezone.now())
        row = AuditCheckpoint.objects.get(pk=checkpoints.VERIFIED)
    if found := checkpoints.damage_of(row):
        return verdict_of(found, checkpoints.end_of(row), full_checked_at=row.finished_at)
    walk = walk_to_head(checkpoints.end_of(row), limit=limit)
    if walk.end.seq > row.seq:
        checkpoints.advance(row, walk.end)
    if not walk.is_finished:
        raise UnfinishedError(walk.end.seq)
    return verdict_of(walk.found or signed_heads.damage_of(external_heads), walk.end, full_checked_at=row.finished_at)


def verdict_of(found: Damage | None, end: ChainEnd, *, full_checked_at: datetime | None) -> dict[str, Any]:
    """The verdict to return."""
    return {
        "ok": found is None,
        "records": end.seq,
        "first_bad_seq": found.seq if found else None,
        "reason": found.reason.value if found else None,
        "detail": found.detail if found else "",
        "head": {"seq": end.seq, "hash": end.hash},
        "checked_at": timezone.now(),
        "full_checked_at": full_checked_at,
    }


def walk_to_head(start: ChainEnd, *, limit: int | None = None) -> Walk:
    """Verify from `start`; with a limit perhaps not up to the head."""
    head = AuditHead.objects.filter(pk=1).first()
    is_genuine = head is not None and heads.is_genuine(head)
    rows = AuditRecord.objects.filter(seq__gt=start.seq)
    if head is not None and is_genuine:
        rows = rows.filter(seq__lte=head.seq)
    head_hash = head.hash if head is not None and is_genuine else ""
    plain = (as_plain(row) for row in oldest_first(rows, after=start.seq))
    found, end = chain.walk(plain, key_ring().secrets, start, head_hash=head_hash, limit=limit)
    if found is None and limit is not None and end.seq - start.seq >= limit:
        return Walk(None, end, is_finished=False)
    return Walk(found or _damage_at_end(head, end, is_genuine=is_genuine), end)


def _damage_at_end(head: AuditHead | None, end: ChainEnd, *, is_genuine: bool) -> Damage | None:
    """Check that no valid record is missing at the end."""
    if end.seq == 0:
        return _damage_of_nothing(head)
    if head is None:
        return Damage(1, Reason.HEAD_FORGED, "The head is missing, so the number of records is unknown.")
    if not is_genuine:
        return Damage(
            end.seq + 1,
            Reason.HEAD_FORGED,
            f"Hawser did not set the head. Records after {end.seq} may have been removed.",
        )
    if end.seq < head.seq:
        return missing(end.seq + 1)
    if end.hash != head.hash:
        return rewritten(end.seq)
    return _past_head() or _late_beginning()


def _damage_of_nothing(head: AuditHead | None) -> Damage | None:
    """An empty log is valid only if the console was never used."""
    was_used = (head is not None and (head.seq > 0 or head.installation_id)) or _first_user_at() is not None
    if not was_used:
        return None
    return Damage(1, Reason.EMPTY, "There is no record although the console was used. The log was emptied.")


def _past_head() -> Damage | None:
    """The first record after the head; a writer stores both in one transaction."""
    newest: int = AuditRecord.objects.aggregate(newest=Max("seq"))["newest"] or 0
    end = AuditHead.objects.filter(pk=1).values_list("seq", flat=True).first() or 0
    if newest <= end:
        return None
    return Damage(end + 1, Reason.PAST_HEAD, f"Record {end + 1} comes after the head. Hawser did not write it.")


def _late_beginning() -> Damage | None:
    """A log that was emptied and started again is younger than the console's users."""
    began_at, used_at = AuditRecord.objects.filter(seq=1).values_list("at", flat=True).first(), _first_user_at()
    if began_at is None or used_at is None or began_at - used_at < _FIRST_USER_SLACK:
        return None
    return Damage(
        1,
        Reason.TRUNCATED,
        f"The log begins at {chain.time_text(began_at)}, but the console's first user was created at "
        f"{chain.time_text(used_at)}. The records in between are missing.",
    )


def _first_user_at() -> Any:
    return get_user_model().objects.aggregate(at=Min("created_at"))["at"]

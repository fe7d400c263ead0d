"""Verifies all records once a day, a slice at a time, so that nothing else waits for it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Final

import structlog
from django.conf import settings
from django.utils import timezone

from backend.audit import chain, services
from backend.audit.damage import Damage
from backend.audit.verification import checkpoints, signed_heads
from backend.audit.verification.signed_heads import SignedHead, SignedHeadError
from backend.audit.verification.walk import Walk, walk_to_head

EVERY: Final = timedelta(days=1)
SLICE: Final = 2000
"""Records per call: about a tenth of a second, so that a million take three quarters of an hour."""
log = structlog.get_logger(__name__)


def advance() -> Damage | None:
    """Verify a slice; returns the damage if the verification has just ended with one."""
    row = checkpoints.genuine(checkpoints.FULL_WALK)
    if row is not None and row.finished_at is not None:
        if timezone.now() - row.finished_at < EVERY:
            return None
        row = None
    walk = walk_to_head(checkpoints.end_of(row), limit=SLICE)
    started_at = row.started_at if row else timezone.now()
    if not walk.is_finished:
        checkpoints.store(checkpoints.FULL_WALK, walk.end, started_at=started_at)
        return None
    found = walk.found or signed_heads.damage_of(_outside_heads())
    finish(Walk(found, walk.end))
    return found


def finish(walk: Walk) -> None:
    """Store the result of a full verification; damage is recorded in the audit log, too."""
    now = timezone.now()
    for name in (checkpoints.FULL_WALK, checkpoints.VERIFIED):
        checkpoints.store(name, walk.end, started_at=now, finished_at=now, found=walk.found)
    if walk.found is not None:
        log.error("audit.damaged", seq=walk.found.seq, reason=walk.found.reason.value, detail=walk.found.detail)
        services.record(
            actor="console",
            action="console:audit:damaged",
            facts={"first_bad_seq": walk.found.seq, "reason": walk.found.reason.value, "detail": walk.found.detail},
        )


def walk_all(external_heads: list[SignedHead]) -> Walk:
    """Verify all records now, and store the result."""
    walk = walk_to_head(chain.START)
    walk = Walk(walk.found or signed_heads.damage_of(external_heads), walk.end)
    finish(walk)
    return walk


def _outside_heads() -> list[SignedHead]:
    """Heads that Hawser itself stores externally; a line that is not its own head is left to an administrator."""
    path = Path(settings.HAWSER_AUDIT_HEAD_FILE)
    if not path.is_file():
        return []
    external_heads = []
    for name, line in signed_heads.lines_of(path):
        try:
            external_heads.append(signed_heads.parse(line, name))
        except SignedHeadError as error:
            log.warning("audit.outside_head_refused", error=str(error))
    return external_heads

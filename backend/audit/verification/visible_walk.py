"""Verifies all records from the first one on demand, a slice a call, so that a page can show how far it is.

The state between two calls is a signed token: no caller can make the console believe that records were verified.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final

from django.core import signing
from django.utils import timezone

from backend.audit import chain
from backend.audit.chain import ChainEnd
from backend.audit.models import AuditHead, AuditRecord
from backend.audit.verification.walk import Walk, walk_to_head
from backend.common.errors import invalid

SLICE: Final = 5_000
"""Records of one call: about a third of a second."""
LONGEST: Final = timedelta(hours=2)
_SALT: Final = "hawser.audit.visible_walk"


def advance(token: str | None, *, limit: int = SLICE) -> dict[str, Any]:
    """Verify the next slice after the one that the token ends with; without a token the first one."""
    walk = walk_to_head(_start(token), limit=limit)
    return {
        "is_finished": walk.is_finished,
        "ok": walk.found is None,
        "verified": walk.end.seq,
        "records": max(walk.end.seq, AuditHead.objects.filter(pk=1).values_list("seq", flat=True).first() or 0),
        "first_at": _time_of(1) if walk.end.seq else None,
        "last_at": _time_of(walk.end.seq) if walk.end.seq else None,
        "first_bad_seq": walk.found.seq if walk.found else None,
        "reason": walk.found.reason.value if walk.found else None,
        "detail": walk.found.detail if walk.found else "",
        "next": None if walk.is_finished else _token(walk),
        "checked_at": timezone.now(),
    }


def _token(walk: Walk) -> str:
    return signing.dumps(asdict(walk.end), salt=_SALT, compress=True)


def _start(token: str | None) -> ChainEnd:
    if token is None:
        return chain.START
    try:
        return ChainEnd(**signing.loads(token, salt=_SALT, max_age=LONGEST))
    except signing.BadSignature as error:
        message = "The token is not valid any more. Leave `after` out to begin with the first record."
        raise invalid("after", message) from error


def _time_of(seq: int) -> datetime | None:
    return AuditRecord.objects.filter(seq=seq).values_list("at", flat=True).first()

"""One limited verification at a time for all callers of this process, cached while the head is the same."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from backend.audit.models import AuditHead
from backend.audit.verification import signed_heads, walk
from backend.audit.verification.signed_heads import SignedHead
from backend.common.errors import ProblemError

LIMIT: Final = 20_000
"""Records that one call verifies: about a second and a half."""
WAIT_S: Final = 5.0
KEEP_S: Final = 10.0
_lock = threading.Lock()
_answer: dict[str, Any] = {}


def verdict(external_heads: Sequence[SignedHead] = ()) -> dict[str, Any]:
    """The result of `verify_further`; ProblemError 503 while more records are unverified than one call may verify."""
    result = _shared()
    if result["ok"] and (found := signed_heads.damage_of(external_heads)):
        return {**result, "ok": False, "first_bad_seq": found.seq, "reason": found.reason.value, "detail": found.detail}
    return result


def _shared() -> dict[str, Any]:
    if not _lock.acquire(timeout=WAIT_S):
        raise _unfinished("Another call is verifying the audit log.")
    try:
        head = AuditHead.objects.values().filter(pk=1).first()
        if head is None or _answer.get("head") != head or time.monotonic() - _answer["at_s"] > KEEP_S:
            _answer.update(verdict=_walked(), head=head, at_s=time.monotonic())
        return dict(_answer["verdict"])
    finally:
        _lock.release()


def _walked() -> Mapping[str, Any]:
    try:
        return walk.verify_further(limit=LIMIT)
    except walk.UnfinishedError as error:
        raise _unfinished(f"Records 1 to {error.seq} are verified, the following ones not yet.") from error


def _unfinished(detail: str) -> ProblemError:
    return ProblemError(
        503,
        "audit_verification_unfinished",
        f"{detail} Repeat the call in a few seconds.",
        headers={"Retry-After": "2"},
    )

"""Detects that the console's database was restored from an earlier state, and ends the access that it restored.

A backup holds tokens that were revoked since, sessions that ended and users that were disabled. The audit log's head
shows a restore, because its sequence number only grows. It is compared with what this process saw last and with the
last head in the external file. The time of installation, in which no change waits, does not begin again.
"""

from __future__ import annotations

from pathlib import Path

import structlog
from django.conf import settings
from django.db import transaction

from backend.audit import services as audit
from backend.audit.models import AuditHead
from backend.audit.verification import signed_heads
from backend.audit.verification.signed_heads import SignedHeadError
from backend.common.events import services as events
from backend.core.plural import pluralize
from backend.identity.accounts.access import end_all_access
from backend.identity.accounts.installation import end_installation

_TAIL_BYTES = 4096
log = structlog.get_logger(__name__)


class RestoreWatch:
    """The newest sequence number of the audit log that this process has seen."""

    def __init__(self) -> None:
        self._seq = 0

    def check(self) -> bool:
        """Whether the database was restored to an earlier state; all access was ended then."""
        now = AuditHead.objects.filter(pk=1).values_list("seq", flat=True).first() or 0
        known = max(self._seq, _seq_outside())
        self._seq = now
        if now >= known:
            return False
        self._seq = _end_access(known, now)
        return True


def _end_access(known: int, now: int) -> int:
    """End all access and record it; returns the sequence number of that record."""
    with transaction.atomic():
        ended = end_all_access()
        end_installation()
        message = (
            f"The console's database was restored: its audit log ends at {now} and had reached "
            f"{known}. All sessions and tokens were ended "
            f"({pluralize(ended['sessions_ended'], 'session')}, "
            f"{pluralize(ended['tokens_revoked'], 'token')}). Review users, roles and links."
        )
        events.raised(link_id="", kind="database.restored", severity="blocker", message=message)
        record = audit.record(
            actor="console", action="console:database:restored", facts={**ended, "known_seq": known, "found_seq": now}
        )
    if settings.HAWSER_AUDIT_HEAD_FILE:
        signed_heads.append(Path(settings.HAWSER_AUDIT_HEAD_FILE))
    return record.seq


def _seq_outside() -> int:
    """Sequence number of the last head in the external file; 0 if there is none with a valid signature."""
    path = settings.HAWSER_AUDIT_HEAD_FILE
    if not path:
        return 0
    try:
        with Path(path).open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - _TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
        return signed_heads.parse(lines[-1], path).seq if lines else 0
    except (OSError, SignedHeadError) as error:
        log.info("audit.head_file_not_read", error=str(error))
        return 0


watch = RestoreWatch()

"""Heads that are stored externally: a signed line states that the chain ended there at that time.

Write access to the database, even restoring an old backup, cannot undo such a line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from django.utils import timezone

from backend.audit import heads
from backend.audit.chain import time_text
from backend.audit.damage import Damage, Reason
from backend.audit.keys import key_ring
from backend.audit.models import AuditHead, AuditRecord

_PURPOSE: Final = "signed audit head"
_CHUNK: Final = 500


class SignedHeadError(Exception):
    """A head that cannot be signed, read or trusted; the message names it."""


@dataclass(frozen=True, slots=True)
class SignedHead:
    """One line of a file of heads."""

    installation_id: str
    seq: int
    hash: str
    at: str
    key_id: str
    mac: str = ""

    @property
    def content(self) -> dict[str, Any]:
        """The data that the MAC covers."""
        return {name: value for name, value in asdict(self).items() if name != "mac"}

    @property
    def line(self) -> str:
        """JSON on one line."""
        return json.dumps(asdict(self), sort_keys=True)


def current() -> SignedHead:
    """The current head; SignedHeadError if Hawser did not set it."""
    head = AuditHead.objects.filter(pk=1).first()
    if head is None or not heads.is_genuine(head):
        raise SignedHeadError(
            "Hawser did not set the current head, so it was not signed. Run hawser_audit verify --full."
        )
    keys = key_ring()
    unsigned = SignedHead(head.installation_id, head.seq, head.hash, time_text(timezone.now()), keys.newest_id)
    return SignedHead(**unsigned.content, mac=keys.mac(_PURPOSE, unsigned.content))


def append(path: Path) -> SignedHead:
    """Append the current head to a file and flush it to disk."""
    head = current()
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)
    with os.fdopen(descriptor, "w") as file:
        file.write(head.line + "\n")
        file.flush()
        os.fsync(file.fileno())
    return head


def parse(text: str, name: str) -> SignedHead:
    """A head from its line; `name` identifies it in an error."""
    try:
        given = json.loads(text)
        head = SignedHead(**given)
        is_genuine = key_ring().is_genuine(head.mac, _PURPOSE, head.content, key_id=head.key_id)
    except (ValueError, TypeError, AttributeError) as error:
        raise SignedHeadError(f"{name} is not a signed head. Send a line as `hawser_audit head` prints it.") from error
    if not is_genuine:
        raise SignedHeadError(
            f"{name} was refused because its MAC does not match. It was changed, or its audit key is "
            "not in HAWSER_AUDIT_KEY."
        )
    return head


def read_file(path: Path) -> list[SignedHead]:
    """All heads of a file; SignedHeadError names the first line that is refused."""
    return [parse(line, name) for name, line in lines_of(path)]


def lines_of(path: Path) -> list[tuple[str, str]]:
    """The non-empty lines of a file, each with its name for an error."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise SignedHeadError(f"Could not read {path}: {error}") from error
    return [(f"Line {number} of {path}", line) for number, line in enumerate(lines, 1) if line.strip()]


def damage_of(external_heads: Sequence[SignedHead]) -> Damage | None:
    """The first head that the audit log does not contain."""
    head = AuditHead.objects.filter(pk=1).first()
    installation_id = head.installation_id if head else ""
    for begin in range(0, len(external_heads), _CHUNK):
        chunk = external_heads[begin : begin + _CHUNK]
        rows = AuditRecord.objects.filter(seq__in=[each.seq for each in chunk])
        hashes = dict(rows.values_list("seq", "hash"))
        for each in chunk:
            if found := _damage(each, installation_id, hashes.get(each.seq)):
                return found
    return None


def _damage(head: SignedHead, installation_id: str, digest: str | None) -> Damage | None:
    if head.installation_id != installation_id:
        return Damage(
            1,
            Reason.ROLLED_BACK,
            f"The head of {head.at} belongs to the installation {head.installation_id}, this audit log "
            f"to {installation_id or 'none'}. The log was started again, or the head is from another "
            "console.",
        )
    if digest is None:
        return Damage(
            head.seq,
            Reason.ROLLED_BACK,
            f"Record {head.seq} existed at {head.at} and is missing now. Records were removed, or an "
            "older backup was restored.",
        )
    if digest != head.hash:
        return Damage(
            head.seq,
            Reason.REWRITTEN_SINCE_HEAD,
            f"Record {head.seq} is not the one that existed at {head.at}. The log was rewritten since then.",
        )
    return None

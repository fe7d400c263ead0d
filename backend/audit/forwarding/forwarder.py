"""Sends records that a receiver does not have yet, in their order, each at least once.

How far it came is stored after each batch. A process that is killed in between leaves it to be sent again: `seq` tells
that a receiver has a record already.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final

import structlog
from django.conf import settings
from django.utils import timezone

from backend.audit import selectors
from backend.audit.forwarding.receivers import FileReceiver, Receiver, SyslogReceiver
from backend.audit.forwarding.syslog_message import head_message, message
from backend.audit.models import AuditForwarding, AuditHead, AuditRecord
from backend.audit.verification import signed_heads
from backend.audit.verification.signed_heads import SignedHeadError
from backend.common import heartbeats
from backend.common.events import services as events

log = structlog.get_logger(__name__)
BATCH: Final = 500
BATCHES: Final = 20
"""Of one turn: a receiver that was away for a week is caught up with in minutes, and no turn lasts for ever."""
_HEAD_JOB: Final = "audit head by syslog"


def tick() -> None:
    """Send to each configured receiver what it does not have."""
    for name, receiver in _receivers():
        _send_all(name, receiver)


def waiting_records() -> Mapping[str, int]:
    """Records that each configured receiver does not have yet."""
    end = AuditHead.objects.filter(pk=1).values_list("seq", flat=True).first() or 0
    positions = dict(AuditForwarding.objects.values_list("receiver", "seq"))
    return {name: max(0, end - positions.get(name, 0)) for name, _ in _receivers()}


def _receivers() -> Iterator[tuple[str, Receiver]]:
    if settings.HAWSER_AUDIT_SYSLOG:
        yield "syslog", SyslogReceiver(settings.HAWSER_AUDIT_SYSLOG)
    if settings.HAWSER_AUDIT_JSONL_FILE:
        yield "file", FileReceiver(Path(settings.HAWSER_AUDIT_JSONL_FILE))


def _send_all(name: str, receiver: Receiver) -> None:
    position, _ = AuditForwarding.objects.get_or_create(receiver=name)
    records = selectors.oldest_first(AuditRecord.objects.all(), after=position.seq)
    try:
        for _ in range(BATCHES):
            if not (batch := list(islice(records, BATCH))):
                break
            receiver.send([_rendered(name, selectors.as_plain(each)) for each in batch])
            _moved(position, batch[-1].seq)
        _send_head(name, receiver)
    except OSError as error:
        _failed(position, error)
        return
    _works_again(position)


def _rendered(name: str, record: Mapping[str, Any]) -> bytes:
    if name == "file":
        return json.dumps(dict(record), ensure_ascii=False, sort_keys=True).encode()
    return message(record, host=socket.gethostname(), process_id=os.getpid())


def _send_head(name: str, receiver: Receiver) -> None:
    """Now and then the signed head, which a syslog receiver keeps out of reach of this console."""
    every = timedelta(minutes=settings.HAWSER_AUDIT_HEAD_INTERVAL_MIN)
    if name != "syslog" or not heartbeats.is_due(_HEAD_JOB, every):
        return
    try:
        head = signed_heads.current()
    except SignedHeadError as error:
        log.warning("audit.head_not_sent", error=str(error))
        return
    try:
        receiver.send([head_message(head.line, head.at, host=socket.gethostname(), process_id=os.getpid())])
    except OSError:
        heartbeats.make_due(_HEAD_JOB)
        raise


def _moved(position: AuditForwarding, seq: int) -> None:
    """Store how far the receiver is; of two monitors, the one that is behind sets nothing back."""
    position.seq = seq
    AuditForwarding.objects.filter(pk=position.pk, seq__lt=seq).update(seq=seq)


def _failed(position: AuditForwarding, error: OSError) -> None:
    log.warning("audit.not_forwarded", receiver=position.receiver, error=str(error))
    if AuditForwarding.objects.filter(pk=position.pk, failing_since=None).update(failing_since=timezone.now()):
        text = f"The audit log does not reach its receiver ({position.receiver}): {error}. Nothing is lost: it is sent"
        events.raised(
            link_id="", kind="audit.not_forwarded", severity="warning", message=f"{text} when the receiver is back."
        )


def _works_again(position: AuditForwarding) -> None:
    if AuditForwarding.objects.filter(pk=position.pk).exclude(failing_since=None).update(failing_since=None):
        message_ = f"The audit log reaches its receiver ({position.receiver}) again, and nothing is missing there."
        events.raised(link_id="", kind="audit.forwarded_again", severity="info", message=message_)

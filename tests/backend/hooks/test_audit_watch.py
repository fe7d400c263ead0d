"""The monitor walks the audit record, keeps its head outside, and tells of damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from backend.audit import triggers
from backend.audit.services import record
from backend.audit.verification import signed_heads
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.notifications.hooks.audit_watch import tick
from backend.notifications.hooks.signing import signature
from tests.support.console import make_link
from tests.support.webhook_receiver import Receiver


def test_tick__file_of_the_settings__gets_the_head_once_an_interval(db: None, tmp_path: Path, settings: Any) -> None:
    settings.HAWSER_AUDIT_HEAD_FILE = str(tmp_path / "heads.jsonl")
    record(actor="zoe", action="test:thing:do")
    tick()
    tick()
    (head,) = signed_heads.read_file(tmp_path / "heads.jsonl")
    assert head.seq == 2


def test_tick__receiver_of_the_settings__is_sent_the_head_signed(db: None, receiver: Receiver, settings: Any) -> None:
    settings.HAWSER_AUDIT_HEAD_URL, settings.HAWSER_AUDIT_HEAD_SECRET = receiver.url, "a shared secret"
    record(actor="zoe", action="test:thing:do")
    tick()
    (call,) = receiver.calls
    assert signed_heads.parse(call.body.decode(), "it").seq == 2
    at_s = int(call.headers["Hawser-Signature"].split(",")[0].removeprefix("t="))
    assert call.headers["Hawser-Signature"] == signature("a shared secret", call.body, at_s=at_s)
    assert set(json.loads(call.body)) == {"installation_id", "seq", "hash", "at", "key_id", "mac"}


def test_tick__receiver_and_file_fail__nothing_is_raised(
    db: None, receiver: Receiver, tmp_path: Path, settings: Any
) -> None:
    settings.HAWSER_AUDIT_HEAD_URL, settings.HAWSER_AUDIT_HEAD_SECRET = receiver.url, "a shared secret"
    settings.HAWSER_AUDIT_HEAD_FILE = str(tmp_path / "no" / "heads.jsonl")
    receiver.answers = [500]
    record(actor="zoe", action="test:thing:do")
    tick()
    assert len(receiver.calls) == 1


@pytest.fixture
def damaged_link(emptied: None) -> Link:
    """A link of a console whose record was changed."""
    link = make_link()
    record(actor="zoe", action="test:thing:do")
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE audit_auditrecord SET actor='mallory' WHERE seq=2")
    return link


def test_tick__record_damaged__raised_for_the_console_as_a_whole(damaged_link: Link) -> None:
    tick()
    (event,) = Event.objects.filter(link_id="", data__kind="audit.damaged")
    assert event.data["severity"] == "blocker"
    assert "record 2 (rewritten)" in event.data["message"]

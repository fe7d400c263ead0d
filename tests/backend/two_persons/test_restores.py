"""A backup put back brings old sessions, tokens and users to life: noticed by the record's head, and ended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from backend.audit.keys import key_ring
from backend.audit.services import record
from backend.audit.verification import signed_heads
from backend.common.events.models import Event
from backend.identity.accounts.restores import RestoreWatch
from tests.support.console import Caller, SignedIn, make_token_for, make_user


def _people() -> tuple[SignedIn, Caller]:
    page = SignedIn(make_user("nora", "operator"))
    return page, Caller(make_token_for("nora"))


def _works(*callers: Caller) -> list[int]:
    return [caller.get("/links").status for caller in callers]


def test_check__record_went_on__nothing_ends(db: None) -> None:
    page, token = _people()
    watch = RestoreWatch()
    assert not watch.check()
    record(actor="zoe", action="test:thing:do")
    assert not watch.check()
    assert _works(page, token) == [200, 200]


def test_check__record_went_back_under_the_monitor__all_access_ends_and_is_reported(db: None) -> None:
    page, token = _people()
    watch = RestoreWatch()
    watch.check()
    watch._seq += 100  # what it had seen before the backup was put back
    assert watch.check()
    assert _works(page, token) == [401, 401]
    assert Event.objects.get(data__kind="database.restored").data["severity"] == "blocker"
    assert not watch.check()


def _later_head() -> str:
    """As this console wrote it before the backup was put back."""
    now, keys = signed_heads.current(), key_ring()
    ahead = replace(now, seq=now.seq + 100, mac="")
    return replace(ahead, mac=keys.mac(signed_heads._PURPOSE, ahead.content)).line


def test_check__restored_while_all_was_stopped__the_file_outside_shows_it(
    db: None, tmp_path: Path, settings: Any
) -> None:
    page, token = _people()
    settings.HAWSER_AUDIT_HEAD_FILE = str(tmp_path / "heads.jsonl")
    (tmp_path / "heads.jsonl").write_text(_later_head() + "\n")
    assert RestoreWatch().check()
    assert _works(page, token) == [401, 401]
    assert not RestoreWatch().check()


def test_check__file_that_somebody_wrote__is_not_believed(db: None, tmp_path: Path, settings: Any) -> None:
    page, token = _people()
    settings.HAWSER_AUDIT_HEAD_FILE = str(tmp_path / "heads.jsonl")
    (tmp_path / "heads.jsonl").write_text('{"seq": 999999}\n')
    assert not RestoreWatch().check()
    assert _works(page, token) == [200, 200]

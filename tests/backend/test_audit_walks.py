"""Verification is bounded: from the last verified record for a call, of everything once a day, a slice at a time."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.audit import triggers
from backend.audit.models import AuditCheckpoint, AuditRecord
from backend.audit.services import record
from backend.audit.verification import checkpoints, full_walk, shared_walk, walk
from backend.audit.verification.walk import UnfinishedError, verify_further
from backend.common.errors import ProblemError
from tests.support.concurrently import concurrently
from tests.support.waiting import wait_for


def _write(count: int) -> None:
    for n in range(count):
        record(actor="zoe", action=f"test:thing:do_{n}")


def _change(seq: int) -> None:
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE audit_auditrecord SET actor='mallory' WHERE seq=%s", [seq])
    triggers.install(connection)


def _walk_in_slices() -> Any:
    """Let the background walk go on until it has ended."""
    while not AuditCheckpoint.objects.filter(pk=checkpoints.FULL_WALK, finished_at__isnull=False).exists():
        found = full_walk.advance()
    return found


@pytest.fixture
def small_slices(emptied: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten records, walked three at a time."""
    monkeypatch.setattr(full_walk, "SLICE", 3)
    _write(9)


def test_verify_further__again__reads_only_what_came_since(emptied: None) -> None:
    _write(9)
    assert verify_further()["records"] == 10
    _write(1)
    with CaptureQueriesContext(connection) as asked:
        assert verify_further()["records"] == 11
    pages = [query["sql"] for query in asked if '"seq" > ' in query["sql"] or "`seq` > " in query["sql"]]
    assert pages
    assert all("> 10" in sql or "> 11" in sql for sql in pages)


def test_verify_further__more_than_the_limit__goes_on_where_it_stopped(emptied: None) -> None:
    _write(9)
    for seq in (4, 8):
        with pytest.raises(UnfinishedError, match=f"up to record {seq}"):
            verify_further(limit=4)
    assert (verify_further(limit=4)["ok"], verify_further(limit=4)["records"]) == (True, 10)


@pytest.mark.parametrize("seq", [3, 4, 5])
def test_verify_further__damage_at_the_edge_of_a_slice__named_as_without_one(emptied: None, seq: int) -> None:
    _write(9)
    _change(seq)
    if seq > 4:
        with pytest.raises(UnfinishedError):
            verify_further(limit=4)
    verdict = verify_further(limit=4)
    assert (verdict["first_bad_seq"], verdict["reason"]) == (seq, "rewritten")


@pytest.mark.parametrize("change", [{"seq": 10}, {"mac": "0" * 64}, {"bad_seq": None}, {"hash": "0" * 64}])
def test_checkpoint__changed_by_somebody_else__all_is_walked_again(emptied: None, change: dict[str, Any]) -> None:
    _write(9)
    _change(5)
    full_walk.walk_all([])
    AuditCheckpoint.objects.update(**change)
    assert verify_further()["first_bad_seq"] == 5


def test_checkpoint__damage_taken_out_by_somebody_else__found_all_the_same(emptied: None) -> None:
    _write(9)
    _change(5)
    full_walk.walk_all([])
    AuditCheckpoint.objects.update(bad_seq=None, seq=10, hash=AuditRecord.objects.get(seq=10).hash)
    assert verify_further()["first_bad_seq"] == 5


def test_checkpoint__damage_found_during_a_call__is_not_taken_out_by_it(emptied: None) -> None:
    _write(9)
    assert verify_further()["ok"]
    row = checkpoints.genuine(checkpoints.VERIFIED)
    assert row is not None
    _change(5)
    full_walk.walk_all([])
    checkpoints.advance(row, checkpoints.end_of(row))
    assert verify_further()["first_bad_seq"] == 5


def test_full_walk__in_slices__finds_what_the_verified_part_hides(small_slices: None) -> None:
    assert verify_further()["ok"]
    _change(5)
    assert verify_further()["ok"]
    found = _walk_in_slices()
    assert (found.seq, found.reason) == (5, "rewritten")
    verdict = verify_further()
    assert (verdict["ok"], verdict["first_bad_seq"], verdict["reason"]) == (False, 5, "rewritten")
    assert verdict["full_checked_at"] is not None
    assert AuditRecord.objects.get(action="console:audit:damaged").facts["first_bad_seq"] == 5
    with pytest.raises(CommandError, match="record 5"):
        call_command("hawser_audit", "verify")


def test_full_walk__done_today__waits_for_tomorrow(small_slices: None) -> None:
    assert _walk_in_slices() is None
    with CaptureQueriesContext(connection) as asked:
        assert full_walk.advance() is None
    assert not any("actor" in query["sql"] for query in asked)
    began = AuditCheckpoint.objects.get(pk=checkpoints.FULL_WALK)
    yesterday = timezone.now() - timedelta(days=1, minutes=1)
    checkpoints.store(checkpoints.FULL_WALK, checkpoints.end_of(began), started_at=yesterday, finished_at=yesterday)
    assert full_walk.advance() is None
    assert AuditCheckpoint.objects.get(pk=checkpoints.FULL_WALK).seq == 3


def test_command__verify_full__walks_all_and_keeps_the_finding(
    emptied: None, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(9)
    assert verify_further()["ok"]
    _change(5)
    call_command("hawser_audit", "verify")
    with pytest.raises(CommandError, match="record 5 is the first damaged one"):
        call_command("hawser_audit", "verify", "--full")
    assert verify_further()["first_bad_seq"] == 5


class _CountingLock:
    """How many came to it, whether they got in or wait."""

    def __init__(self) -> None:
        self._came: list[int] = []
        self._lock = threading.Lock()

    @property
    def came(self) -> int:
        return len(self._came)

    def acquire(self, *, timeout: float) -> bool:
        self._came.append(1)
        return self._lock.acquire(timeout=timeout)

    def release(self) -> None:
        self._lock.release()


def test_calls__at_once__share_one_walk(emptied: None, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(9)
    walked: list[int] = []
    real, lock = walk.verify_further, _CountingLock()

    def slow(**options: Any) -> dict[str, Any]:
        walked.append(1)
        wait_for(lambda: lock.came == 6, "the other calls to come", 20, 0.01)
        return real(**options)

    monkeypatch.setattr(walk, "verify_further", slow)
    monkeypatch.setattr(shared_walk, "_lock", lock)
    monkeypatch.setattr(shared_walk, "WAIT_S", 60.0)
    results: list[dict[str, Any]] = []

    def call() -> None:
        results.append(shared_walk.verdict())

    concurrently(*[call] * 6)
    assert ([result["records"] for result in results], len(walked)) == ([10] * 6, 1)


def test_call__more_than_one_may_walk__503_says_how_far_it_came(emptied: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_walk, "LIMIT", 4)
    _write(9)
    with pytest.raises(ProblemError, match="Records 1 to 4 are verified") as refused:
        shared_walk.verdict()
    assert (refused.value.status, refused.value.code) == (503, "audit_verification_unfinished")

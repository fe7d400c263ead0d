"""The record cannot be changed quietly: not through the code, not through SQL."""

from __future__ import annotations

import json
from functools import partial

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from backend.audit import chain, selectors, triggers
from backend.audit.keys import key_ring
from backend.audit.models import AppendOnlyError, AuditHead, AuditRecord
from backend.audit.services import OPENING, record
from backend.audit.verification.walk import verify
from tests.support.concurrently import concurrently


def _write_five() -> None:
    """The first record opens the chain."""
    for n in range(1, 5):
        record(actor="zoe", action=f"test:thing:do_{n}", facts={"n": n})


@pytest.fixture
def five(db: None) -> None:
    _write_five()


@pytest.fixture
def unguarded(emptied: None) -> None:
    """An intruder who dropped the triggers (which commits, on MariaDB)."""
    _write_five()
    triggers.remove(connection)


def _sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_chain__untouched__verifies(five: None) -> None:
    verdict = verify()
    assert (verdict["ok"], verdict["records"], verdict["first_bad_seq"]) == (True, 5, None)


@pytest.mark.parametrize("statement", ["UPDATE audit_auditrecord SET actor='x'", "DELETE FROM audit_auditrecord"])
def test_database__update_or_delete__is_refused_by_itself(five: None, statement: str) -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        _sql(statement)
    assert verify()["ok"]


def test_model__every_way_to_change__is_closed(five: None) -> None:
    entry = AuditRecord.objects.get(seq=3)
    entry.reason = "other"
    for attempt in (
        entry.save,
        entry.delete,
        lambda: AuditRecord.objects.update(reason="x"),
        lambda: AuditRecord.objects.filter(seq=1).delete(),
        lambda: AuditRecord.objects.bulk_update([entry], ["reason"]),
    ):
        with pytest.raises(AppendOnlyError):
            attempt()


@pytest.mark.parametrize(
    ("statement", "bad"),
    [
        ("UPDATE audit_auditrecord SET reason='x' WHERE seq=3", 3),
        ("UPDATE audit_auditrecord SET facts='{\"n\": 7}' WHERE seq=2", 2),
        ("UPDATE audit_auditrecord SET at='2020-01-01 00:00:00' WHERE seq=4", 4),
        ("UPDATE audit_auditrecord SET source_ip='1.2.3.4' WHERE seq=1", 1),
        ("DELETE FROM audit_auditrecord WHERE seq=3", 3),
        ("DELETE FROM audit_auditrecord WHERE seq=5", 5),
        ("DELETE FROM audit_auditrecord WHERE seq>2", 3),
        ("DELETE FROM audit_auditrecord", 1),
        ("DELETE FROM audit_audithead", 1),
    ],
)
def test_chain__tampered_with__names_the_first_bad_record(unguarded: None, statement: str, bad: int) -> None:
    _sql(statement)
    verdict = verify()
    assert (verdict["ok"], verdict["first_bad_seq"]) == (False, bad)
    with pytest.raises(CommandError, match=f"record {bad} is the first damaged one"):
        call_command("hawser_audit", "verify")


def test_chain__rewritten_from_the_middle__head_gives_it_away(unguarded: None) -> None:
    """An intruder who holds the key computes all hashes after the change again, but for the head's."""
    last = AuditRecord.objects.get(seq=2).hash
    for seq in (3, 4, 5):
        plain = {name: getattr(AuditRecord.objects.get(seq=seq), name) for name in chain.FIELDS}
        plain |= {"at": chain.time_text(plain["at"]), "actor": "mallory", "prev_hash": last}
        last = chain.hash_of({**plain, "key_id": key_ring().newest_id}, key_ring().newest)
        _sql(
            f"UPDATE audit_auditrecord SET actor='mallory', prev_hash='{plain['prev_hash']}', hash='{last}'"
            f" WHERE seq={seq}"
        )
    assert verify()["first_bad_seq"] == 5


def test_chain__any_single_bit_of_an_export__is_found(five: None) -> None:
    from backend.audit.selectors import as_plain

    records = [as_plain(entry) for entry in AuditRecord.objects.order_by("seq")]
    for index, entry in enumerate(records):
        for name in (*chain.KEYED_FIELDS, "hash"):
            changed = {**entry, name: 99 if isinstance(entry[name], int) else f"{entry[name]}x"}
            found, _ = chain.walk([*records[:index], changed, *records[index + 1 :]], key_ring().secrets)
            assert found is not None, name
            assert found.seq in (index + 1, index + 2), name


def test_record__rolled_back_transaction__leaves_no_gap(emptied: None) -> None:
    record(actor="zoe", action="test:thing:a")
    with transaction.atomic():
        record(actor="zoe", action="test:thing:b")
        transaction.set_rollback(True)
    record(actor="zoe", action="test:thing:c")
    assert list(AuditRecord.objects.order_by("seq").values_list("seq", "action")) == [
        (1, OPENING),
        (2, "test:thing:a"),
        (3, "test:thing:c"),
    ]
    assert verify()["ok"]


def test_record__many_writers__one_gapless_chain(emptied: None) -> None:
    record(actor="zoe", action="test:thing:first")

    def write(actor: str) -> None:
        for k in range(10):
            record(actor=actor, action=f"test:thing:do_{k}")

    concurrently(*(partial(write, f"w{n}") for n in range(6)))
    assert list(AuditRecord.objects.order_by("seq").values_list("seq", flat=True)) == list(range(1, 63))
    assert AuditHead.objects.get().seq == 62
    assert verify()["ok"]


def test_record__longer_than_a_page__read_page_by_page_and_whole(five: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of years must not be held in memory at once: every query has a bound."""
    monkeypatch.setattr(selectors, "CHUNK", 2)
    with CaptureQueriesContext(connection) as asked:
        assert verify()["ok"]
        exported = [json.loads(line)["seq"] for line in selectors.export_jsonl(AuditRecord.objects.all())]
    assert exported == [1, 2, 3, 4, 5]
    pages = [query["sql"] for query in asked if "audit_auditrecord" in query["sql"] and "MAX(" not in query["sql"]]
    assert len(pages) >= 2 * 3
    assert all(sql.rstrip().endswith(("LIMIT 2", "LIMIT 1")) for sql in pages)


def test_command__verify_and_export__work_without_the_web(five: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("hawser_audit", "verify")
    assert "ok: 5 records" in capsys.readouterr().out
    call_command("hawser_audit", "export", "--format", "csv")
    assert capsys.readouterr().out.count("\n") == 7

"""A writer to the console's database without the key is detected by `verify`."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.utils import timezone

from backend.audit import chain, triggers
from backend.audit.keys import key_ring
from backend.audit.models import AuditHead, AuditRecord
from backend.audit.services import open_keyed_chain, record
from backend.audit.verification.walk import verify
from backend.identity.accounts.models import User
from tests.backend.unkeyed_record import unkeyed, unkeyed_hash
from tests.support.console import make_user

__all__ = ["unkeyed"]

ORIGIN = "0" * 64


def _damage() -> tuple[int, str]:
    """Place and kind of what `verify` finds; there is something, and a sentence that says what."""
    verdict = verify()
    assert not verdict["ok"]
    assert verdict["detail"].endswith(".")
    return verdict["first_bad_seq"], verdict["reason"]


def _damage_of(seq: int) -> str:
    """The kind of what `verify` finds at that record."""
    found, reason = _damage()
    assert found == seq
    return reason


@pytest.fixture
def tampered(emptied: None) -> None:
    """Six records and more, a user, and an intruder who dropped the triggers (which commits, on MariaDB)."""
    make_user("nora", "viewer")
    for n in range(5):
        record(actor="zoe", action=f"test:thing:do_{n}", facts={"n": n})
    triggers.remove(connection)


def _sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _set_head(seq: int, digest: str) -> None:
    _sql("UPDATE audit_audithead SET seq=%s, hash=%s", seq, digest)


def _rewrite_from(first: int) -> None:
    """Each record from there on by another actor, the hashes and the head recomputed without the key."""
    last = AuditRecord.objects.get(seq=first - 1).hash if first > 1 else ORIGIN
    for entry in AuditRecord.objects.filter(seq__gte=first).order_by("seq"):
        plain = {name: getattr(entry, name) for name in chain.FIELDS}
        plain |= {"at": chain.time_text(entry.at), "actor": "mallory", "prev_hash": last}
        last = unkeyed_hash(plain)
        _sql(
            "UPDATE audit_auditrecord SET actor='mallory', prev_hash=%s, hash=%s WHERE seq=%s",
            plain["prev_hash"],
            last,
            entry.seq,
        )
    _set_head(AuditHead.objects.get().seq, last)


def test_verify__untouched__ok(emptied: None) -> None:
    record(actor="zoe", action="test:thing:do")
    assert verify()["ok"]


def test_verify__truncated_and_the_head_set_back__found(tampered: None) -> None:
    newest = AuditHead.objects.get().seq
    _sql("DELETE FROM audit_auditrecord WHERE seq > %s", newest - 2)
    _set_head(newest - 2, AuditRecord.objects.get(seq=newest - 2).hash)
    assert _damage() == (newest - 1, "head_forged")


def test_verify__truncated__found(tampered: None) -> None:
    newest = AuditHead.objects.get().seq
    _sql("DELETE FROM audit_auditrecord WHERE seq > %s", newest - 2)
    assert _damage() == (newest - 1, "truncated")


def test_verify__head_forged_and_records_written_since__found_all_the_same(tampered: None) -> None:
    newest = AuditHead.objects.get().seq
    _sql("DELETE FROM audit_auditrecord WHERE seq > %s", newest - 2)
    _set_head(newest - 2, AuditRecord.objects.get(seq=newest - 2).hash)
    record(actor="zoe", action="test:thing:after")
    record(actor="zoe", action="test:thing:after")
    assert _damage() == (newest + 1, "head_forged")


def test_verify__head_taken_from_an_earlier_time__found(tampered: None) -> None:
    earlier = AuditHead.objects.values().get()
    record(actor="zoe", action="test:thing:after")
    AuditHead.objects.update(**earlier)
    assert _damage() == (earlier["seq"] + 1, "past_head")


def test_verify__one_field_changed__found(tampered: None) -> None:
    _sql("UPDATE audit_auditrecord SET actor='mallory' WHERE seq=4")
    assert _damage() == (4, "rewritten")


def test_verify__last_record_changed__found(tampered: None) -> None:
    newest = AuditHead.objects.get().seq
    _sql("UPDATE audit_auditrecord SET actor='mallory' WHERE seq=%s", newest)
    assert _damage() == (newest, "rewritten")


@pytest.mark.parametrize("first", [1, 4])
def test_verify__rewritten_with_hashes_computed_without_the_key__found(tampered: None, first: int) -> None:
    _rewrite_from(first)
    assert _damage() == (first, "forged")


def _insert_forged(key_id: str) -> int:
    """A record at the end, of an actor who did nothing; its number."""
    head = AuditHead.objects.get()
    entry = AuditRecord.objects.get(seq=head.seq)
    plain = {name: getattr(entry, name) for name in chain.FIELDS}
    plain |= {"seq": head.seq + 1, "at": chain.time_text(entry.at), "actor": "anna", "prev_hash": head.hash}
    forged = unkeyed_hash(plain)
    values = {**plain, "at": entry.at, "key_id": key_id}
    AuditRecord.objects.bulk_create([AuditRecord(**values, hash=forged)])
    _set_head(head.seq + 1, forged)
    return head.seq + 1


def test_verify__record_inserted_at_the_end_with_the_newest_key_named__found(tampered: None) -> None:
    assert _damage_of(_insert_forged(key_ring().newest_id)) == "forged"


def test_verify__record_inserted_without_a_key__found(tampered: None) -> None:
    assert _damage_of(_insert_forged("")) == "unkeyed_after_keyed"


def test_verify__record_inserted_with_an_unknown_key_named__found(tampered: None) -> None:
    assert _damage_of(_insert_forged("ff")) == "key_missing"


def test_verify__emptied_and_the_head_set_to_nothing__found(tampered: None) -> None:
    _sql("DELETE FROM audit_auditrecord")
    _set_head(0, ORIGIN)
    assert _damage() == (1, "empty")


def test_verify__emptied_and_begun_again__found(tampered: None) -> None:
    User.objects.update(created_at=timezone.now() - timedelta(hours=1))
    _sql("DELETE FROM audit_auditrecord")
    _sql("UPDATE audit_audithead SET seq=0, hash=%s, installation_id='', key_id='', mac=''", ORIGIN)
    record(actor="zoe", action="test:thing:after")
    assert _damage() == (1, "truncated")


def test_verify__nothing_there_but_a_user__is_not_ok(db: None) -> None:
    User.objects.create(username="nora", role="viewer")
    assert _damage() == (1, "empty")


def test_verify__nobody_ever_used_the_console__ok(db: None) -> None:
    assert (verify()["ok"], verify()["records"]) == (True, 0)


def test_verify__keyed_records_behind_unkeyed_ones__ok(unkeyed: None) -> None:
    assert open_keyed_chain()
    record(actor="zoe", action="test:thing:after")
    assert (verify()["ok"], verify()["records"]) == (True, 5)
    assert AuditRecord.objects.get(seq=4).facts["unkeyed_records"] == 3
    assert not open_keyed_chain()


def test_verify__unkeyed_past_rewritten__the_first_keyed_record_gives_it_away(unkeyed: None) -> None:
    open_keyed_chain()
    triggers.remove(connection)
    entry = AuditRecord.objects.get(seq=3)
    plain = {name: getattr(entry, name) for name in chain.FIELDS} | {
        "at": chain.time_text(entry.at),
        "actor": "mallory",
    }
    _sql("UPDATE audit_auditrecord SET actor='mallory', hash=%s WHERE seq=3", unkeyed_hash(plain))
    assert _damage() == (4, "rewritten")


def test_verify__head_without_a_mac__is_not_believed(unkeyed: None) -> None:
    record(actor="zoe", action="test:thing:after")
    assert _damage() == (5, "head_forged")


def test_keys__new_one_in_front__both_verify_and_the_old_one_is_missed(emptied: None, settings: Any) -> None:
    old, new = settings.HAWSER_AUDIT_KEYS, base64.urlsafe_b64encode(b"n" * 32).decode()
    record(actor="zoe", action="test:thing:old")
    settings.HAWSER_AUDIT_KEYS = [new, *old]
    record(actor="zoe", action="test:thing:new")
    assert verify()["ok"]
    settings.HAWSER_AUDIT_KEYS = [new]
    assert _damage() == (1, "key_missing")


@pytest.mark.parametrize("keys", [[], ["abc"], ["x" * 40], ["!" * 44]])
def test_keys__unusable__named_with_the_setting(db: None, settings: Any, keys: list[str]) -> None:
    settings.HAWSER_AUDIT_KEYS = keys
    with pytest.raises(ImproperlyConfigured, match="HAWSER_AUDIT_KEY"):
        key_ring()

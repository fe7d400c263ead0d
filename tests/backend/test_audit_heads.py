"""A head kept outside shows what the database alone cannot: a cut, a rollback, a record begun again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from backend.audit import heads, triggers
from backend.audit.models import AuditHead, AuditRecord
from backend.audit.services import record
from backend.audit.verification import full_walk, signed_heads
from backend.audit.verification.signed_heads import SignedHead, SignedHeadError
from backend.audit.verification.walk import verify


def _write(count: int) -> None:
    for n in range(count):
        record(actor="zoe", action=f"test:thing:do_{n}")


def _verify_with(path: Path) -> None:
    call_command("hawser_audit", "verify", "--head", str(path))


@pytest.fixture
def rolled_back(emptied: None) -> tuple[SignedHead, SignedHead]:
    """An old backup was put back whole; the heads of then and of the newest record."""
    _write(3)
    old = AuditHead.objects.values().get()
    before = signed_heads.current()
    _write(2)
    after = signed_heads.current()
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM audit_auditrecord WHERE seq > %s", [old["seq"]])
    AuditHead.objects.update(**old)
    return before, after


def test_verify__rolled_back_to_an_old_copy__only_the_head_outside_knows(
    rolled_back: tuple[SignedHead, SignedHead],
) -> None:
    before, after = rolled_back
    assert verify()["ok"]
    assert verify([before])["ok"]
    verdict = verify([before, after])
    assert (verdict["first_bad_seq"], verdict["reason"]) == (after.seq, "rolled_back")
    assert after.at in verdict["detail"]


def test_verify__rewritten_by_a_holder_of_the_key__the_head_outside_names_the_record(emptied: None) -> None:
    _write(3)
    external = signed_heads.current()
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM audit_auditrecord WHERE seq = %s", [external.seq])
    head = AuditHead.objects.get()
    head.seq, head.hash = external.seq - 1, AuditRecord.objects.get(seq=external.seq - 1).hash
    heads.sign(head)
    record(actor="mallory", action="test:thing:other")
    assert verify()["ok"]
    verdict = verify([external])
    assert (verdict["first_bad_seq"], verdict["reason"]) == (external.seq, "rewritten_since_head")


def test_verify__emptied_and_begun_again__the_head_outside_is_of_another_installation(emptied: None) -> None:
    _write(3)
    external = signed_heads.current()
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM audit_auditrecord")
    AuditHead.objects.all().delete()
    _write(5)
    assert verify()["ok"]
    verdict = verify([external])
    assert (verdict["first_bad_seq"], verdict["reason"]) == (1, "rolled_back")
    assert external.installation_id in verdict["detail"]


def test_command__anchor_then_verify__reads_what_it_wrote(
    emptied: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "heads.jsonl"
    for _ in range(2):
        _write(2)
        call_command("hawser_audit", "anchor", "--file", str(path))
    assert [json.loads(line)["seq"] for line in path.read_text().splitlines()] == [3, 5]
    _verify_with(path)
    assert "ok: 5 records" in capsys.readouterr().out
    call_command("hawser_audit", "head")
    assert json.loads(capsys.readouterr().out)["seq"] == 5


def test_command__rolled_back__exits_with_the_reason(
    rolled_back: tuple[SignedHead, SignedHead], tmp_path: Path
) -> None:
    path = tmp_path / "heads.jsonl"
    path.write_text("".join(head.line + "\n" for head in rolled_back))
    with pytest.raises(CommandError, match="rolled_back"):
        _verify_with(path)


def test_head__another_hash_put_in__is_refused(emptied: None) -> None:
    _write(3)
    with pytest.raises(SignedHeadError, match="The head was refused"):
        signed_heads.parse(replace(signed_heads.current(), hash="0" * 64).line, "The head")


@pytest.mark.parametrize(
    "change", [{"seq": 2}, {"hash": "0" * 64}, {"at": "2020-01-01T00:00:00.000000Z"}, {"key_id": "ff"}, {"mac": ""}]
)
def test_head__changed_outside__is_refused_by_its_line(emptied: None, tmp_path: Path, change: dict[str, Any]) -> None:
    _write(3)
    path = tmp_path / "heads.jsonl"
    head = signed_heads.current()
    path.write_text(f"{head.line}\n\n{replace(head, **change).line}\n")
    with pytest.raises(CommandError, match=r"Line 3 of .*heads\.jsonl was refused because its MAC does not match"):
        _verify_with(path)


@pytest.mark.parametrize("text", ["x", "[]", "{}", '{"seq": 1}', "null"])
def test_head__no_head_at_all__is_named(emptied: None, tmp_path: Path, text: str) -> None:
    path = tmp_path / "heads.jsonl"
    path.write_text(text)
    with pytest.raises(CommandError, match=r"Line 1 of .* is not a signed head"):
        _verify_with(path)
    with pytest.raises(CommandError, match="Could not read"):
        _verify_with(tmp_path / "nothing")


def test_head__set_by_somebody_else__is_not_signed(emptied: None, tmp_path: Path) -> None:
    _write(3)
    AuditHead.objects.update(seq=2)
    with pytest.raises(CommandError, match="did not set the current head"):
        call_command("hawser_audit", "anchor", "--file", str(tmp_path / "heads.jsonl"))
    assert not (tmp_path / "heads.jsonl").exists()


def test_command__anchor_to_a_folder_that_is_not_there__says_so(emptied: None, tmp_path: Path) -> None:
    _write(1)
    with pytest.raises(CommandError, match="Could not append to"):
        call_command("hawser_audit", "anchor", "--file", str(tmp_path / "no" / "heads.jsonl"))


def test_full_walk__heads_of_the_settings_file__are_looked_up_and_garbage_is_passed_over(
    rolled_back: tuple[SignedHead, SignedHead], tmp_path: Path, settings: Any
) -> None:
    path = tmp_path / "heads.jsonl"
    path.write_text("garbage\n" + "".join(head.line + "\n" for head in rolled_back))
    settings.HAWSER_AUDIT_HEAD_FILE = str(path)
    found = full_walk.advance()
    assert found is not None
    assert found.reason == "rolled_back"

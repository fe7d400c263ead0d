"""An archive is verified without a database: whatever is damaged or missing in it is refused by name."""

from __future__ import annotations

import base64
import io
import resource
import secrets
import stat
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.conf import settings as configured
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from backend.audit.models import AuditHead
from backend.audit.services import record
from backend.audit.triggers import TABLE
from backend.clusters.models import Link
from backend.config.backup import rows, schema, writing
from backend.config.backup.errors import BackupError
from backend.config.backup.reading import open_archive
from backend.config.backup.restoring import check_version
from backend.config.backup.writing import write_archive
from backend.monitoring.models import LagBucket
from tests.backend.backup import damage
from tests.support.console import make_link, make_user, store_plan


@pytest.fixture
def archive(emptied: None, tmp_path: Path) -> Path:
    """A backup of a console with a link, a plan, a user and five audit records."""
    store_plan(make_link())
    make_user("nora", "admin")
    for n in range(5):
        record(actor="zoe", action="test:thing:do", facts={"n": n, "text": "ä\n→ 'quoted'"})
    path = tmp_path / "whole.zip"
    write_archive(path, now=timezone.now())
    return path


def _verified(path: Path) -> str:
    with open_archive(path) as found:
        return found.verify()


def _refusal(path: Path) -> str:
    with pytest.raises(BackupError) as refused:
        _verified(path)
    return str(refused.value)


def test_archive__just_written__verifies_and_only_its_owner_reads_it(archive: Path) -> None:
    assert _verified(archive) == ""
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    with open_archive(archive) as found:
        assert found.manifest.audit_seq == AuditHead.objects.get().seq
        counts = {part.name: part.rows for part in found.manifest.parts}
    assert (counts[TABLE], counts["accounts_user"], counts["runs_plan"], counts["clusters_link"]) == (
        AuditHead.objects.get().seq,
        1,
        1,
        1,
    )


def test_archive__any_part_changed__is_refused_by_its_name(archive: Path, tmp_path: Path) -> None:
    for number, name in enumerate(damage.members(archive)):
        changed = damage.with_part(archive, tmp_path / f"{number}.zip", name, b"[1]\n")
        assert name in _refusal(changed)
        missing = damage.with_part(archive, tmp_path / f"{number}-missing.zip", name, None)
        assert name in _refusal(missing)


def test_archive__one_byte_of_a_part_flipped__is_refused_by_its_name(archive: Path, tmp_path: Path) -> None:
    content = bytearray(archive.read_bytes())
    with zipfile.ZipFile(archive) as file:
        found = {info.filename: info for info in file.infolist() if info.file_size > 20}
    for name, info in found.items():
        changed = content.copy()
        changed[info.header_offset + 30 + len(name) + info.compress_size // 2] ^= 0x55
        (tmp_path / "flipped.zip").write_bytes(changed)
        assert "damaged" in _refusal(tmp_path / "flipped.zip"), name


@pytest.mark.parametrize("retained", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_archive__truncated__is_refused(archive: Path, tmp_path: Path, retained: float) -> None:
    content = archive.read_bytes()
    (tmp_path / "cut.zip").write_bytes(content[: int(len(content) * retained)])
    assert "damaged or truncated" in _refusal(tmp_path / "cut.zip")


def test_archive__member_that_the_manifest_does_not_name__is_refused(archive: Path) -> None:
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("tables/more.jsonl", "[1]\n")
    assert "tables/more.jsonl" in _refusal(archive)


def test_archive__manifest_changed_under_its_mac__is_refused(archive: Path, tmp_path: Path) -> None:
    forged = damage.with_forged_manifest(archive, tmp_path / "forged.zip", audit_seq=1)
    assert "its MAC is wrong" in _refusal(forged)


def test_archive__missing_file_or_no_archive__is_refused(emptied: None, tmp_path: Path) -> None:
    assert "No such file" in _refusal(tmp_path / "none.zip")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("a", "b")
    assert "no backup of Hawser" in _refusal(tmp_path / "other.zip")


def test_archive__another_audit_key__is_refused_with_the_id_of_the_missing_one(archive: Path, settings: Any) -> None:
    with open_archive(archive) as found:
        needed = found.manifest.audit_keys[0]
    settings.HAWSER_AUDIT_KEYS = [base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()]
    assert f"the audit key {needed}" in _refusal(archive)


def test_archive__another_credentials_key__is_refused_with_the_id_of_the_missing_one(
    archive: Path, settings: Any
) -> None:
    with open_archive(archive) as found:
        needed = found.manifest.credentials_keys[0]
    settings.HAWSER_CREDENTIALS_KEYS = [Fernet.generate_key().decode()]
    assert f"HAWSER_CREDENTIALS_KEY does not list the key {needed}" in _refusal(archive)


def test_archive__keys__are_not_in_it(archive: Path) -> None:
    with zipfile.ZipFile(archive) as file:
        content = b"".join(file.read(name) for name in file.namelist())
    for key in (*configured.HAWSER_AUDIT_KEYS, *configured.HAWSER_CREDENTIALS_KEYS, configured.SECRET_KEY):
        assert key.encode() not in content


def test_archive__chain_broken_before_the_backup__is_told(archive: Path, tmp_path: Path) -> None:
    shorter = damage.with_manifest(archive, tmp_path / "later.zip", audit_seq=99)
    assert "names record 99" in _verified(shorter)
    with pytest.raises(CommandError, match="the audit log in it is damaged"):
        call_command("hawser_backup", "--verify", str(shorter))


@pytest.mark.parametrize(
    ("changes", "reported"),
    [
        ({"migrations": [("runs", "0099_later")]}, "does not have: runs.0099_later"),
        ({"migrations": [("runs", "0001_initial")]}, "does not have: runs.0001_initial"),
        ({"vendor": "oracle"}, "is of oracle"),
    ],
)
def test_version__with_later_migrations_or_of_another_database__is_refused(
    archive: Path, tmp_path: Path, changes: dict[str, Any], reported: str
) -> None:
    other = damage.with_manifest(archive, tmp_path / "other.zip", **changes)
    with open_archive(other) as found, pytest.raises(BackupError, match=reported):
        check_version(found.manifest)


def test_version__with_all_migrations_that_one_replaces__is_known(archive: Path, tmp_path: Path) -> None:
    replaced = MigrationLoader(None).replacements["audit", "0001_squashed"].replaces
    older = damage.with_manifest(archive, tmp_path / "older.zip", migrations=replaced)
    with open_archive(older) as found:
        check_version(found.manifest)


def test_version__newer__is_refused_with_both_versions(archive: Path, tmp_path: Path) -> None:
    newer = damage.with_manifest(archive, tmp_path / "newer.zip", version="99.0.1")
    reported = f"made by Hawser 99.0.1, this is {configured.HAWSER_VERSION}"
    with open_archive(newer) as found, pytest.raises(BackupError, match=reported):
        check_version(found.manifest)


def test_backup__of_many_rows__is_read_in_bounded_pages(emptied: None, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(rows, "PAGE_BYTES", 2_000)
    for n in range(120):
        record(actor="zoe", action="test:thing:do", facts={"n": n, "long": "x" * (n * 10)})
    pages: list[int] = []
    read = rows._page

    def page(*args: Any, **options: Any) -> Any:
        found = read(*args, **options)
        pages.append(len(found))
        return found

    monkeypatch.setattr(rows, "_page", page)
    write_archive(tmp_path / "b.zip", now=timezone.now())
    assert _verified(tmp_path / "b.zip") == ""
    assert max(pages) <= rows._FIRST_PAGE
    assert len([size for size in pages if 0 < size <= 8]) > 10


def test_backup__table_with_a_key_of_three_columns__has_each_row_once(
    emptied: None, link: Link, monkeypatch: Any
) -> None:
    monkeypatch.setattr(rows, "PAGE_BYTES", 500)
    known = dict.fromkeys((f"{way}_{what}_known" for way in ("forward", "reverse") for what in ("gap", "lag_s")), 0)
    moments = [timezone.now() - timedelta(seconds=10 * n) for n in range(60)]
    LagBucket.objects.bulk_create(
        LagBucket(link=link, width_s=width, at=at, samples=1, **known) for at in moments for width in (10, 60)
    )
    loader = MigrationLoader(connection)
    tables = schema.tables_at(loader, schema.applied_migrations(loader))
    table = next(table for table in tables if table.name == "monitoring_lagbucket")
    assert len(table.key) == 3
    found = list(rows.lines(table))
    assert len(found) == len(set(found)) == 120


def _backup(to: Path) -> str:
    out = io.StringIO()
    call_command("hawser_backup", "--to", str(to), stdout=out)
    return out.getvalue()


def test_backup__into_a_folder__names_the_file_and_the_needed_keys(emptied: None, tmp_path: Path) -> None:
    reported = _backup(tmp_path)
    (made,) = tmp_path.iterdir()
    assert made.name.startswith(f"hawser-{configured.HAWSER_VERSION}-")
    assert str(made) in reported
    assert "HAWSER_AUDIT_KEY with" in reported
    assert _verified(made) == ""


@pytest.mark.parametrize(
    ("target", "reported"),
    [("there.zip", "exists already"), ("missing/b.zip", "does not exist"), ("there.zip/b.zip", "does not exist")],
)
def test_backup__target_that_cannot_be__is_refused(emptied: None, tmp_path: Path, target: str, reported: str) -> None:
    (tmp_path / "there.zip").write_text("older")
    with pytest.raises(CommandError, match=reported):
        _backup(tmp_path / target)
    assert (tmp_path / "there.zip").read_text() == "older"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("where", ["rows", "time"])
def test_backup__fails_midway__nothing_stays(emptied: None, tmp_path: Path, monkeypatch: Any, where: str) -> None:
    record(actor="zoe", action="test:thing:do")
    if where == "time":
        monkeypatch.setattr(writing, "LIMIT_S", -1)
        reported = "was not finished"
    else:
        monkeypatch.setattr(rows, "encode", _no_space)
        reported = "No space left"
    with pytest.raises(CommandError, match=reported):
        _backup(tmp_path / "b.zip")
    assert list(tmp_path.iterdir()) == []


def test_backup__disk_full__says_so_and_leaves_no_file(archive: Path, tmp_path: Path) -> None:
    """A limit on the size of files ends a write as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (archive.stat().st_size // 2, before[1]))
    try:
        with pytest.raises(BackupError, match=r"full\.zip cannot be written: File too large"):
            write_archive(tmp_path / "full.zip", now=timezone.now())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == [archive]


def _no_space(*_: Any) -> bytes:
    raise OSError(28, "No space left on device")


def test_backup__recorded_before_it_is_made__and_holds_its_own_record(emptied: None, tmp_path: Path) -> None:
    _backup(tmp_path / "b.zip")
    with open_archive(tmp_path / "b.zip") as found:
        records = list(found.rows(found.manifest.part(TABLE)))
    assert "cli:console:backup" in records[-1]


def test_values__of_a_type_that_json_cannot_hold__are_refused(db: None) -> None:
    table = writing.Table("t", ("id",), ("id",))
    with pytest.raises(BackupError, match="t has a value of the type bytes"):
        rows.encode([b"x"], table)

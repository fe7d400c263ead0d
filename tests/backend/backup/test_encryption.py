"""An archive encrypted to a recipient is opened by its identity alone, and is in clear nowhere on the disk."""

from __future__ import annotations

import io
import resource
import shutil
import subprocess
from pathlib import Path

import pyrage
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.audit.services import record
from backend.config.backup.errors import BackupError
from backend.config.backup.reading import open_archive
from backend.config.backup.writing import write_archive

CANARY = "kanarienvogel-9"


@pytest.fixture
def identity() -> pyrage.x25519.Identity:
    """A new identity of age."""
    return pyrage.x25519.Identity.generate()


@pytest.fixture
def identity_file(identity: pyrage.x25519.Identity, tmp_path: Path) -> Path:
    """The identity in a file as age-keygen writes it, in a folder of its own."""
    path = tmp_path / "keys" / "identity"
    path.parent.mkdir()
    path.write_text(f"# created: 2026-11-27\n# public key: {identity.to_public()}\n{identity}\n")
    return path


@pytest.fixture
def folder(emptied: None, tmp_path: Path) -> Path:
    """Where backups go, of a console with one audit record."""
    record(actor=CANARY, action="test:thing:do")
    path = tmp_path / "backups"
    path.mkdir()
    return path


def _run(*arguments: str) -> str:
    output = io.StringIO()
    call_command("hawser_backup", *arguments, stdout=output)
    return output.getvalue()


def _backup(folder: Path, identity: pyrage.x25519.Identity) -> Path:
    _run("--to", str(folder), "--recipient", str(identity.to_public()))
    (path,) = folder.iterdir()
    return path


def test_backup__to_a_recipient__is_encrypted_and_verified_with_the_identity(
    folder: Path, identity: pyrage.x25519.Identity, identity_file: Path
) -> None:
    path = _backup(folder, identity)
    assert path.name.endswith(".zip.age")
    assert path.stat().st_mode & 0o777 == 0o600
    content = path.read_bytes()
    assert content.startswith(b"age-encryption.org/v1\n")
    assert b"manifest.json" not in content
    assert _run("--verify", str(path), "--identity", str(identity_file)).startswith("ok: made at")


def test_backup__to_two_recipients__opened_by_each_and_by_no_other(folder: Path) -> None:
    two = [pyrage.x25519.Identity.generate() for _ in range(2)]
    path = folder / "b.zip.age"
    write_archive(path, now=timezone.now(), recipients=[one.to_public() for one in two])
    for one in two:
        with open_archive(path, [one]) as archive:
            assert archive.verify() == ""
    with pytest.raises(BackupError, match="another one, or the file is damaged"):
        open_archive(path, [pyrage.x25519.Identity.generate()]).__enter__()


def test_verify__encrypted_without_an_identity__says_what_to_give(
    folder: Path, identity: pyrage.x25519.Identity
) -> None:
    path = _backup(folder, identity)
    with pytest.raises(CommandError, match=r"is encrypted: name the file of an identity of age with --identity"):
        _run("--verify", str(path))


@pytest.mark.parametrize("at", [0.5, 0.99])
def test_verify__one_byte_changed__refused(
    folder: Path, identity: pyrage.x25519.Identity, identity_file: Path, at: float
) -> None:
    path = _backup(folder, identity)
    content = bytearray(path.read_bytes())
    content[int(len(content) * at)] ^= 1
    path.write_bytes(content)
    with pytest.raises(CommandError, match="cannot be decrypted"):
        _run("--verify", str(path), "--identity", str(identity_file))


def test_backup__recipient_that_is_none__refused_before_anything_is_written(folder: Path) -> None:
    with pytest.raises(CommandError, match=r"--recipient age1wrong is no recipient of age"):
        _run("--to", str(folder), "--recipient", "age1wrong")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("AGE-SECRET-KEY-1WRONG\n", r"Line 1 of .* is no identity of age"),
        ("# nothing\n", "holds no identity of age"),
        (None, "cannot be read"),
    ],
)
def test_identity_file__wrong__named_without_its_content(tmp_path: Path, text: str | None, reported: str) -> None:
    path = tmp_path / "identity"
    if text is not None:
        path.write_text(text)
    with pytest.raises(CommandError, match=reported) as refused:
        _run("--verify", str(tmp_path / "b.zip"), "--identity", str(path))
    assert "WRONG" not in str(refused.value)


def test_backup__encrypted_and_disk_full__says_so_and_leaves_no_file(
    folder: Path, identity: pyrage.x25519.Identity
) -> None:
    """A limit on the size of files ends a write as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(BackupError, match=r"cannot be written"):
            write_archive(folder / "b.zip.age", now=timezone.now(), recipients=[identity.to_public()])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(shutil.which("age") is None, reason="the program age is not installed")
def test_archive__opened_by_the_program_age__is_the_archive(
    folder: Path, identity: pyrage.x25519.Identity, identity_file: Path, tmp_path: Path
) -> None:
    path = _backup(folder, identity)
    clear = tmp_path / "clear.zip"
    subprocess.run(["age", "--decrypt", "-i", str(identity_file), "-o", str(clear), str(path)], check=True, timeout=30)
    with open_archive(clear) as archive:
        assert archive.verify() == ""

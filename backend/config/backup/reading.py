"""Reads an archive and verifies it without a database: every part, the keys, and the chain of the audit log."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pyrage

from backend.audit import chain
from backend.audit.keys import key_ring
from backend.audit.triggers import TABLE as AUDIT_TABLE
from backend.config.backup import manifest as manifests
from backend.config.backup.encryption import opened
from backend.config.backup.errors import BackupError
from backend.config.backup.manifest import Manifest, Part
from backend.config.backup.rows import Digest, decode
from backend.config.backup.writing import MANIFEST

MAX_MANIFEST_BYTES: Final = 8_000_000
MAX_LINE_BYTES: Final = 1_073_741_824
"""The largest packet of MariaDB: no row can be longer."""
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError)


class Archive:
    """An open archive whose manifest was verified."""

    def __init__(self, file: zipfile.ZipFile, manifest: Manifest) -> None:
        self._file = file
        self.manifest = manifest

    def lines(self, part: Part) -> Iterator[bytes]:
        """The rows of a table as lines; BackupError at the end if they are not those that were written."""
        digest = Digest()
        try:
            with self._file.open(part.file) as stream:
                while line := stream.readline(MAX_LINE_BYTES):
                    digest.add(line)
                    if digest.size > part.size:
                        break
                    yield line
        except _DAMAGE as error:
            raise BackupError(f"{part.file} is damaged: {error}") from error
        if (digest.rows, digest.size, digest.sha256) != (part.rows, part.size, part.sha256):
            raise BackupError(f"{part.file} is damaged: its checksum is wrong")

    def rows(self, part: Part) -> Iterator[list[Any]]:
        """The rows of a table as values."""
        return (decode(line) for line in self.lines(part))

    def verify(self) -> str:
        """Verify every part and the keys; returns the damage of the audit log's chain, blank if it is intact."""
        check_keys(self.manifest)
        for part in self.manifest.parts:
            for _line in self.lines(part):
                pass
        return self._damage_of_chain()

    def _damage_of_chain(self) -> str:
        head = chain.ChainEnd(self.manifest.audit_seq, self.manifest.audit_hash)
        records = _audit_records(self.rows(self.manifest.part(AUDIT_TABLE)), self.manifest)
        found, end = chain.walk(records, key_ring().secrets, head_hash=head.hash)
        if found is not None:
            return found.detail
        if (end.seq, end.hash) != (head.seq, head.hash) and head.seq:
            return f"The audit log ends at record {end.seq}, its head names record {head.seq}."
        return ""


@contextmanager
def open_archive(path: Path, identities: Sequence[pyrage.x25519.Identity] = ()) -> Iterator[Archive]:
    """An archive whose manifest is genuine and names every member; raises BackupError."""
    try:
        with opened(path, identities) as clear, zipfile.ZipFile(clear) as file:
            yield Archive(file, _manifest_of(file))
    except zipfile.BadZipFile as error:
        raise BackupError(f"{path} is damaged or truncated: {error}") from error
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror or error}") from error


def check_keys(manifest: Manifest) -> None:
    """Refuse if a key is missing with which the archive's records or secrets were written."""
    for setting, needed, listed in (
        ("HAWSER_AUDIT_KEY", manifest.audit_keys, set(key_ring().secrets)),
        ("HAWSER_CREDENTIALS_KEY", manifest.credentials_keys, set(manifests.credentials_key_ids())),
    ):
        if missing := sorted(set(needed) - listed):
            raise BackupError(f"{setting} does not list the key {', '.join(missing)}, which the archive needs")


def _manifest_of(file: zipfile.ZipFile) -> Manifest:
    names = file.namelist()
    if MANIFEST not in names or file.getinfo(MANIFEST).file_size > MAX_MANIFEST_BYTES:
        raise BackupError("The archive has no manifest.json, so it is no backup of Hawser")
    try:
        manifest = manifests.read(file.read(MANIFEST))
    except _DAMAGE as error:
        raise BackupError(f"manifest.json is damaged: {error}") from error
    expected = sorted([MANIFEST, *(part.file for part in manifest.parts)])
    if sorted(names) != expected:
        different = ", ".join(sorted(set(names) ^ set(expected))) or "a name twice"
        raise BackupError(f"The archive does not hold what its manifest names: {different}")
    return manifest


def _audit_records(rows: Iterator[list[Any]], manifest: Manifest) -> Iterator[Mapping[str, Any]]:
    """Audit records as they were hashed."""
    columns = manifest.part(AUDIT_TABLE).columns
    for row in rows:
        record = dict(zip(columns, row, strict=True))
        at = datetime.fromisoformat(record["at"]).replace(tzinfo=UTC)
        yield {"key_id": "", **record, "at": chain.time_text(at), "facts": json.loads(record["facts"])}

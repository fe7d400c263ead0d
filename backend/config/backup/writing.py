"""Writes an archive: a ZIP file with one member a table, and the manifest as the last one."""

from __future__ import annotations

import os
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Final

import pyrage
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from backend.audit.chain import time_text
from backend.audit.keys import key_ring
from backend.audit.models import AuditHead
from backend.audit.triggers import TABLE as AUDIT_TABLE
from backend.config.backup import manifest as manifests
from backend.config.backup import rows, schema
from backend.config.backup.encryption import encrypted_to
from backend.config.backup.errors import BackupError
from backend.config.backup.manifest import Manifest, Part
from backend.config.backup.schema import Table
from backend.config.backup.snapshot import snapshot

MANIFEST: Final = "manifest.json"
LIMIT_S: Final = 3600
"""A snapshot keeps every row version that was changed since: it must not stay open without end."""


def write_archive(target: Path, *, now: datetime, recipients: Sequence[pyrage.x25519.Recipient] = ()) -> Manifest:
    """Write the archive, readable by its owner alone, encrypted if there are recipients. On an error nothing stays.

    Raises BackupError.
    """
    part = target.with_name(f"{target.name}.part")
    if target.exists():
        raise BackupError(f"{target} exists already")
    try:
        with _new_file(part, recipients) as stream, snapshot():
            manifest = _write_parts(stream, now)
        _publish(part, target)
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror or error}") from error
    except DatabaseError as error:
        raise BackupError(f"The database could not be read: {error}") from error
    return manifest


@contextmanager
def _new_file(path: Path, recipients: Sequence[pyrage.x25519.Recipient]) -> Iterator[zipfile.ZipFile]:
    """A new file that is removed again on an error."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w+b") as stream:
            with (
                encrypted_to(stream, recipients) if recipients else nullcontext(stream) as clear,
                zipfile.ZipFile(clear, "w", zipfile.ZIP_DEFLATED) as archive,
            ):
                yield archive
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        path.unlink()
        raise


def _publish(part: Path, target: Path) -> None:
    """Give the finished file its name, so that no half of a backup ever has it."""
    part.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write_parts(archive: zipfile.ZipFile, now: datetime) -> Manifest:
    deadline, loader = time.monotonic() + LIMIT_S, MigrationLoader(connection)
    migrations = schema.applied_migrations(loader)
    tables = schema.tables_at(loader, migrations)
    head = AuditHead.objects.get(pk=1)
    manifest = Manifest(
        version=settings.HAWSER_VERSION,
        made_at=time_text(now),
        vendor=connection.vendor,
        migrations=migrations,
        parts=tuple(_write_table(archive, table, deadline) for table in tables),
        audit_seq=head.seq,
        audit_hash=head.hash,
        audit_keys=_audit_keys(),
        credentials_keys=manifests.credentials_key_ids(),
    )
    with archive.open(_member(MANIFEST), "w") as part:
        part.write(manifests.write(manifest))
    return manifest


def _write_table(archive: zipfile.ZipFile, table: Table, deadline: float) -> Part:
    digest = rows.Digest()
    with archive.open(_member(f"tables/{table.name}.jsonl"), "w", force_zip64=True) as part:
        for line in rows.lines(table):
            part.write(line)
            digest.add(line)
            if time.monotonic() > deadline:
                raise BackupError(f"The backup was not finished after {LIMIT_S // 60} minutes, at {table.name}")
    return Part(table.name, table.columns, table.key, digest.rows, digest.size, digest.sha256)


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
    return info


def _audit_keys() -> tuple[str, ...]:
    """Ids of all audit keys that the records need, and of the one that signs."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT DISTINCT key_id FROM {AUDIT_TABLE} WHERE key_id <> ''")  # noqa: S608 - a constant
        used = {str(row[0]) for row in cursor.fetchall()}
    return tuple(sorted(used | {key_ring().newest_id}))

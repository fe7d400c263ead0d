"""Restores an archive into an empty schema; until it has finished, no process starts on that schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyrage
from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader

from backend.audit import guard
from backend.audit.verification.walk import verify
from backend.common import unfinished_restore
from backend.config.backup import loading, schema, target
from backend.config.backup.afterwards import stop_everything
from backend.config.backup.errors import BackupError, UnfinishedRestoreError
from backend.config.backup.manifest import Manifest
from backend.config.backup.reading import Archive, open_archive

Say = Callable[[str], object]


def restore(
    path: Path,
    *,
    actor: str,
    reason: str,
    accepts_damage: bool,
    say: Say,
    identities: Sequence[pyrage.x25519.Identity] = (),
) -> dict[str, Any]:
    """Restore the archive; returns what was stopped in it.

    BackupError: refused, nothing was written. UnfinishedRestoreError: failed later, the schema stays marked.
    """
    with open_archive(path, identities) as archive:
        manifest = archive.manifest
        check_version(manifest)
        damage = archive.verify()
        say(f"verified {len(manifest.parts)} tables with {manifest.rows} rows")
        if damage and not accepts_damage:
            raise BackupError(f"The audit log in the archive is damaged: {damage} See --accept-damaged-audit")
        left_by = _checked_target()
        try:
            _write(archive, path.name, left_by, say)
            return _finish(manifest, actor=actor, reason=reason, damage=damage)
        except (DatabaseError, BackupError, CommandError) as error:
            raise UnfinishedRestoreError(str(error)) from error


def _checked_target() -> str:
    try:
        return target.check_target()
    except DatabaseError as error:
        raise BackupError(f"The database does not answer: {error}") from error


def check_version(manifest: Manifest) -> None:
    """Refuse an archive of a newer version, or of another kind of database."""
    if _numbers(manifest.version) > _numbers(settings.HAWSER_VERSION):
        raise BackupError(
            f"The archive was made by Hawser {manifest.version}, this is {settings.HAWSER_VERSION}. Install "
            f"{manifest.version} or newer first"
        )
    loader = MigrationLoader(None)
    if unknown := schema.unknown_migrations(loader, schema.squashed(loader, manifest.migrations)):
        raise BackupError(
            f"The archive was made by Hawser {manifest.version} with migrations that this version, "
            f"{settings.HAWSER_VERSION}, does not have: {unknown}"
        )
    if manifest.vendor != connection.vendor:
        raise BackupError(f"The archive is of {manifest.vendor}, this database is {connection.vendor}")


def _write(archive: Archive, name: str, left_by: str, say: Say) -> None:
    if left_by:
        say(f"dropping the tables that the unfinished restore of {left_by} left")
        target.drop_tables()
    unfinished_restore.mark(name)
    loading.make_schema(archive.manifest)
    loading.load(archive)
    say("loaded all rows; counts and checksums of all tables are those of the archive")
    loading.migrate_up()


def _finish(manifest: Manifest, *, actor: str, reason: str, damage: str) -> dict[str, Any]:
    if not damage:
        _check_audit_log(manifest)
    if guard.unguarded(connection):
        raise BackupError("The triggers of the audit log are missing")
    target.refuse_processes(target.processes_since_start())
    with transaction.atomic():
        stopped = stop_everything(manifest, actor=actor, reason=reason, damage=damage)
        unfinished_restore.unmark()
    return stopped


def _check_audit_log(manifest: Manifest) -> None:
    verdict = verify()
    if not verdict["ok"]:
        raise BackupError(f"The restored audit log is damaged: {verdict['detail']}")
    if verdict["head"]["seq"] < manifest.audit_seq:
        raise BackupError(f"The restored audit log ends at {verdict['head']['seq']}, before {manifest.audit_seq}")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())

"""Makes the schema by the archive's migrations, and fills it with the archive's rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from backend.config.backup import rows, schema
from backend.config.backup.errors import BackupError
from backend.config.backup.manifest import Manifest, Part
from backend.config.backup.reading import Archive

BATCH_ROWS: Final = 1000
BATCH_BYTES: Final = 1_000_000


def make_schema(manifest: Manifest) -> None:
    """Migrate to exactly the state of the archive, and empty what the migrations themselves filled."""
    executor = MigrationExecutor(connection)
    archived = schema.squashed(executor.loader, manifest.migrations)
    executor.migrate(schema.last_of(executor.loader, archived))
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for part in manifest.parts:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(part.name)}")  # noqa: S608 - a quoted name


def load(archive: Archive) -> None:
    """Insert all rows, then compare each table with its checksum and every reference with its row."""
    with connection.constraint_checks_disabled():
        for part in archive.manifest.parts:
            for batch in _batches(archive, part):
                with transaction.atomic():
                    rows.insert(part.table, batch)
    for part in archive.manifest.parts:
        found = rows.digest_of(part.table)
        if (found.rows, found.sha256) != (part.rows, part.sha256):
            raise BackupError(
                f"{part.name} has {found.rows} rows; the archive has {part.rows}, or their content differs"
            )
    connection.check_constraints()


def migrate_up() -> None:
    """Migrate from the archive's state to that of this version."""
    call_command("migrate", interactive=False, verbosity=0)


def _batches(archive: Archive, part: Part) -> Iterator[list[list[Any]]]:
    batch: list[list[Any]] = []
    size = 0
    for line in archive.lines(part):
        batch.append(rows.decode(line))
        size += len(line)
        if len(batch) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch

"""The mark of a restore that is not finished: a row of `django_migrations`, which every account of the console reads.

It is the first row that a restore writes, and goes in its last transaction. While it is there, no process starts.
"""

from __future__ import annotations

from typing import Final

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

APP: Final = "hawser_restore"


def mark(archive: str) -> None:
    """Mark the schema before anything else is written to it."""
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    recorder.record_applied(APP, archive[:200])


def unmark() -> None:
    """Remove the mark, in the transaction that ends the restore."""
    MigrationRecorder(connection).migration_qs.filter(app=APP).delete()


def unfinished_archive() -> str:
    """Name of the archive whose restore is not finished; blank without one, or while the database does not answer.

    A process whose database does not answer does no work either.
    """
    try:
        row = MigrationRecorder(connection).migration_qs.filter(app=APP).values_list("name", flat=True).first()
    except DatabaseError:
        return ""
    return str(row or "")


def refusal() -> str:
    """Why no process may work on this database; blank if one may."""
    archive = unfinished_archive()
    return (
        f"The restore of {archive} into this database did not finish. Run manage.py hawser_restore again."
        if archive
        else ""
    )


def refuse() -> None:
    """Raise CommandError if a restore is not finished."""
    if why := refusal():
        raise CommandError(why)

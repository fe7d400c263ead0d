"""What ends a backup or a restore with a sentence."""

from __future__ import annotations


class BackupError(Exception):
    """A backup that cannot be made, or an archive or a database that a restore refuses. Nothing was written."""


class UnfinishedRestoreError(Exception):
    """A restore that failed after it had begun to write: the schema is marked and no process starts on it."""

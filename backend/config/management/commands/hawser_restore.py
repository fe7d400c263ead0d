"""`hawser_restore` puts an archive of `hawser_backup` into an empty schema."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError
from django.db import connection

from backend.common.commands import ConsoleCommand
from backend.config.backup.encryption import read_identities
from backend.config.backup.errors import BackupError, UnfinishedRestoreError
from backend.config.backup.restoring import restore
from backend.core.plural import pluralize
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import COMMAND_LINE

REFUSED: Final = 1
UNFINISHED: Final = 3


class Command(ConsoleCommand):
    """Writes with the account of HAWSER_MIGRATE_DATABASE_URL, which needs no SUPER."""

    help = (
        "Restore an archive into an empty schema, with no process of the console running. Exit code 1: refused, "
        "nothing was written. Exit code 3: not finished; no process starts on the schema until a restore has finished."
    )
    examples = (
        'hawser_restore /mnt/backup/hawser-0.1.0-20261127T070000Z.zip --reason "disk of the database host lost"',
    )
    requires_system_checks = []  # some of them read tables, which do not exist yet

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The archive and the reason."""
        parser.add_argument("file", metavar="FILE", type=Path, help="archive that hawser_backup wrote")
        parser.add_argument(
            "--identity", metavar="FILE", type=Path, help="identity of age that opens an encrypted archive"
        )
        parser.add_argument("--reason", required=True, help="reason, stored in the audit log")
        parser.add_argument(
            "--accept-damaged-audit",
            action="store_true",
            help="restore although the audit log was damaged before the backup; the damage is recorded",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, and print what a person has to do now."""
        try:
            stopped = restore(
                options["file"],
                identities=read_identities(options["identity"]),
                actor=f"{COMMAND_LINE}{os_user()}",
                reason=options["reason"],
                accepts_damage=options["accept_damaged_audit"],
                say=self.stdout.write,
            )
        except BackupError as error:
            raise CommandError(f"{error}. Nothing was written.", returncode=REFUSED) from error
        except UnfinishedRestoreError as error:
            raise CommandError(
                f"The restore did not finish: {error}. No process starts on this schema. Run hawser_restore again; it "
                "begins by dropping what is there.",
                returncode=UNFINISHED,
            ) from error
        self.stdout.write("restored. Now:")
        for number, step in enumerate(_steps(stopped), start=1):
            self.stdout.write(f"{number}. {step}")


def _steps(stopped: Mapping[str, Any]) -> Iterator[str]:
    if connection.vendor != "sqlite":
        yield "Run hawser_database_grants --apply, so that the run-time account can use the tables."
    yield "Begin a new file for the heads of the audit log (HAWSER_AUDIT_HEAD_FILE), and keep the old one."
    ended = pluralize(stopped["sessions_ended"], "session"), pluralize(stopped["tokens_revoked"], "token")
    yield f"Look through the users before anybody signs in: {ended[0]} and {ended[1]} were ended."
    if runs := stopped["runs_stopped"]:
        yield f"Decide on {pluralize(len(runs), 'run')} that had not finished: {', '.join(runs)}."
    if incidents := stopped["incidents_stopped"]:
        yield f"Decide on {pluralize(len(incidents), 'incident')}: {', '.join(incidents)}."
    if links := stopped["automatic_off"]:
        yield f"Turn automatic relocate or start on again, once their channels were compared: {', '.join(links)}."
    yield "If a link refuses plans with unknown_runs_found, compare its channels and attest (attest_unknown_runs)."

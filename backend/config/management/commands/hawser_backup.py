"""`hawser_backup` writes the console's database into one archive, or verifies an archive without a database."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from backend.audit import services as audit
from backend.common import unfinished_restore
from backend.common.commands import ConsoleCommand
from backend.config.backup.encryption import SUFFIX, read_identities, read_recipients
from backend.config.backup.errors import BackupError
from backend.config.backup.reading import open_archive
from backend.config.backup.writing import write_archive
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import COMMAND_LINE


class Command(ConsoleCommand):
    """Reads with the run-time account, in one consistent snapshot; other processes go on."""

    help = (
        "Write the console's database into one archive, or verify an archive without a database. The archive holds no "
        "keys. Exit code 1: nothing was written, or the archive is damaged."
    )
    examples = (
        "hawser_backup --to /mnt/backup",
        "hawser_backup --to /mnt/backup --recipient age1…",
        "hawser_backup --verify /mnt/backup/hawser-0.1.0-20261127T070000Z.zip",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to write, or what to verify."""
        chosen = parser.add_mutually_exclusive_group(required=True)
        chosen.add_argument("--to", metavar="PATH", type=Path, help="existing folder, or file that does not exist yet")
        chosen.add_argument(
            "--verify", metavar="FILE", type=Path, help="archive to verify; needs the keys, no database"
        )
        parser.add_argument(
            "--recipient",
            metavar="AGE1",
            action="append",
            default=[],
            help="encrypt the archive to this recipient of age (age1…); may be given more than once",
        )
        parser.add_argument(
            "--identity", metavar="FILE", type=Path, help="identity of age that opens an encrypted archive for --verify"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write or verify."""
        try:
            if options["verify"]:
                self._verify(options["verify"], options["identity"])
            else:
                self._write(options["to"], options["recipient"])
        except BackupError as error:
            raise CommandError(f"{error}.") from error

    def _write(self, to: Path, recipients: Sequence[str]) -> None:
        read = read_recipients(recipients)
        unfinished_restore.refuse()
        now = timezone.now()
        name = f"hawser-{settings.HAWSER_VERSION}-{now:%Y%m%dT%H%M%SZ}.zip{SUFFIX if read else ''}"
        target = to / name if to.is_dir() else to
        if not target.parent.is_dir():
            raise BackupError(f"The folder {target.parent} does not exist")
        audit.record(actor=f"{COMMAND_LINE}{os_user()}", action="cli:console:backup", facts={"file": str(target)})
        made = write_archive(target, now=now, recipients=read)
        self.stdout.write(
            f"{target} ({target.stat().st_size:,} bytes): {len(made.parts)} tables, {made.rows:,} rows, audit log up "
            f"to record {made.audit_seq} {made.audit_hash}"
        )
        self.stdout.write(f"A restore needs HAWSER_AUDIT_KEY with {', '.join(made.audit_keys)}")
        self.stdout.write(f"and HAWSER_CREDENTIALS_KEY with {', '.join(made.credentials_keys)}.")

    def _verify(self, path: Path, identity: Path | None) -> None:
        with open_archive(path, read_identities(identity)) as archive:
            damage = archive.verify()
            made = archive.manifest
        if damage:
            raise BackupError(f"The archive is whole, but the audit log in it is damaged: {damage.rstrip('.')}")
        self.stdout.write(
            f"ok: made at {made.made_at} by Hawser {made.version}, {len(made.parts)} tables, {made.rows:,} rows, audit "
            f"log up to record {made.audit_seq} {made.audit_hash}"
        )

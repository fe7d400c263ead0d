"""`hawser_doctor` collects all that a support engineer asks for in one archive."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from backend.common.commands import ConsoleCommand
from backend.config.doctor.archive import ArchiveError, write_archive


class Command(ConsoleCommand):
    """Reads the console's own parts only; no database node is connected to."""

    help = (
        "Collect settings, state of the components, links with their findings, newest runs, events and metrics in one "
        "archive. Secrets are masked."
    )
    examples = (
        "hawser_doctor",
        "hawser_doctor --output /tmp/hawser.tar.gz --log /var/log/hawser/worker.log --log /var/log/hawser/web.log",
    )
    requires_system_checks = []  # a console with wrong settings needs help most

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The archive's name and the logs that it holds."""
        parser.add_argument("--output", metavar="FILE", type=Path, help="archive to write; it must not exist")
        parser.add_argument(
            "--log", metavar="FILE", type=Path, action="append", default=[], help="log to add; may be repeated"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the archive and print what it holds."""
        now = timezone.now()
        target = options["output"] or Path(f"hawser-{now:%Y%m%dT%H%M%SZ}.tar.gz")
        try:
            names = write_archive(target, logs=options["log"], now=now)
        except ArchiveError as error:
            raise CommandError(f"{error}.") from error
        self.stdout.write(f"{target} ({target.stat().st_size:,} bytes): {', '.join(names)}")
        self.stdout.write("Passwords, keys, tokens and rows are masked. Look through it before you send it.")

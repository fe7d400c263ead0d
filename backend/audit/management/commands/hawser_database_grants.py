"""`hawser_database_grants` prints or applies the grants of the console's run-time account, after each `migrate`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection

from backend.audit.grants import grants, quoted_account
from backend.common.commands import ConsoleCommand
from backend.core.plural import pluralize


class Command(ConsoleCommand):
    """Without `--apply` it prints a script for a database administrator, which first revokes all privileges."""

    help = "Print or apply the GRANT statements of the console's run-time account, one per table."
    examples = (
        "hawser_database_grants --account hawser@10.0.0.5 > grants.sql",
        "hawser_database_grants --account hawser@10.0.0.5 --apply",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The account, and whether to send the statements."""
        parser.add_argument(
            "--account",
            default=settings.HAWSER_DATABASE_USER,
            help="run-time account, as user or user@host; by default the user of HAWSER_DATABASE_URL",
        )
        parser.add_argument(
            "--apply", action="store_true", help="send the statements through HAWSER_MIGRATE_DATABASE_URL"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print or send the statements."""
        if connection.vendor != "mysql":
            raise CommandError("Only MariaDB has accounts. Set HAWSER_DATABASE_URL to mysql://…")
        if not options["account"]:
            raise CommandError("HAWSER_DATABASE_URL names no user. Name the run-time account with --account.")
        tables = [*connection.introspection.django_table_names(), "django_migrations"]
        statements = list(grants(str(connection.settings_dict["NAME"]), tables, options["account"]))
        if options["apply"]:
            self._apply(statements, options["account"])
            return
        self.stdout.write(f"REVOKE ALL PRIVILEGES, GRANT OPTION FROM {quoted_account(options['account'])};")
        for statement in statements:
            self.stdout.write(f"{statement};")

    def _apply(self, statements: list[str], account: str) -> None:
        if account.partition("@")[0] == connection.settings_dict["USER"]:
            raise CommandError(
                "The run-time account cannot grant to itself. Nothing was sent. Set HAWSER_MIGRATE_DATABASE_URL to"
                " another account that has ALL on the schema WITH GRANT OPTION."
            )
        try:
            with connection.cursor() as cursor:
                for statement in statements:
                    cursor.execute(statement)
        except DatabaseError as error:
            raise CommandError(f"The server refused the grant: {error}") from error
        self.stdout.write(f"granted on {pluralize(len(statements), 'table')} to {quoted_account(account)}")

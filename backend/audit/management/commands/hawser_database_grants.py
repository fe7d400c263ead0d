"""Print or apply the grants of the console's run-time account, after each `migrate`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from backend.audit.grants import grants, quoted_account


class Command(BaseCommand):
    """Without `--apply` a script for an administrator of the database, which first takes away all there was."""

    help = "The GRANT statements that the console's run-time account needs, one a table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whom to grant to, and whether to."""
        parser.add_argument("--account", default=settings.HAWSER_DATABASE_USER, help="user or user@host")
        parser.add_argument("--apply", action="store_true", help="Send them, with HAWSER_MIGRATE_DATABASE_URL.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print or send."""
        if connection.vendor != "mysql":
            raise CommandError("Only MariaDB has accounts: set HAWSER_DATABASE_URL to mysql://…")
        if not options["account"]:
            raise CommandError("--account must name the run-time account: HAWSER_DATABASE_URL names no user.")
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
                "The run-time account cannot grant to itself: set HAWSER_MIGRATE_DATABASE_URL to another account, which"
                " has ALL on the schema WITH GRANT OPTION."
            )
        try:
            with connection.cursor() as cursor:
                for statement in statements:
                    cursor.execute(statement)
        except DatabaseError as error:
            raise CommandError(f"Refused by the server: {error}") from error
        self.stdout.write(f"granted on {len(statements)} tables to {quoted_account(account)}")

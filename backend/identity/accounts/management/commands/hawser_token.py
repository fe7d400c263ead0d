"""`hawser_token` creates an API token and prints it once, alone on standard output."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.common.roles import Role
from backend.identity.accounts import token_services
from backend.identity.accounts.models import User
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import COMMAND_LINE
from backend.identity.accounts.token_limits import TokenLimits


class Command(ConsoleCommand):
    """Creates a token for an existing user."""

    help = "Create an API token for a user and print it once."
    examples = ("hawser_token nora --label ci --role viewer --expires 30 > token",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Owner, label, role, days until the token expires, and where it is accepted from."""
        parser.add_argument("name", help="user who owns the token")
        parser.add_argument("--label", required=True, help="purpose of the token, shown in lists")
        parser.add_argument(
            "--role", choices=[role.value for role in Role], help="role of the token, at most that of the user"
        )
        parser.add_argument("--expires", type=int, metavar="DAYS", help="days until the token expires, at least 1")
        parser.add_argument(
            "--address",
            action="append",
            metavar="RANGE",
            help="range of addresses from which the token is accepted, such as 192.0.2.0/24; can be repeated",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the token and print it."""
        owner = User.objects.filter(username=options["name"]).first()
        if owner is None:
            raise CommandError(f"There is no user named {options['name']}. No token was created.")
        if options["expires"] is not None and options["expires"] < 1:
            raise CommandError(f"--expires is {options['expires']} days; at least 1 day is needed.")
        try:
            _, secret = token_services.token_create(
                owner=owner,
                label=options["label"],
                role=options["role"],
                expires_days=options["expires"],
                actor=f"{COMMAND_LINE}{os_user()}",
                source="cli",
                limits=TokenLimits(addresses=options["address"]),
            )
        except ProblemError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(secret)

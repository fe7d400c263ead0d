"""Make an API token; it is printed once, alone on standard output."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.accounts import token_services
from backend.accounts.models import User
from backend.accounts.os_user import os_user
from backend.accounts.persons import COMMAND_LINE
from backend.common.errors import ProblemError
from backend.common.roles import Role


class Command(BaseCommand):
    """`hawser_token NAME --label L [--role R] [--expires DAYS]`."""

    help = "Make an API token for a user and print it once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Owner, label, role, days until it expires."""
        parser.add_argument("name")
        parser.add_argument("--label", required=True)
        parser.add_argument("--role", choices=[role.value for role in Role])
        parser.add_argument("--expires", type=int, metavar="DAYS")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it and print it."""
        owner = User.objects.filter(username=options["name"]).first()
        if owner is None:
            raise CommandError(f"There is no user named {options['name']}.")
        if options["expires"] is not None and options["expires"] < 1:
            raise CommandError("--expires takes a number of days from 1.")
        try:
            _, secret = token_services.token_create(
                owner=owner,
                label=options["label"],
                role=options["role"],
                expires_days=options["expires"],
                actor=f"{COMMAND_LINE}{os_user()}",
                source="cli",
            )
        except ProblemError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(secret)

"""Create a user, or change an existing one's role and password."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from backend.accounts import services
from backend.accounts.models import User
from backend.accounts.os_user import os_user
from backend.accounts.persons import COMMAND_LINE
from backend.common.errors import ProblemError
from backend.common.roles import Role


class Command(BaseCommand):
    """`hawser_user NAME --role ROLE [--password-stdin]`."""

    help = "Create a user, or set the role and password of an existing one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name, role, where the password comes from."""
        parser.add_argument("name")
        parser.add_argument("--role", choices=[role.value for role in Role], required=True)
        parser.add_argument("--password-stdin", action="store_true", help="read the password from standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create or change; running it twice is harmless."""
        try:
            self.stdout.write(self._apply(options["name"], options["role"], self._password(options)))
        except ProblemError as error:
            raise CommandError(error.detail) from error

    def _apply(self, name: str, role: str, password: str | None) -> str:
        common = {"actor": f"{COMMAND_LINE}{os_user()}", "source": "cli"}
        user = User.objects.filter(username=name).first()
        if user is None:
            user = services.user_create(username=name, role=role, password=password, **common)
            return f"created {name} as {role}{_counts(user)}"
        user = services.user_update(user=user, role=role, password=password, **common)
        return f"{name} is now {role}{_counts(user)}"

    def _password(self, options: dict[str, Any]) -> str | None:
        if options["password_stdin"]:
            return sys.stdin.readline().rstrip("\r\n") or None
        if not sys.stdin.isatty():
            return None
        return getpass.getpass("Password (empty: tokens only): ") or None


def _counts(user: User) -> str:
    """When the account begins to count as a second person, where it has to wait."""
    if user.second_person_from <= timezone.now():
        return ""
    return (
        f"; it counts as a second person from {user.second_person_from:%Y-%m-%d %H:%M} UTC, "
        "or when a second administrator confirms it"
    )

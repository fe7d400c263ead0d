"""`hawser_user` creates a user, changes role and password of one, unlocks it, or removes its second factors."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.common.roles import Role
from backend.identity.accounts import second_factor, selectors, services
from backend.identity.accounts.models import User
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import COMMAND_LINE


class Command(ConsoleCommand):
    """A user without a password can use API tokens only."""

    help = "Create a user, set role and password of one, unlock one, or remove the second factors of one."
    examples = (
        "hawser_user nora --role operator",
        "hawser_user nora --role operator --password-stdin < password",
        "hawser_user nora --unlock",
        "hawser_user nora --remove-second-factors",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name, role, and where the password comes from."""
        parser.add_argument("name", help="name of the user")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--role", choices=[role.value for role in Role], help="role that the user gets")
        what.add_argument("--unlock", action="store_true", help="clear the failed sign-ins of this user")
        what.add_argument(
            "--remove-second-factors",
            action="store_true",
            help="remove app, passkeys and recovery codes of this user, who lost the device",
        )
        parser.add_argument("--password-stdin", action="store_true", help="read the password from standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create or change the user; a second call changes nothing more."""
        try:
            if options["unlock"]:
                self.stdout.write(self._unlock(options["name"]))
                return
            if options["remove_second_factors"]:
                self.stdout.write(self._remove_factors(options["name"]))
                return
            self.stdout.write(self._apply(options["name"], options["role"], self._password(options)))
        except ProblemError as error:
            raise CommandError(error.detail) from error

    def _apply(self, name: str, role: str, password: str | None) -> str:
        actor = f"{COMMAND_LINE}{os_user()}"
        user = User.objects.filter(username=name).first()
        if user is None:
            user = services.user_create(actor=actor, source="cli", username=name, role=role, password=password)
            return f"created {name} as {role}{_counts(user)}"
        user = services.user_update(actor=actor, source="cli", user=user, role=role, password=password)
        return f"{name} is now {role}{_counts(user)}{_kept(user) if password else ''}"

    def _unlock(self, name: str) -> str:
        services.user_unlock(user=selectors.user_named(name), actor=f"{COMMAND_LINE}{os_user()}", source="cli")
        return f"{name} can sign in again"

    def _remove_factors(self, name: str) -> str:
        user = selectors.user_named(name)
        services.factors_remove(user=user, actor=f"{COMMAND_LINE}{os_user()}", source="cli")
        return f"{name} has no second factors any more, and all sessions and tokens of {name} ended{_counts(user)}"

    def _password(self, options: dict[str, Any]) -> str | None:
        if options["password_stdin"]:
            return sys.stdin.readline().rstrip("\r\n") or None
        if not sys.stdin.isatty():
            return None
        return getpass.getpass("Password (empty: tokens only): ") or None


def _kept(user: User) -> str:
    """The second factors that outlive a password set by another."""
    ways = second_factor.factors().ways_of(user)
    return f"; second factors that stay: {', '.join(ways)}. Remove them if others may have them." if ways else ""


def _counts(user: User) -> str:
    """From when the user counts as a second person, if that is in the future."""
    if user.second_person_from <= timezone.now():
        return ""
    return (
        f"; it counts as a second person from {user.second_person_from:%Y-%m-%d %H:%M} UTC, "
        "or when a second administrator confirms it"
    )

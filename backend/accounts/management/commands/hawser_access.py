"""Show and end sessions and tokens of users: for the day somebody leaves, or a secret leaked."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.accounts import selectors, sign_ins, token_services
from backend.accounts.access import end_access, end_all_access
from backend.accounts.models import SignIn, User
from backend.accounts.os_user import os_user
from backend.accounts.persons import COMMAND_LINE
from backend.audit import services as audit
from backend.common.errors import ProblemError


class Command(BaseCommand):
    """`list [NAME]`, `end NAME [--session ID] [--token ID]`, `end-everything --reason R`."""

    help = "List and end sessions and tokens."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The verbs."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list", help="sessions and tokens that work").add_argument("name", nargs="?")
        end = verbs.add_parser("end", help="end one session or token of a user, or all of them")
        end.add_argument("name")
        end.add_argument("--session", metavar="ID")
        end.add_argument("--token", metavar="ID")
        everything = verbs.add_parser(
            "end-everything", help="end all sessions and tokens of everybody, as after a restore of the database"
        )
        everything.add_argument("--reason", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it; what is ended is recorded."""
        verbs = {"list": self._list, "end": self._end, "end-everything": self._end_everything}
        try:
            verbs[options["verb"]](options)
        except ProblemError as problem:
            raise CommandError(problem.detail) from problem

    def _list(self, options: dict[str, Any]) -> None:
        chosen = [selectors.user_named(options["name"])] if options["name"] else selectors.users()
        for user in chosen:
            for row in sign_ins.live(user):
                seen = f"{row.last_active_at:%Y-%m-%d %H:%M}"
                self.stdout.write(
                    f"{user.username}  session {row.id}  {row.source_ip}  last used {seen}  {row.user_agent}"
                )
            for token in selectors.tokens_of(user):
                ends = f"{token.expires_at:%Y-%m-%d}"
                self.stdout.write(f"{user.username}  token {token.id}  {token.role}  until {ends}  {token.label}")

    def _end(self, options: dict[str, Any]) -> None:
        user = selectors.user_named(options["name"])
        if options["token"]:
            token = selectors.token_of(user, options["token"])
            token_services.token_revoke(actor=_actor(), token=token, source="cli")
            self.stdout.write(f"revoked token {token.id}")
            return
        if options["session"]:
            ended = {"sessions_ended": self._end_session(user, options["session"])}
        else:
            ended = end_access(user)
        audit.record(actor=_actor(), action="cli:user:end_access", target=user.username, facts=ended)
        self.stdout.write(_counts(ended))

    def _end_session(self, user: User, session_id: str) -> int:
        return sign_ins.end(SignIn.objects.filter(pk=sign_ins.sign_in_get(user, session_id).pk))

    def _end_everything(self, options: dict[str, Any]) -> None:
        ended = end_all_access()
        audit.record(actor=_actor(), action="cli:console:end_all_access", reason=options["reason"], facts=ended)
        self.stdout.write(_counts(ended))


def _actor() -> str:
    return f"{COMMAND_LINE}{os_user()}"


def _counts(ended: dict[str, int]) -> str:
    return ", ".join(f"{count} {what.replace('_', ' ')}" for what, count in ended.items())

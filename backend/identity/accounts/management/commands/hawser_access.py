"""`hawser_access` lists and ends sessions and tokens: for a user who leaves, or after a secret leaked."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from backend.audit import services as audit
from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.core.plural import pluralize
from backend.identity.accounts import selectors, sign_ins, token_services
from backend.identity.accounts.access import end_access, end_all_access
from backend.identity.accounts.models import SignIn, User
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import COMMAND_LINE


class Command(ConsoleCommand):
    """`list` only reads; `end` and `end-everything` are recorded in the audit log."""

    help = "List and end sessions and API tokens."
    examples = (
        "hawser_access list nora",
        "hawser_access end nora --token t_abcdefghijkl",
        'hawser_access end-everything --reason "database restored from a backup"',
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One parser per verb."""
        verbs = parser.add_subparsers(dest="verb", required=True, help="what to do")
        listed = verbs.add_parser("list", help="list the active sessions and tokens")
        listed.add_argument("name", nargs="?", help="name of a user; all users if it is left out")
        end = verbs.add_parser("end", help="end one session or token of a user, or all of them")
        end.add_argument("name", help="name of the user")
        end.add_argument("--session", metavar="ID", help="end only this session")
        end.add_argument("--token", metavar="ID", help="revoke only this token")
        end.add_argument(
            "--compromised",
            action="store_true",
            help="with --token, which may have ended: end runs and changes that it requested and that have not begun",
        )
        everything = verbs.add_parser(
            "end-everything", help="end all sessions and tokens of all users, for example after a database restore"
        )
        everything.add_argument("--reason", required=True, help="reason, stored in the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the verb."""
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
        if options["compromised"] and not options["token"]:
            raise CommandError("--compromised is about one token. Nothing was ended. Name it with --token.")
        if options["token"]:
            why = {"is_compromised": options["compromised"]}
            token = selectors.token_of(user, options["token"], **why)
            found = token_services.token_revoke(actor=_actor(), token=token, source="cli", **why)
            self.stdout.write("\n".join([f"revoked token {token.id}", *found]))
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
    """For example "1 session ended, 3 tokens revoked"."""
    return ", ".join(_count(count, *what.split("_", 1)) for what, count in ended.items())


def _count(count: int, nouns: str, done: str) -> str:
    return f"{pluralize(count, nouns.removesuffix('s'))} {done}"

"""`hawser_record_answers` records what one server answers, for a test of a server that Hawser was never tried with."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from backend.audit import services as audit
from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.core.dialects import DialectError
from backend.core.discovery.tls import MODES
from backend.core.plural import pluralize
from backend.core.ports import NodeError
from backend.core.recording.folder import Recorded, files_of
from backend.core.recording.redaction import Redaction
from backend.core.recording.statements import every_form
from backend.core.topology import NodeRef
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.reader import Reader
from backend.gateway.recorder import read_answers
from backend.registration.command_line import change_by_command, read_password
from backend.registration.guide.content import SideDraft
from backend.registration.guide.discovery import administrator_login

_LISTED = (
    "Only these statements are sent, on a session that is limited to reading; of two forms of an answer the one that "
    "the server knows. The page of events is that of the newest file."
)


class Command(ConsoleCommand):
    """Reads only. The password comes from standard input or a prompt, and is stored nowhere."""

    help = "Record what one server answers, without hosts, users, passwords and values: a folder to read and to send."
    examples = (
        "hawser_record_answers db-a1.example.net --user hawser_monitor --ca ca.pem --folder answers",
        "hawser_record_answers db-a1.example.net --list",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One node, who asks it, and what is left out."""
        parser.add_argument("host", help="host name or address of one node")
        parser.add_argument("--port", type=int, default=3306, help="port of the node")
        parser.add_argument("--user", default="", help="user of an account that may read, as the monitor account")
        parser.add_argument("--ca", type=Path, help="file with the certificate of the authority")
        parser.add_argument(
            "--tls-mode",
            choices=MODES,
            default="",
            help="TLS that is required; by default verify_identity with --ca, required without",
        )
        parser.add_argument("--folder", type=Path, default=Path("answers"), help="new folder for the files")
        parser.add_argument("--list", action="store_true", help="print the statements, and connect to nothing")
        parser.add_argument("--yes", action="store_true", help="do not ask before the statements are sent")
        parser.add_argument("--keep-names", action="store_true", help="keep the names of schemas, tables and columns")
        parser.add_argument("--replace-uuids", action="store_true", help="replace UUIDs of servers and clusters, too")

    def handle(self, *args: Any, **options: Any) -> None:
        """List, ask, read, write."""
        self._list()
        if options["list"]:
            return
        if not options["user"]:
            raise CommandError("Name the account with --user.")
        if options["folder"].exists():
            raise CommandError(f"{options['folder']} exists. Name a new folder with --folder.")
        if not options["yes"] and not self._is_agreed(f"{options['host']}:{options['port']}"):
            raise CommandError("Nothing was sent. Answer yes, or give --yes where no terminal is there to ask.")
        endpoint = _endpoint(options)
        self._write(_read(endpoint), endpoint, options)

    def _list(self) -> None:
        self.stdout.write(_LISTED)
        for name, sql in every_form():
            self.stdout.write(f"  {name}: {sql}")

    def _is_agreed(self, where: str) -> bool:
        try:
            return input(f"Send them to {where}? (yes/no) ").strip().lower() == "yes"
        except EOFError:
            return False

    def _write(self, recorded: Recorded, endpoint: NodeEndpoint, options: dict[str, Any]) -> None:
        redaction = Redaction(
            hosts=[endpoint.host],
            users=[endpoint.user],
            keeps_names=options["keep_names"],
            replaces_uuids=options["replace_uuids"],
        )
        about = {
            "hawser": settings.HAWSER_VERSION,
            "recorded_at": timezone.now().isoformat(timespec="seconds"),
            "names_kept": options["keep_names"],
            "uuids_replaced": options["replace_uuids"],
        }
        folder = options["folder"]
        folder.mkdir(parents=True)
        for name, text in files_of(recorded, redaction, about).items():
            (folder / name).write_text(text, encoding="utf-8")
        audit.record(
            actor=change_by_command("").actor,
            action="cli:registration:record_answers",
            target=f"{endpoint.host}:{endpoint.port}",
            facts={"user": endpoint.user, "answers": len(recorded.answers)},
        )
        for name, code in recorded.refused.items():
            self.stderr.write(f"{name} was refused with error {code}: the account lacks a privilege for it.")
        self.stdout.write(
            f"{pluralize(len(recorded.answers), 'answer')} of {recorded.flavor} {recorded.version} in {folder}. "
            "Read the files before you send them."
        )


def _endpoint(options: dict[str, Any]) -> NodeEndpoint:
    """The account with one TLS mode, as strict as the console's settings demand; the password is read here."""
    mode = options["tls_mode"] or ("verify_identity" if options["ca"] else "required")
    content = SideDraft(host=options["host"].lower(), port=options["port"], administrator=options["user"])
    content.tls_mode = mode
    content.tls_ca = options["ca"].read_text() if options["ca"] else ""
    if mode.startswith("verify") and not content.tls_ca:
        raise CommandError(f"--tls-mode {mode} needs the certificate of the authority: give --ca.")
    try:
        login = administrator_login(content, "", read_password())
    except ProblemError as problem:
        raise CommandError(problem.detail) from problem
    if mode not in login.modes:
        raise CommandError(f"HAWSER_REQUIRE_VERIFIED_TLS forbids --tls-mode {mode}. Give --ca.")
    return login.endpoint(content.host, content.port, mode)


def _read(endpoint: NodeEndpoint) -> Recorded:
    where = f"{endpoint.host}:{endpoint.port}"
    reader = Reader(NodeRef("", where, endpoint.host, endpoint.port, ""), endpoint)
    try:
        return read_answers(reader)
    except (NodeError, DialectError) as error:
        raise CommandError(f"Nothing was recorded. {error}") from error
    finally:
        reader.close()

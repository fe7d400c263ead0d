"""`hawser_discover` reads a cluster that is not registered yet, and prints what a registration needs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import CommandError

from backend.audit import services as audit
from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.common.outgoing.addresses import check_host
from backend.core.discovery.members import members
from backend.core.discovery.settings import setting_changes
from backend.core.discovery.tls import tls_choice
from backend.gateway.account_statements import own_statements
from backend.gateway.administrator import Discovery, discover
from backend.registration.command_line import change_by_command, read_password
from backend.registration.guide.accounts import runs_events
from backend.registration.guide.content import SideDraft
from backend.registration.guide.declaration import cluster_section
from backend.registration.guide.discovery import administrator_login, check_entry, keep_found


class Command(ConsoleCommand):
    """Reads only. The password comes from standard input or a prompt, and is stored nowhere."""

    help = "Discover a cluster with an administrator's account: members, TLS, channels, settings, and the statements."
    examples = ("hawser_discover db-a1.example.net --user root --ca ca.pem --site milan < password",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One node, and who asks it."""
        parser.add_argument("host", help="host name or address of one node")
        parser.add_argument("--port", type=int, default=3306, help="port of the node")
        parser.add_argument("--user", required=True, help="user of an administrator's account")
        parser.add_argument("--ca", type=Path, help="file with the certificate of the authority")
        parser.add_argument("--site", default="", help="site of the cluster, for the printed file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print everything, in the order of the guided registration."""
        content = SideDraft(site=options["site"], host=options["host"].lower(), port=options["port"])
        content.administrator = options["user"]
        content.tls_ca = options["ca"].read_text() if options["ca"] else ""
        try:
            check_host(content.host, "host")
            found = discover((content.host, content.port), (), administrator_login(content, "first", read_password()))
            check_entry(found.servers[0], "first")
        except ProblemError as problem:
            raise CommandError(problem.detail) from problem
        keep_found(content, found)
        audit.record(
            actor=change_by_command("").actor,
            action="cli:registration:discover",
            target=f"{content.host}:{content.port}",
            facts={"user": content.administrator, "members": len(found.servers)},
        )
        self._print(content, found)

    def _print(self, content: SideDraft, found: Discovery) -> None:
        choice = tls_choice(found.servers)
        self._section("Members", [one.sentence for one in members(found.servers)])
        self._section("TLS", [part for part in (choice.sentence, choice.protects, choice.remedy) if part])
        self._section(
            "Channels",
            [
                f"{server.shown}: reads from {one.source_host}:{one.source_port} (connection {one.name or 'default'})"
                for server in found.servers
                for one in server.channels or ()
            ],
        )
        self._section("Settings that must change", [_setting(one) for one in setting_changes(found.servers)])
        statements = own_statements(content.names(), runs_events=runs_events(content))
        self._section("Statements for the accounts, to be run once on one node", statements)
        self.stdout.write("# The cluster in the file of hawser_apply:\n")
        self.stdout.write(yaml.safe_dump({"clusters": [cluster_section(content)]}, sort_keys=False))

    def _section(self, title: str, lines: Any) -> None:
        self.stdout.write(f"# {title}\n" + "".join(f"{line}\n" for line in lines or ["none"]))


def _setting(one: Any) -> str:
    remedy = " ".join(part for part in (one.statement, one.obstacle) if part)
    return f"{one.node}: {one.variable} is {one.current or 'unknown'}, needed: {one.needed}. {one.why} {remedy}".strip()

"""`hawser_cluster` changes a registered cluster and its nodes without a browser."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from backend.clusters.models import CredentialRole
from backend.clusters.serializers.clusters import TLS_MODE
from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.registration.acceptance import name_of, server_accept, server_acceptance_withdraw
from backend.registration.clusters import cluster_update
from backend.registration.command_line import (
    add_accept_unreachable,
    add_reason,
    change_by_command,
    cluster_named,
    node_named,
    read_password,
    read_text_file,
)
from backend.registration.credentials import credential_replace
from backend.registration.membership import membership_view
from backend.registration.nodes import node_add, node_update
from backend.registration.removal import node_remove
from backend.registration.replacement import cluster_replace, node_confirm_server
from backend.registration.retirement import cluster_retire
from backend.registration.serializers import ACCEPTABLE_FLAVORS, ACCEPTABLE_SERIES

Options = dict[str, Any]


class Command(ConsoleCommand):
    """Each change is tried on the nodes, audited, and refused while a run is unfinished, as by the API."""

    help = "Show the members of a cluster, change the cluster and its nodes, or retire it."
    examples = (
        "hawser_cluster milan members",
        'hawser_cluster milan update --name milan-2 --reason "moved to the new hall"',
        'hawser_cluster milan account monitor --user hawser_monitor_2 --reason "yearly rotation" < password',
        'hawser_cluster milan account operator --user hawser --reference vault:secret/milan#operator --reason "vault"',
        'hawser_cluster milan tls --mode verify_identity --ca old-and-new.pem --reason "new authority"',
        'hawser_cluster milan tls --mode verify_identity --cert hawser.pem --key hawser.key --reason "REQUIRE X509"',
        'hawser_cluster milan add-node db-a4 --host 10.1.0.14 --reason "fourth node"',
        'hawser_cluster milan update-node db-a4 --host 10.1.0.24 --reason "new network"',
        'hawser_cluster milan remove-node db-a1 --reason "decommissioned"',
        'hawser_cluster milan confirm-server db-a2 --server-id 12 --reason "new hardware"',
        'hawser_cluster milan accept-server --flavor pxc --series 8.0 --reason "read each statement, tried in staging"',
        'hawser_cluster milan withdraw-acceptance --reason "staging differs"',
        'hawser_cluster milan retire --reason "site closed"',
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The cluster, and what to do with it."""
        parser.add_argument("cluster", help="name or id of the cluster")
        what = parser.add_subparsers(dest="what", required=True, title="actions")
        what.add_parser("members", help="compare the members that the cluster names with the registered nodes")
        update = self._action(what, "update", "change the name or the site")
        update.add_argument("--name", help="new name")
        update.add_argument("--site", help="new site")
        account = self._action(what, "account", "replace an account; its password comes from standard input or a store")
        account.add_argument("role", choices=[role.value for role in CredentialRole], help="role of the account")
        account.add_argument("--user", required=True, help="name of the account")
        account.add_argument("--reference", help="where its password is: file:PATH, env:NAME or vault:MOUNT/PATH#FIELD")
        add_accept_unreachable(account)
        self._tls_options(self._action(what, "tls", "change how the console connects, and its client certificate"))
        add = self._action(what, "add-node", "register one more member")
        self._node(add, is_new=True)
        self._node(self._action(what, "update-node", "rename a node or change its address"), is_new=False)
        remove = self._action(what, "remove-node", "remove a node that left the cluster")
        remove.add_argument("node", help="name or id of the node")
        remove.add_argument("--attest-gone", action="store_true", help="attest that the server was decommissioned")
        confirm = self._action(what, "confirm-server", "confirm that another server took the place of a node")
        confirm.add_argument("node", help="name or id of the node")
        confirm.add_argument("--server-id", type=int, required=True, help="server_id that the new server reports")
        replace = self._action(what, "replace", "register a rebuilt cluster as a new one; its links are retired")
        replace.add_argument("--state-uuid", required=True, help="state UUID that the new cluster reports")
        accept = self._action(what, "accept-server", "accept plans with servers that were never tried, in writing")
        accept.add_argument("--flavor", required=True, choices=ACCEPTABLE_FLAVORS, help="family of all its servers")
        accept.add_argument("--series", required=True, choices=ACCEPTABLE_SERIES, help="their release series")
        self._action(what, "withdraw-acceptance", "refuse plans with such servers again")
        self._action(what, "retire", "delete its accounts and nodes; the history stays readable")

    def _action(self, what: Any, name: str, text: str) -> ArgumentParser:
        parser: ArgumentParser = what.add_parser(name, help=text)
        add_reason(parser)
        return parser

    def _tls_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mode", required=True, choices=TLS_MODE, help="what a connection requires")
        parser.add_argument("--ca", type=Path, help="file with the certificates of the trusted authorities (PEM)")
        client = parser.add_mutually_exclusive_group()
        client.add_argument("--cert", type=Path, help="file with the client certificate (PEM)")
        client.add_argument("--no-cert", action="store_true", help="show no client certificate any more")
        key = parser.add_mutually_exclusive_group()
        key.add_argument("--key", type=Path, help="file with its private key, which is sealed")
        key.add_argument("--key-reference", help="where its private key stays: file:PATH or vault:MOUNT/PATH#FIELD")
        add_accept_unreachable(parser)

    def _node(self, parser: ArgumentParser, *, is_new: bool) -> None:
        parser.add_argument("node", help="name of the node")
        if not is_new:
            parser.add_argument("--name", help="new name")
        parser.add_argument("--host", required=is_new, help="host name or IP address")
        parser.add_argument("--port", type=int, default=3306 if is_new else None, help="port of the MariaDB server")
        add_accept_unreachable(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, or tell why not."""
        act = getattr(self, f"_{options['what'].replace('-', '_')}")
        try:
            self.stdout.write(act(options))
        except ProblemError as error:
            raise CommandError(error.detail) from error

    def _members(self, options: Options) -> str:
        view = membership_view(cluster_named(options["cluster"]))
        size = "unknown" if view["size"] is None else str(view["size"])
        absent = "unknown" if view["absent"] is None else _listed(one["name"] for one in view["absent"])
        unregistered = [f"{member['host']}:{member['port']}" for member in view["unregistered"]]
        lines = [
            f"members: {size}",
            f"not registered: {_listed(unregistered)}",
            f"registered, but no members: {absent}",
            f"replaced servers: {_listed(one['name'] for one in view['replaced'])}",
        ]
        return "\n".join(lines)

    def _update(self, options: Options) -> str:
        given = {key: options[key] for key in ("name", "site") if options[key] is not None}
        if not given:
            raise CommandError("Nothing to change was given. Name --name or --site.")
        cluster = cluster_named(options["cluster"])
        changed = cluster_update(change=change_by_command(options["reason"]), cluster=cluster, **given)
        return f"{changed.name} is registered at {changed.site}."

    def _account(self, options: Options) -> str:
        cluster = credential_replace(
            change=change_by_command(options["reason"]),
            cluster=cluster_named(options["cluster"]),
            role=CredentialRole(options["role"]),
            user=options["user"],
            password="" if options["reference"] else read_password(),
            reference=options["reference"],
            accept_unreachable=options["accept_unreachable"],
        )
        return f"{cluster.name} uses {options['user']} as its {options['role']} account."

    def _tls(self, options: Options) -> str:
        given: dict[str, Any] = {"mode": options["mode"], **({"cert": ""} if options["no_cert"] else {})}
        for name, field in (("ca", "ca"), ("cert", "cert"), ("key", "private_key")):
            if options[name]:
                given[field] = read_text_file(options[name])
        if options["key_reference"]:
            given["key_reference"] = options["key_reference"]
        cluster = cluster_update(
            change=change_by_command(options["reason"]),
            cluster=cluster_named(options["cluster"]),
            tls=given,
            accept_unreachable=options["accept_unreachable"],
        )
        shown = "shows a client certificate" if cluster.tls_cert else "shows no client certificate"
        return f"The console connects to {cluster.name} in TLS mode {cluster.tls_mode} and {shown}."

    def _add_node(self, options: Options) -> str:
        node = node_add(
            change=change_by_command(options["reason"]),
            cluster=cluster_named(options["cluster"]),
            name=options["node"],
            host=options["host"],
            port=options["port"],
            accept_unreachable=options["accept_unreachable"],
        )
        return f"{node.name} is registered at {node.host}:{node.port}."

    def _update_node(self, options: Options) -> str:
        given = {key: options[key] for key in ("name", "host", "port") if options[key] is not None}
        if not given:
            raise CommandError("Nothing to change was given. Name --name, --host or --port.")
        node = node_named(cluster_named(options["cluster"]), options["node"])
        change = change_by_command(options["reason"])
        changed = node_update(change=change, node=node, accept_unreachable=options["accept_unreachable"], **given)
        return f"{changed.name} is registered at {changed.host}:{changed.port}."

    def _remove_node(self, options: Options) -> str:
        node = node_named(cluster_named(options["cluster"]), options["node"])
        node_remove(change=change_by_command(options["reason"]), node=node, attest_gone=options["attest_gone"])
        return f"{node.name} is not registered any more."

    def _confirm_server(self, options: Options) -> str:
        node = node_named(cluster_named(options["cluster"]), options["node"])
        change = change_by_command(options["reason"])
        confirmed = node_confirm_server(change=change, node=node, server_id=options["server_id"])
        return f"{confirmed.name} is {confirmed.server} with server_id {confirmed.server_id}."

    def _replace(self, options: Options) -> str:
        cluster = cluster_named(options["cluster"])
        change = change_by_command(options["reason"])
        fresh = cluster_replace(change=change, cluster=cluster, state_uuid=options["state_uuid"])
        return f"{fresh.name} is registered as a new cluster ({fresh.pk}). Its links are retired."

    def _accept_server(self, options: Options) -> str:
        cluster, (flavor, series) = cluster_named(options["cluster"]), (options["flavor"], options["series"])
        change = change_by_command(options["reason"])
        server_accept(change=change, cluster=cluster, flavor=flavor, series=series, confirm=cluster.name)
        return f"Plans with {name_of(flavor, series)} are accepted for {cluster.name}."

    def _withdraw_acceptance(self, options: Options) -> str:
        cluster = cluster_named(options["cluster"])
        server_acceptance_withdraw(change=change_by_command(options["reason"]), cluster=cluster)
        return f"Plans with untried servers of {cluster.name} are refused again."

    def _retire(self, options: Options) -> str:
        cluster = cluster_retire(change=change_by_command(options["reason"]), cluster=cluster_named(options["cluster"]))
        return f"{cluster.name} is retired."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"

"""`python -m deploy.servers`: lists the servers the lab can run, and fetches them."""

from __future__ import annotations

import argparse
import sys

from deploy.servers import store
from deploy.servers.catalogue import CATALOGUE, HOST
from deploy.servers.errors import ServerError
from deploy.servers.folders import home
from deploy.servers.server import Server, require_galera


def _list() -> int:
    own = sorted(path.name for path in home().glob("*") if path.is_dir() and path.name not in CATALOGUE)
    for name in [HOST, *CATALOGUE, *own]:
        try:
            print(f"{name:<14} {_described(store.ready(name))}")
        except ServerError as error:
            print(f"{name:<14} not ready: {error}")
    return 0


def _described(server: Server) -> str:
    """Version, family where it is not MariaDB, and what a node of the lab would lack."""
    text = server.title if server.family.is_mysql else server.version()
    try:
        require_galera(server)
    except ServerError as error:
        return f"{text}; {error}"
    return text


def _fetch(names: list[str]) -> int:
    for name in names:
        found = store.ensure(name, print)
        print(f"{name}: {found.version()} is ready ({found.daemon})")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Exit codes: 0 done, 2 refused."""
    parser = argparse.ArgumentParser(prog="python -m deploy.servers", description="Servers of other releases.")
    commands = parser.add_subparsers(required=True, dest="command", metavar="COMMAND")
    commands.add_parser("list", help="List the servers and which are ready")
    fetch = commands.add_parser("fetch", help="Fetch servers into the folder of builds")
    fetch.add_argument("name", nargs="+", help="for example mariadb-11.8")
    given = parser.parse_args(arguments)
    try:
        return _list() if given.command == "list" else _fetch(given.name)
    except ServerError as error:
        print(f"servers: {error}", file=sys.stderr)
        return 2

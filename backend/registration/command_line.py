"""What the commands that change a registration share."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError

from backend.clusters.models import Cluster, Link, Node
from backend.clusters.selectors import clusters, links
from backend.common.errors import not_found
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import COMMAND_LINE
from backend.registration.changes import Change


def add_reason(parser: ArgumentParser) -> None:
    """The reason that every change needs."""
    parser.add_argument("--reason", required=True, help="reason, stored in the audit log")


def add_accept_unreachable(parser: ArgumentParser) -> None:
    """The option that stores what could not be tried."""
    parser.add_argument("--accept-unreachable", action="store_true", help="store it although some nodes do not respond")


def change_by_command(reason: str) -> Change:
    """A change by the user of this shell, on whatever version is stored."""
    return Change(actor=f"{COMMAND_LINE}{os_user()}", reason=reason, source="cli")


def cluster_named(name: str) -> Cluster:
    """A registered cluster by name or id."""
    found = clusters().filter(name=name).first() or clusters().filter(pk=name).first()
    if found is None:
        raise not_found("cluster")
    return found


def node_named(cluster: Cluster, name: str) -> Node:
    """A node of the cluster by name or id."""
    found = cluster.nodes.filter(name=name).first() or cluster.nodes.filter(pk=name).first()
    if found is None:
        raise not_found("node")
    return found


def link_named(name: str) -> Link:
    """A registered link by name or id."""
    found = links().filter(name=name).first() or links().filter(pk=name).first()
    if found is None:
        raise not_found("link")
    return found


def read_text_file(path: Path) -> str:
    """A certificate or key; CommandError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read ({error}). Correct the path or its permissions.") from None


def read_password() -> str:
    """From standard input, or from a prompt on a terminal; never from an argument, which all users can see."""
    return getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")

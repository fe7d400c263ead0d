"""Where does a transaction stand in a node's binlog? The manual step, by hand, from the shell."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.clusters.models import Node
from backend.runs.xid_lookup import locate_xid


class Command(BaseCommand):
    """`hawser_locate NODE --xid N`; prints the same answer as GET /nodes/ID/locate."""

    help = "Find the group with a Xid in a node's binary log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Node by name or id, and the number."""
        parser.add_argument("node")
        parser.add_argument("--xid", type=int, required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Search and print; exit code 1 where it was not found."""
        node = Node.objects.filter(pk=options["node"]).first() or Node.objects.filter(name=options["node"]).first()
        if node is None:
            raise CommandError(f"There is no node {options['node']}.")
        answer = locate_xid(node.pk, options["xid"])
        self.stdout.write(json.dumps(answer, indent=2))
        if not answer["found"]:
            raise CommandError(answer["reason"])

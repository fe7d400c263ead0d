"""`hawser_locate` finds the binlog position of a transaction from the shell."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from backend.clusters.models import Node
from backend.common.commands import ConsoleCommand
from backend.operations.runs.xid_lookup import locate_xid


class Command(ConsoleCommand):
    """Prints the same JSON as `GET /nodes/ID/locate`."""

    help = "Find the transaction with a given Xid in the binary logs of a node."
    examples = ("hawser_locate db-a1 --xid 48213",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The node and the Xid."""
        parser.add_argument("node", help="name or id of the node")
        parser.add_argument("--xid", type=int, required=True, help="Xid (seqno) of the transaction")

    def handle(self, *args: Any, **options: Any) -> None:
        """Search and print; exit code 1 if the Xid was not found."""
        node = Node.objects.filter(pk=options["node"]).first() or Node.objects.filter(name=options["node"]).first()
        if node is None:
            raise CommandError(f"No node has the name or id {options['node']}.")
        answer = locate_xid(node.pk, options["xid"])
        self.stdout.write(json.dumps(answer, indent=2))
        if not answer["found"]:
            raise CommandError(answer["reason"])

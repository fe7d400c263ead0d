"""`hawser_advice` prints advice on a cluster or link."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.core.serializers.json import DjangoJSONEncoder

from backend.advice.by_name import advice_named
from backend.advice.text import advice_text
from backend.common.commands import ConsoleCommand


class Command(ConsoleCommand):
    """Reads the nodes' configuration, as `GET /links/ID/advice` does, and changes nothing."""

    help = "Print advice on the configuration of a link or cluster. Exit code 1 if advice of high risk is open."
    examples = ("hawser_advice payments", "hawser_advice milan --json")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The link or cluster, and the form of the answer."""
        parser.add_argument("name", help="name or id of the link or cluster; a link if both have it")
        parser.add_argument("--json", action="store_true", help="print the response of the API")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read and print."""
        found = advice_named(options["name"])
        if found is None:
            raise CommandError(f"No link or cluster has the name or id {options['name']}.")
        text = json.dumps(found, indent=2, cls=DjangoJSONEncoder) + "\n" if options["json"] else advice_text(found)
        self.stdout.write(text)
        if found["open"]["high"]:
            raise CommandError("Advice of high risk is open.")

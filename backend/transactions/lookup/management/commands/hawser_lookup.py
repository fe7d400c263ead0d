"""`hawser_lookup` looks transactions up on a link from the shell."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.core.serializers.json import DjangoJSONEncoder

from backend.clusters.models import Link
from backend.clusters.selectors import links
from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import COMMAND_LINE
from backend.transactions.lookup import services
from backend.transactions.lookup.presentation import shown_rows
from backend.transactions.lookup.questions import node_named, position_of
from backend.transactions.lookup.serializers import LookupQuerySerializer
from backend.transactions.lookup.text import lookup_text, rows_text

_OPTIONS = {name: str(field.help_text) for name, field in LookupQuerySerializer().fields.items()}
Shown = dict[str, Any]


class Command(ConsoleCommand):
    """Takes the parameters of `GET /links/ID/lookup`, and prints its response as text or JSON."""

    help = "Find transactions in the binary logs of a link's nodes. Searches and reads of rows are recorded."
    examples = (
        "hawser_lookup payments --cluster milan --xid 48213",
        "hawser_lookup payments --gtid 0-11-57 --json",
        "hawser_lookup payments --node db-a1 --file binlog.000042 --position 1309 --rows",
        'hawser_lookup payments --table shop.orders --since "2026-03-04 05:00" --until "2026-03-04 05:10"',
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The link, the criteria and the form of the answer."""
        parser.add_argument("link", help="name or id of the link")
        for name, text in _OPTIONS.items():
            parser.add_argument(f"--{name.replace('_', '-')}", help=text.replace("%", "%%").replace("`", ""))
        parser.add_argument("--rows", action="store_true", help="with one transaction found: print its rows, too")
        parser.add_argument("--json", action="store_true", help="print the response of the API")

    def handle(self, *args: Any, **options: Any) -> None:
        """Search and print; exit code 1 if nothing was found."""
        try:
            link = _link(options["link"])
            answer = self._search(link, options)
            rows = self._rows(link, answer) if options["rows"] else None
        except ProblemError as error:
            fields = "".join(f"\n--{one['field'].replace('_', '-')}: {one['message']}" for one in error.errors)
            raise CommandError(f"{error.detail}{fields if len(error.errors) > 1 else ''}") from error
        if options["json"]:
            shown = answer if rows is None else {**answer, "transaction_rows": rows}
            self.stdout.write(json.dumps(shown, indent=2, cls=DjangoJSONEncoder))
        else:
            self.stdout.write(lookup_text(answer) + (rows_text(rows) if rows is not None else ""))
        if not answer["transactions"]:
            raise CommandError("No transaction was found.")

    def _search(self, link: Link, options: dict[str, Any]) -> Shown:
        given = {name: options[name] for name in _OPTIONS if options[name] is not None}
        checked = LookupQuerySerializer(data=given)
        if not checked.is_valid():
            first = next(iter(checked.errors.items()))
            raise CommandError(f"--{first[0].replace('_', '-')}: {first[1][0]}")
        return services.transaction_lookup(actor=_actor(), link=link, given=checked.validated_data, source="cli")

    def _rows(self, link: Link, answer: Shown) -> Shown:
        if len(answer["transactions"]) != 1:
            raise CommandError("--rows needs criteria that one transaction meets. Add --node, --file and --position.")
        found = next(one for one in answer["transactions"][0]["nodes"] if one["location"])
        begins = position_of(found["location"]["file"], found["location"]["position"])
        node = node_named(link, found["node_id"])
        read = services.transaction_rows(actor=_actor(), link=link, node=node, begins=begins, source="cli")
        return shown_rows(node.name, read)


def _actor() -> str:
    return f"{COMMAND_LINE}{os_user()}"


def _link(name: str) -> Link:
    found = links().filter(name=name).first() or links().filter(pk=name).first()
    if found is None:
        raise CommandError(f"No link has the name or id {name}.")
    return found

"""`hawser_link` changes, pauses and retires a registered link without a browser."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.registration.command_line import add_reason, change_by_command, cluster_named, link_named
from backend.registration.links import link_pause, link_resume, link_swap_names, link_update
from backend.registration.retirement import link_retire

Options = dict[str, Any]


class Command(ConsoleCommand):
    """Each change is audited and refused while a run is unfinished, as by the API."""

    help = "Rename a link, set its home side, begin or end its maintenance, or retire it."
    examples = (
        'hawser_link payments update --name payments-2 --reason "new naming"',
        'hawser_link payments update --home milan --reason "milan is home again"',
        'hawser_link payments update --writes-on-both-sides --reason "each site has its own schemas"',
        'hawser_link payments pause --minutes 120 --reason "switch upgrade"',
        'hawser_link payments resume --reason "done early"',
        'hawser_link payments swap-names payments-2 --reason "migrated"',
        'hawser_link payments retire --reason "service ended"',
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The link, and what to do with it."""
        parser.add_argument("link", help="name or id of the link")
        what = parser.add_subparsers(dest="what", required=True, title="actions")
        update = self._action(what, "update", "change the name, the home side, or which sides are written")
        update.add_argument("--name", help="new name")
        update.add_argument("--home", help="name or id of the cluster that is active when all is well")
        update.add_argument(
            "--writes-on-both-sides",
            action=BooleanOptionalAction,
            help="whether applications write on the standby side, too: no finding says then that it takes writes",
        )
        pause = self._action(what, "pause", "begin a maintenance, or move its end")
        pause.add_argument("--minutes", type=int, required=True, help="how long it lasts, at most 10080 (7 days)")
        self._action(what, "resume", "end a maintenance")
        swap = self._action(what, "swap-names", "swap the names of two links")
        swap.add_argument("other", help="name or id of the other link")
        self._action(what, "retire", "stop observing the link; its channels stay, its history stays readable")

    def _action(self, what: Any, name: str, text: str) -> ArgumentParser:
        parser: ArgumentParser = what.add_parser(name, help=text)
        add_reason(parser)
        return parser

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, or tell why not."""
        act = getattr(self, f"_{options['what'].replace('-', '_')}")
        try:
            self.stdout.write(act(options))
        except ProblemError as error:
            raise CommandError(error.detail) from error

    def _update(self, options: Options) -> str:
        given = {key: options[key] for key in ("name", "writes_on_both_sides") if options[key] is not None}
        if options["home"] is not None:
            given["home_cluster"] = cluster_named(options["home"]).pk
        if not given:
            raise CommandError("Nothing to change was given. Name --name, --home or --writes-on-both-sides.")
        link = link_update(change=change_by_command(options["reason"]), link=link_named(options["link"]), **given)
        home = link.home_cluster or link.active_cluster
        sides = "both sides are written" if link.writes_on_both_sides else "one side is written"
        return f"{link.name} is registered with {home.name} as its home side; {sides}."

    def _pause(self, options: Options) -> str:
        until = timezone.now() + timedelta(minutes=options["minutes"])
        change = change_by_command(options["reason"])
        link = link_pause(change=change, link=link_named(options["link"]), until=until)
        return f"{link.name} is in maintenance until {until:%Y-%m-%d %H:%M} UTC."

    def _resume(self, options: Options) -> str:
        link = link_resume(change=change_by_command(options["reason"]), link=link_named(options["link"]))
        return f"{link.name} is not in maintenance."

    def _swap_names(self, options: Options) -> str:
        one, two = link_named(options["link"]), link_named(options["other"])
        link_swap_names(change=change_by_command(options["reason"]), link=one, other=two)
        return f"{one.name} and {two.name} have swapped their names."

    def _retire(self, options: Options) -> str:
        link = link_retire(change=change_by_command(options["reason"]), link=link_named(options["link"]))
        if link.retired_at is None:
            return f"The retirement of {link.name} waits for a second administrator, or for its waiting time."
        return f"{link.name} is retired."

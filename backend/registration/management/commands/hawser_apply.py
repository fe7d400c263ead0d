"""`hawser_apply` makes the registration as a file declares it, or prints the differences."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import CommandError

from backend.common.commands import ConsoleCommand
from backend.registration.command_line import add_accept_unreachable, change_by_command
from backend.registration.declaration.comparison import differences, undeclared_nodes
from backend.registration.declaration.difference import Difference, Fault
from backend.registration.declaration.document import Declaration, PasswordDigests
from backend.registration.declaration.execution import Executor, apply_in_order
from backend.registration.declaration.faults import faults
from backend.registration.declaration.host_file import read_file
from backend.registration.declaration.report import Outcome, Result, report_json, result_lines, summary, undeclared_line
from backend.registration.declaration.stored import StoredRegistration, registration_stored
from backend.registration.declaration.yaml_text import DeclarationError

Options = dict[str, Any]
REFUSED, BAD_FILE, DIFFERENT = 1, 2, 3
"""Exit codes; 0 is "done" and "nothing to do"."""


class Command(ConsoleCommand):
    """Each change is made by the services of the API: tried on the nodes, audited, and refused for the same reasons."""

    help = (
        "Register and change clusters and links as a file declares them, and print the differences.\n"
        "Exit code: 0 done or nothing to do, 1 refused, 2 the file has a fault, 3 differences found (--dry-run)."
    )
    examples = (
        "hawser_apply -f link.yaml --dry-run",
        'hawser_apply -f link.yaml --reason "fourth node"',
        'hawser_apply -f link.yaml --prune --reason "db-a1 decommissioned"',
        "hawser_apply -f link.yaml --dry-run --json",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and what to do with its differences."""
        parser.add_argument("-f", "--file", type=Path, required=True, help="YAML file that declares clusters and links")
        parser.add_argument("--dry-run", action="store_true", help="print the differences and change nothing")
        parser.add_argument("--reason", help="reason, stored in the audit log; names the file if it is left out")
        parser.add_argument(
            "--prune",
            action="store_true",
            help="remove nodes that a declared cluster no longer lists; never a cluster or link",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
        add_accept_unreachable(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare, then do it in order until the first refusal."""
        digest = PasswordDigests()
        try:
            declaration = read_file(options["file"], digest)
        except DeclarationError as error:
            self._fail(options, error.faults, BAD_FILE)
        stored = registration_stored(digest, [one.name for one in declaration.state.clusters])
        obstacles = faults(stored.state, declaration.state)
        if obstacles:
            self._fail(options, obstacles, REFUSED)
        found = differences(stored.state, declaration.state, prunes=options["prune"])
        undeclared = () if options["prune"] else undeclared_nodes(stored.state, declaration.state)
        results = self._printed(self._results(options, declaration, stored, found), options)
        if options["json"]:
            self.stdout.write(report_json(results, undeclared, ()))
        else:
            self.stdout.write("\n".join([*(undeclared_line(*one) for one in undeclared), summary(results)]))
        _exit({one.outcome for one in results})

    def _results(
        self, options: Options, declaration: Declaration, stored: StoredRegistration, found: Sequence[Difference]
    ) -> Iterator[Result]:
        if options["dry_run"]:
            return (Result(one, Outcome.PLANNED) for one in found)
        change = change_by_command(options["reason"] or f"declared in {options['file'].name}")
        executor = Executor(change, declaration, stored, accept_unreachable=options["accept_unreachable"])
        return apply_in_order(found, executor.apply)

    def _printed(self, results: Iterator[Result], options: Options) -> list[Result]:
        """All results. Each is printed as soon as it is known: a trial takes seconds, and the next one may fail."""
        known: list[Result] = []
        for result in results:
            known.append(result)
            if not options["json"]:
                self.stdout.write("\n".join(result_lines(result)))
        return known

    def _fail(self, options: Options, found: Sequence[Fault], code: int) -> NoReturn:
        """End with all faults of the file; nothing was changed."""
        if options["json"]:
            self.stdout.write(report_json((), (), found))
            raise SystemExit(code)
        lines = [f"{options['file']} cannot be applied. Nothing was changed.", *map(str, found)]
        raise CommandError("\n".join(lines), returncode=code)


def _exit(outcomes: Collection[Outcome]) -> None:
    """The refusal itself is printed with its object."""
    if Outcome.PLANNED in outcomes:
        raise SystemExit(DIFFERENT)
    if Outcome.REFUSED in outcomes:
        raise SystemExit(REFUSED)

"""`hawser_apply` makes the registration as a file declares it, or prints the differences."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import CommandError

from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.registration.command_line import add_accept_unreachable, change_by_command
from backend.registration.declaration.comparison import differences, undeclared_nodes
from backend.registration.declaration.difference import Difference, Fault
from backend.registration.declaration.document import PasswordDigests, read_declaration
from backend.registration.declaration.execution import Executor
from backend.registration.declaration.faults import faults
from backend.registration.declaration.report import Outcome, Result, difference_lines, object_name, results_json
from backend.registration.declaration.stored import registration_stored
from backend.registration.declaration.yaml_text import DeclarationError

Options = dict[str, Any]
REFUSED, BAD_FILE, DIFFERENT = 1, 2, 3
"""Exit codes; 0 is "done" and "nothing to do"."""


class Command(ConsoleCommand):
    """Each change is made by the services of the API: tried on the nodes, audited, and refused for the same reasons."""

    help = (
        "Register and change clusters and links as a file declares them, and print the differences. "
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
            declaration = read_declaration(options["file"], digest)
        except DeclarationError as error:
            self._fail(options, error.faults, BAD_FILE)
        stored = registration_stored(digest, [one.name for one in declaration.state.clusters])
        obstacles = faults(stored.state, declaration.state)
        if obstacles:
            self._fail(options, obstacles, REFUSED)
        found = differences(stored.state, declaration.state, prunes=options["prune"])
        left = () if options["prune"] else undeclared_nodes(stored.state, declaration.state)
        if options["dry_run"]:
            results = [Result(one, Outcome.PLANNED) for one in found]
        else:
            change = change_by_command(options["reason"] or f"declared in {options['file'].name}")
            executor = Executor(change, declaration, stored, accept_unreachable=options["accept_unreachable"])
            results = _apply_in_order(found, executor.apply)
        self.stdout.write(_as_json(results, left) if options["json"] else _as_text(results, left))
        self._exit(results, is_silent=options["json"])

    def _fail(self, options: Options, found: Sequence[Fault], code: int) -> NoReturn:
        """End with all faults of the file; nothing was changed."""
        if options["json"]:
            listed = [{"path": fault.path, "message": fault.message} for fault in found]
            self.stdout.write(json.dumps({"changes": [], "faults": listed}, indent=2))
            raise SystemExit(code)
        lines = [f"{options['file']} cannot be applied. Nothing was changed.", *map(str, found)]
        raise CommandError("\n".join(lines), returncode=code)

    def _exit(self, results: Sequence[Result], *, is_silent: bool) -> None:
        outcomes = {one.outcome for one in results}
        if Outcome.PLANNED in outcomes:
            raise SystemExit(DIFFERENT)
        refused = next((one for one in results if one.outcome is Outcome.REFUSED), None)
        if refused is None:
            return
        if is_silent:
            raise SystemExit(REFUSED)
        raise CommandError(f"{object_name(refused.difference)}: {refused.note}", returncode=REFUSED)


def _apply_in_order(found: Sequence[Difference], apply: Callable[[Difference], str]) -> list[Result]:
    """Apply each difference until one is refused; those after it are not done."""
    results: list[Result] = []
    for difference in found:
        if results and results[-1].outcome is not Outcome.DONE:
            results.append(Result(difference, Outcome.NOT_DONE))
            continue
        try:
            results.append(Result(difference, Outcome.DONE, apply(difference)))
        except ProblemError as error:
            results.append(Result(difference, Outcome.REFUSED, error.detail))
    return results


def _as_text(results: Sequence[Result], left: Sequence[tuple[str, str]]) -> str:
    lines = [line for one in results for line in _result_lines(one)]
    lines += [
        f"! node {cluster}/{node} is registered and not in the file. --prune removes it." for cluster, node in left
    ]
    return "\n".join([*lines, _summary(results)])


def _result_lines(one: Result) -> list[str]:
    head, *fields = difference_lines(one.difference)
    outcome = "" if one.outcome is Outcome.PLANNED else f"  [{one.outcome.value.replace('_', ' ')}]"
    note = [f"    {one.note}"] if one.note and one.outcome is Outcome.DONE else []
    return [f"{head}{outcome}", *fields, *note]


def _summary(results: Sequence[Result]) -> str:
    if not results:
        return "No differences. Nothing was changed."
    counts = {outcome: sum(one.outcome is outcome for one in results) for outcome in Outcome}
    if counts[Outcome.PLANNED]:
        return f"{_changes(counts[Outcome.PLANNED])} to make, in this order. Nothing was changed."
    if not counts[Outcome.REFUSED]:
        return f"{_changes(len(results))} made."
    rest = f"{_changes(counts[Outcome.DONE])} made, 1 refused, {counts[Outcome.NOT_DONE]} not made."
    return f"{rest} What was made stays. Remove the cause and run the command again."


def _changes(number: int) -> str:
    return f"{number} change" if number == 1 else f"{number} changes"


def _as_json(results: Sequence[Result], left: Sequence[tuple[str, str]]) -> str:
    undeclared = [{"cluster": cluster, "name": node} for cluster, node in left]
    return json.dumps({"changes": results_json(results), "undeclared_nodes": undeclared, "faults": []}, indent=2)

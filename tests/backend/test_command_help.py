"""`--help` of every `hawser_*` command: each argument is explained, and the end shows an example."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator

import pytest
from django.core.management import get_commands, load_command_class

COMMANDS = sorted(name for name in get_commands() if name.startswith("hawser_"))


def _parsers(parser: ArgumentParser, name: str) -> Iterator[tuple[str, ArgumentParser]]:
    """The parser and those of its verbs, each with the command line that leads to it."""
    yield name, parser
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for verb, inner in action.choices.items():
                yield from _parsers(inner, f"{name} {verb}")


def _parser(command: str) -> ArgumentParser:
    return load_command_class(get_commands()[command], command).create_parser("manage.py", command)


def _unexplained(name: str, parser: ArgumentParser) -> Iterator[str]:
    """Arguments and verbs of one parser that have no help."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            explained = {choice.dest for choice in action._choices_actions if choice.help}
            yield from (f"{name} {verb}" for verb in action.choices if verb not in explained)
        elif not action.help:
            yield f"{name} {action.option_strings or action.dest}"


def test_commands__found__the_console_has_some() -> None:
    assert {"hawser_audit", "hawser_breakglass", "hawser_user"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help__every_argument_and_verb__explained(command: str) -> None:
    missing = [gap for name, parser in _parsers(_parser(command), command) for gap in _unexplained(name, parser)]
    assert missing == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help__end__shows_examples_of_this_command(command: str) -> None:
    shown = _parser(command).format_help().partition("examples:\n")[2].splitlines()
    assert shown
    assert all(line.startswith(f"  manage.py {command}") for line in shown)


@pytest.mark.parametrize("command", COMMANDS)
def test_help__examples__parse(command: str) -> None:
    parser = _parser(command)
    for line in (parser.epilog or "").splitlines()[1:]:
        parser.parse_args(_without_redirection(shlex.split(line))[2:])


def _without_redirection(line: list[str]) -> list[str]:
    """The arguments before `>` or `<`."""
    ends = [line.index(sign) for sign in (">", "<") if sign in line]
    return line[: min(ends, default=len(line))]

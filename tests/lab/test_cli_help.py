"""`--help` of the lab, the demo and the test run: every argument and verb is explained."""

from __future__ import annotations

import contextlib
import io
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator

import pytest

from deploy.demo import options
from deploy.lab import cli


def _gaps(parser: ArgumentParser) -> Iterator[str]:
    """Verbs and arguments without help, in the parser and in its verbs."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            explained = {choice.dest for choice in action._choices_actions if choice.help}
            yield from (f"{parser.prog} {verb}" for verb in action.choices if verb not in explained)
            for inner in action.choices.values():
                yield from _gaps(inner)
        elif not action.help:
            yield f"{parser.prog} {action.option_strings or action.dest}"


def test_lab__every_argument_and_verb__explained() -> None:
    assert list(_gaps(cli._parser())) == []


@pytest.mark.parametrize("option", ["--home", "--host", "--port", "--variant", "--seconds", "--ready-file", "--wan"])
def test_demo__every_option__explained(option: str) -> None:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), pytest.raises(SystemExit):
        options.parse(["--help"])
    _, _, explained = shown.getvalue().partition("options:")[2].partition(option)
    assert explained.split("\n  -")[0].split(maxsplit=1)[1].strip()

"""The page of commands, made from their parsers: `python -m tests.backend.commands_page` writes it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

import django
from django.core.management import get_commands, load_command_class
from django.core.management.base import DjangoHelpFormatter

from deploy.services.process import ROOT

PAGE = ROOT / "docs/reference/cli.md"
_HEAD = """# Command line

For administrators and operators at a shell of a console host. Each command is run as `python manage.py NAME`, with the
settings of the other processes in its environment. Generated from the commands by
`python -m tests.backend.commands_page`; do not edit.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *(line for name in _names() for line in _section(name))]) + "\n"


def _names() -> list[str]:
    """Commands of our own."""
    return sorted(name for name, app in get_commands().items() if str(app).startswith("backend."))


def _section(name: str) -> Iterator[str]:
    parser = load_command_class(str(get_commands()[name]), name).create_parser("manage.py", name)
    yield from [f"## {name}", "", parser.description or "", ""]
    verbs = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not verbs:
        yield from _table(parser)
    for action in verbs:
        summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
        for verb, own in action.choices.items():
            yield from [f"### {name} {verb}", "", *([summaries[verb], ""] if summaries.get(verb) else []), *_table(own)]


def _table(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Arguments of our own: those of every Django command are left out."""
    left_out = DjangoHelpFormatter.show_last | {"--help"}
    shown = [a for a in parser._actions if not left_out & set(a.option_strings)]
    rows = [f"| `{_form(a)}` | {_meaning(a)} |" for a in shown if not isinstance(a, argparse._SubParsersAction)]
    yield from ["| argument | meaning |", "|---|---|", *rows, ""] if rows else ["No arguments.", ""]


def _form(action: argparse.Action) -> str:
    """As it is typed."""
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    typed = f"{action.option_strings[-1]} {value}".strip() if action.option_strings else value
    return typed if action.required else f"[{typed}]"


def _meaning(action: argparse.Action) -> str:
    choices = f"one of {', '.join(map(str, action.choices))}" if action.choices else ""
    return "; ".join(part for part in (action.help or "", choices) if part).replace("|", "\\|")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    django.setup()
    PAGE.write_text(page())

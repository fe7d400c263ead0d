"""`ConsoleCommand`, the base of every `hawser_*` command: its help ends with examples."""

from __future__ import annotations

from argparse import RawDescriptionHelpFormatter
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandParser, DjangoHelpFormatter


class ExampleFormatter(DjangoHelpFormatter, RawDescriptionHelpFormatter):
    """Django's help formatter without rewrapping, so that each example stays on its line."""


class ConsoleCommand(BaseCommand):
    """A command of the console. `examples` are complete command lines, without `manage.py`."""

    examples: ClassVar[tuple[str, ...]] = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Django's parser with the examples as epilog."""
        lines = "\n".join(f"  {prog_name} {example}" for example in self.examples)
        kwargs.setdefault("formatter_class", ExampleFormatter)
        return super().create_parser(prog_name, subcommand, epilog=f"examples:\n{lines}", **kwargs)

"""Several commands of `manage.py` in one process, since each start of Django takes a second of a processor."""

from __future__ import annotations

import json
import sys

import django
from django.core.management import CommandError, call_command


def main() -> None:
    """The commands are a JSON list of lists of arguments; standard input is shared by all of them, in their order."""
    django.setup()
    for name, *arguments in json.loads(sys.argv[1]):
        try:
            call_command(name, *arguments)
        except CommandError as error:
            sys.exit(f"{name}: {error}")


if __name__ == "__main__":
    main()

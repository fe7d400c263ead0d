"""`hawser_settings` prints the settings in force and the origin of each."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from typing import Any

from backend.common.commands import ConsoleCommand
from backend.config import env, setting_report


class Command(ConsoleCommand):
    """Reads the environment of this process; other processes may have another one."""

    help = "Print every setting in force with its origin. Secrets are masked."
    examples = ("hawser_settings", "hawser_settings --json")
    requires_system_checks = []  # they would report the same unknown names

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The output is text for people, JSON for programs."""
        parser.add_argument("--json", action="store_true", help="print a JSON object with `settings` and `unknown`")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the settings; unknown names go to standard error."""
        settings, unknown = setting_report.in_force(env.READINGS), setting_report.unknown_names(os.environ)
        if options["json"]:
            self.stdout.write(json.dumps({"settings": settings, "unknown": unknown}, indent=1))
            return
        width = max(len(one["name"]) for one in settings)
        for one in settings:
            self.stdout.write(f"{one['name']:{width}}  {one['value'] or '(empty)'}  [{one['origin']}]")
        for name, nearest in unknown.items():
            mistake = f"; did you mean {nearest}?" if nearest else ""
            self.stderr.write(f"{name} is set in the environment but is not a setting of Hawser{mistake}")

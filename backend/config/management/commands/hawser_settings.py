"""Which settings are in force, and where each came from."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from backend.config import env, setting_report


class Command(BaseCommand):
    """Values of this very environment; other processes may have another one."""

    help = "Print every setting in force with its origin; secrets are masked."
    requires_system_checks = []  # they would say the same of unknown names

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One form for people, one for programs."""
        parser.add_argument("--json", action="store_true", help="an object with `settings` and `unknown`")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print them; unknown names go to standard error."""
        settings, unknown = setting_report.in_force(env.READINGS), setting_report.unknown_names(os.environ)
        if options["json"]:
            self.stdout.write(json.dumps({"settings": settings, "unknown": unknown}, indent=1))
            return
        width = max(len(one["name"]) for one in settings)
        for one in settings:
            self.stdout.write(f"{one['name']:{width}}  {one['value'] or '(empty)'}  [{one['origin']}]")
        for name, nearest in unknown.items():
            mistake = f"; did you mean {nearest}?" if nearest else ""
            self.stderr.write(f"{name} is in the environment and no setting is called so{mistake}")

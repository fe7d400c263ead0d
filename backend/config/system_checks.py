"""`manage.py check` warns of unknown names in the environment; wrong values already prevent the start."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from django.core import checks

from backend.config import setting_report


@checks.register()
def check_environment(**_: Any) -> Sequence[checks.CheckMessage]:
    """Unknown names, and settings that are given twice."""
    unknown = [
        checks.Warning(
            f"{name} is set in the environment but is not a setting of Hawser.",
            hint=f"Did you mean {nearest}?" if nearest else "`manage.py hawser_settings` lists all names.",
            id="hawser.W001",
        )
        for name, nearest in setting_report.unknown_names(os.environ).items()
    ]
    twice = [
        checks.Warning(
            f"{name} and {name}_FILE are both set.", hint=f"The file takes precedence. Unset {name}.", id="hawser.W002"
        )
        for name in setting_report.set_twice(os.environ)
    ]
    return [*unknown, *twice]

"""The measurements start a console as in production; a new key of it must not be found missing by the next of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.production import settings
from deploy.services.process import PYTHON, run

pytestmark = pytest.mark.slow


def test_settings__of_a_measurement__are_all_that_a_console_needs(tmp_path: Path) -> None:
    run([PYTHON, "manage.py", "check"], env=settings(f"sqlite:///{tmp_path / 'console.sqlite3'}"))

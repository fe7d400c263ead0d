"""Freed memory is overwritten at once, by what units and compose file give to each process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.deploy import units
from tests.deploy.compose import services
from tests.deploy.freed_memory import SETTINGS, left_of_a_password

PROCESSES = ("web", "worker", "monitor")


def test_password__let_go__is_left_in_memory_without_the_settings_and_not_with_them(tmp_path: Path) -> None:
    given = units.environment("hawser-web.service", tmp_path)
    assert left_of_a_password({}) > 0
    for left_out in SETTINGS:
        assert left_of_a_password({name: value for name, value in given.items() if name != left_out}) > 0
    assert left_of_a_password(given) == 0


@pytest.mark.parametrize("process", PROCESSES)
def test_process__of_units_and_compose__has_the_settings(process: str, tmp_path: Path) -> None:
    wanted = {name: units.environment("hawser-web.service", tmp_path)[name] for name in SETTINGS}
    assert units.environment(f"hawser-{process}.service", tmp_path).items() >= wanted.items()
    assert services()[process]["environment"].items() >= wanted.items()

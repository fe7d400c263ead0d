"""docs/reference/limits.md: each figure is the one that the code has."""

from __future__ import annotations

import importlib
import re
from datetime import timedelta

import pytest

from deploy.services.process import ROOT

PAGE = ROOT / "docs/reference/limits.md"
_ROW = re.compile(r"^\| .+ \| (\d+) ?(s|hours?|days?|minutes?)? \| `(backend[\w.]+)\.([A-Z_]+)` \|$", re.MULTILINE)
_UNITS = {"hour": 3600, "day": 86_400, "minute": 60}
ROWS = [match.groups() for match in _ROW.finditer(PAGE.read_text())]


@pytest.mark.parametrize(("figure", "unit", "module", "name"), ROWS, ids=[f"{row[2]}.{row[3]}" for row in ROWS])
def test_limit__on_the_page__is_the_constant_of_the_code(figure: str, unit: str | None, module: str, name: str) -> None:
    constant = getattr(importlib.import_module(module), name)
    seconds = constant.total_seconds() if isinstance(constant, timedelta) else constant
    assert int(figure) * _UNITS.get((unit or "").rstrip("s"), 1) == seconds


def test_limits__every_row_that_names_a_constant__is_compared() -> None:
    assert len(ROWS) == PAGE.read_text().count("| `backend.")

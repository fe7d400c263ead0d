"""Tests of the lab itself; those that take long are left to `make servers`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`whole` tests of this folder run with HAWSER_WHOLE only."""
    if not os.environ.get("HAWSER_WHOLE"):
        items[:] = [one for one in items if not (one.path.is_relative_to(_HERE) and one.get_closest_marker("whole"))]

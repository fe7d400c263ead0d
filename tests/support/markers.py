"""Markers that a whole folder of tests carries."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest


def mark_below(folder: Path, mark: pytest.MarkDecorator, items: Iterable[pytest.Item]) -> None:
    """The marker on each test of the folder; pytest hands every collected test to every conftest."""
    for item in items:
        if folder in item.path.parents:
            item.add_marker(mark)

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


DATABASE = frozenset({"db", "transactional_db"})


def check_needs_no_database(items: Iterable[pytest.Item]) -> None:
    """Refuse a test marked `no_database` that uses one: the run on SQLite would leave it out."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        uses_one = bool(names & DATABASE) or item.get_closest_marker("django_db") is not None
        if uses_one and item.get_closest_marker("no_database") is not None:
            raise pytest.UsageError(f"{item.nodeid} is marked no_database and uses a database. Remove the marker.")

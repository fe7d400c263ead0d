"""What each test needs, as a marker: pytest selects by it (`-m "not server"`), and the stages of a test run do."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

NEEDS = ("pure", "database", "server", "lab", "browser")
"""From nothing to the most; a test that needs several has the marker of the last."""
OF_FOLDER = {
    **dict.fromkeys(("conformance", "mysql"), "server"),
    **dict.fromkeys(("galera", "ha", "containers"), "lab"),
    "story": "browser",
}
"""What every test of a folder needs, whatever it asks for."""
OF_FIXTURE = {
    **dict.fromkeys(("db", "transactional_db"), "database"),
    **dict.fromkeys(("lab", "gtid_lab", "wide"), "server"),
    "fault": "lab",
}


def mark_needs(tests: Path, items: Iterable[pytest.Item]) -> None:
    """Marks each test with what it needs, unless it says more itself."""
    for item in items:
        item.add_marker(_need(tests, item))


def _need(tests: Path, item: pytest.Item) -> str:
    found = {OF_FOLDER.get(item.path.relative_to(tests).parts[0], "pure")}
    found |= {OF_FIXTURE[name] for name in getattr(item, "fixturenames", ()) if name in OF_FIXTURE}
    found |= {mark.name for mark in item.iter_markers() if mark.name in NEEDS}
    if item.get_closest_marker("django_db") is not None:
        found.add("database")
    return max(found, key=NEEDS.index)

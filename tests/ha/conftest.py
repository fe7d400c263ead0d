"""One stack of two hosts for the session: small for every test run, whole with HAWSER_WHOLE."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ha.parts.part import why_not
from tests.ha.stack import HaStack

IS_WHOLE = bool(os.environ.get("HAWSER_WHOLE"))
FIGURES = pytest.StashKey[dict[str, Any]]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here start real processes; with HAWSER_WHOLE those on the whole stack run, without it the others."""
    ours = [item for item in items if "tests/ha/" in str(item.path)]
    left_out = {item for item in ours if (item.get_closest_marker("whole") is not None) != IS_WHOLE}
    items[:] = [item for item in items if item not in left_out]
    for item in ours:
        item.add_marker(pytest.mark.ha)


def pytest_terminal_summary(config: pytest.Config) -> None:
    """Figures of the session, red or green, written where HAWSER_HA_RESULTS says."""
    target = os.environ.get("HAWSER_HA_RESULTS")
    if target:
        Path(target).write_text(json.dumps(config.stash.get(FIGURES, {}), indent=1) + "\n")


@pytest.fixture(scope="session")
def figures(pytestconfig: pytest.Config) -> dict[str, Any]:
    """Measurements by name."""
    return pytestconfig.stash.setdefault(FIGURES, {})


@pytest.fixture(scope="session")
def small() -> Iterator[HaStack]:
    """Two hosts on one MariaDB and one Redis."""
    yield from _running(HaStack.begin_small)


@pytest.fixture(scope="session")
def whole() -> Iterator[HaStack]:
    """Two hosts on three database nodes and three servers of Redis."""
    yield from _running(HaStack.begin)


def _running(begin: Any) -> Iterator[HaStack]:
    if reason := why_not():
        pytest.skip(f"two of everything cannot run here: {reason}")
    stack = HaStack()
    try:
        begin(stack)
        yield stack
    finally:
        stack.end()

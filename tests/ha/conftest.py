"""One stack of two hosts for the session: small for every test run, whole with HAWSER_WHOLE."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ha.client import Client, RetryingConsole
from tests.ha.load import Load
from tests.ha.parts.part import why_not
from tests.ha.stack import HaStack
from tests.ha.under_load import UnderLoad
from tests.support.waiting import wait_for

IS_WHOLE = bool(os.environ.get("HAWSER_WHOLE"))
RATE = float(os.environ.get("HAWSER_HA_RATE", "200"))
"""Calls a second; two cores that also carry nine database nodes answer fewer."""
FIGURES = pytest.StashKey[dict[str, Any]]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here start real processes; with HAWSER_WHOLE those on the whole stack run, without it the others."""
    ours = [item for item in items if "tests/ha/" in str(item.path)]
    left_out = {item for item in ours if (item.get_closest_marker("whole") is not None) != IS_WHOLE}
    items[:] = [item for item in items if item not in left_out]


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


@pytest.fixture
def console(whole: HaStack) -> RetryingConsole:
    """Every part up, the link protected."""
    caller = RetryingConsole("", whole.token, whole.link_id, client=whole.client())
    wait_for(
        lambda: caller.call("GET", "/readyz").body.get("status") == "ready", "all parts to be ready", 120, pause_s=0.5
    )
    wait_for(lambda: caller.link()["state"] == "protected", "the link to be protected", 120, pause_s=0.5)
    return caller


@pytest.fixture
def calls(whole: HaStack, console: RetryingConsole) -> Load:
    """The load, not yet running."""
    client = whole.client()
    link = console.link_id
    paths = [f"/links/{link}", "/links", "/runs", "/session", "/healthz", f"/links/{link}/history", "/roles"]
    return Load(client, paths, lambda _: planned(client, link), RATE, create_every=200)


def planned(client: Client, link: str) -> None:
    """A plan of the load; a run under way or a node that moves may refuse it, and that is an answer, too."""
    client.call("POST", f"/links/{link}/plans", {"kind": "relocate", "reason": "load", "options": {}})


@pytest.fixture
def under_load(whole: HaStack, console: RetryingConsole, calls: Load, figures: dict[str, Any]) -> UnderLoad:
    """What a case is judged by."""
    return UnderLoad(whole, console, calls, figures)

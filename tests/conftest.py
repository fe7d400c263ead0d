"""For every suite: a property without settings of its own is tried as often, and as repeatably, as any other."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings

from tests.core.builders.examples import SEED, examples
from tests.support.markers import mark_needs
from tests.support.waiting import patience

settings.register_profile("hawser", examples(100))
settings.load_profile("hawser")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Says with which seed; pytest leaves its own header out of a quiet run."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and SEED in os.environ:
        terminal.write_line(f"hypothesis: examples of seed {os.environ[SEED]}, again by {SEED}={os.environ[SEED]}")


def pytest_collection(session: pytest.Session) -> None:
    """Every second worker imports the tests from the last to the first: what one has compiled, the other loads.

    Workers that begin together would each rewrite the assertions of every module, which is most of a collection.
    """
    if int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 2:
        root = session.config.rootpath
        for path in sorted((p for arg in session.config.args for p in (root / arg).rglob("test_*.py")), reverse=True):
            with suppress(Exception, pytest.skip.Exception):  # the collection imports it again, and reports it
                import_module(".".join(path.relative_to(root).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Before a selection by markers."""
    mark_needs(Path(__file__).parent, items)
    if patience() != 1:
        _lengthen(config, items)


def _lengthen(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that waits longer may take longer."""
    usual = config.getoption("timeout") or float(config.getini("timeout"))
    for item in items:
        marker = item.get_closest_marker("timeout")
        limit_s = marker.args[0] if marker is not None else usual
        item.add_marker(pytest.mark.timeout(limit_s * patience()), append=False)

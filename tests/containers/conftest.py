"""An engine for the whole session, our image, and the production profile of the compose file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from deploy.containers import engine as engines
from deploy.containers import images
from deploy.containers.engine import Engine
from deploy.containers.errors import NoEngineError
from tests.containers.production import Production, running

IS_WHOLE = bool(os.environ.get("HAWSER_WHOLE"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`whole` ones run with HAWSER_WHOLE only."""
    if not IS_WHOLE:
        items[:] = [item for item in items if item.get_closest_marker("whole") is None]


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """A Docker engine of our own with the console's image."""
    with ExitStack() as stack:
        try:
            started = stack.enter_context(engines.running())
        except NoEngineError as error:
            pytest.skip(f"no container engine can run here: {error}")
        images.build(started, "console", images.CONSOLE, print)
        yield started


@pytest.fixture(scope="session")
def production(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    """The production profile, up and healthy, with an administrator's token."""
    with running(engine, tmp_path_factory.mktemp("production")) as found:
        yield found

"""One stack a variant, under continuous load at both sites, its counters made to differ first."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.lab.load.control import Order
from tests.galera.relocating import IS_WHOLE
from tests.galera.scene import Scene
from tests.galera.stack import Stack

collect_ignore = [] if IS_WHOLE else ["test_aligned_hint.py", "test_switch_death.py"]


def free_port() -> int:
    """A loopback port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here drive the real lab."""
    for item in items:
        if "tests/galera" in str(item.path):
            item.add_marker(pytest.mark.galera)


@pytest.fixture(scope="module")
def variant() -> str:
    """The lab's variant; modules override it."""
    return "classic"


@pytest.fixture(scope="module")
def counters_differ() -> bool:
    """Whether the clusters' counters are moved apart first, so that no test passes by luck; modules override it."""
    return True


@pytest.fixture(scope="module")
def stack(variant: str, counters_differ: bool) -> Iterator[Stack]:
    """Lab, Redis, web, worker and monitor."""
    home = Path(tempfile.mkdtemp(prefix="hawser-scenarios-"))
    lab_home = Path(os.environ.get("HAWSER_LAB_HOME", str(home / "lab")))
    stack = Stack(home, variant, free_port(), lab_home, os.environ.get("HAWSER_LAB_NET", "127.61"))
    try:
        stack.up()
        if counters_differ:
            stack.lab.restart_counters("b", 2)
            stack.lab.restart_counters("a", 1)
        yield stack
    finally:
        stack.down()
        if "HAWSER_KEEP_LOGS" not in os.environ:
            shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="module")
def load(stack: Stack) -> Order:
    """What the load is to do; high enough that a wrong position shows at once."""
    return Order(writers=2, rate=20.0, ddl_every=7.0, seconds=3000)


@pytest.fixture
def scene(stack: Stack, load: Order) -> Iterator[Scene]:
    """A healthy link under load; afterwards everything lives again and the judge has spoken."""
    scene = Scene(stack, load)
    scene.heal()
    yield scene
    scene.heal()

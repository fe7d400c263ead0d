"""One stack under fault for all tests of the bench; each test begins healthy and under load, and ends judged."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.lab.load.control import Order
from deploy.parts.net import free_port
from tests.faults.fault import Fault, Verdict
from tests.faults.results import Results
from tests.faults.stack import FaultStack
from tests.support.outcome import PASSED, pytest_runtest_makereport

__all__ = ["pytest_runtest_makereport"]

LOAD = Order(writers=2, rate=12.0, ddl_every=45.0, seconds=3000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that take the stack drive real servers; the marathon runs last, each fault by itself judged before it."""
    for item in items:
        if "tests/faults" in str(item.path) and "fault" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.galera)
    items.sort(key=lambda item: item.path.name == "test_marathon.py")


@pytest.fixture(scope="session")
def results() -> Iterator[Results]:
    """Figures of the whole session, written where HAWSER_FAULT_RESULTS says."""
    kept = Results()
    yield kept
    target = os.environ.get("HAWSER_FAULT_RESULTS")
    if target:
        kept.save(Path(target))


@pytest.fixture(scope="session")
def fault_stack() -> Iterator[FaultStack]:
    """The stack with its proxy; counters moved apart, so that nothing passes by luck."""
    home = Path(tempfile.mkdtemp(prefix="hawser-faults-"))
    lab_home = Path(os.environ.get("HAWSER_LAB_HOME", str(home / "lab")))
    stack = FaultStack(home, "classic", free_port(), lab_home, os.environ.get("HAWSER_LAB_NET", "127.62"))
    try:
        stack.up()
        stack.lab.restart_counters("b", 2)
        stack.lab.restart_counters("a", 1)
        yield stack
    finally:
        stack.down()
        if "HAWSER_KEEP_LOGS" not in os.environ:
            shutil.rmtree(home, ignore_errors=True)


def seed_of(test: str) -> int:
    """HAWSER_FAULT_SEED, else one drawn; mixed with the test's name, so that tests do not draw alike."""
    given = os.environ.get("HAWSER_FAULT_SEED")
    base = int(given) if given else random.SystemRandom().randrange(2**31)
    print(f"seed {base} of {test}: replay with HAWSER_FAULT_SEED={base}")  # noqa: T201 - the way to replay a failure
    return base


@pytest.fixture
def fault(fault_stack: FaultStack, results: Results, request: pytest.FixtureRequest) -> Iterator[Fault]:
    """A healthy link under load; afterwards the three judges have spoken and everything lives again."""
    marker = request.node.get_closest_marker("faults")
    assert marker is not None, "name the faults of the catalogue that this test covers"
    seed = seed_of(request.node.name)
    rng = random.Random(seed ^ zlib.crc32(request.node.name.encode()))
    scene = Fault(fault_stack, LOAD, rng=rng, verdict=Verdict(tuple(marker.args), seed))
    fault_stack.chaos.heal()
    scene.heal()
    if scene.has_long_record():
        scene.afresh()
    scene.arm()
    yield scene
    fault_stack.chaos.heal()
    scene.end_sleepers()
    if request.node.stash.get(PASSED, default=False):
        assert scene.is_judged, "a fault test ends with its judges"
        results.keep(scene.verdict)
    scene.heal()

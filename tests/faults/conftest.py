"""One stack under fault for all tests of the bench; each test begins healthy and under load, and ends judged."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.lab.load.control import Order
from deploy.services.net import free_net, free_port
from tests.faults.fault import Fault, Verdict
from tests.faults.results import MARATHON, Results
from tests.faults.stack import FaultStack
from tests.support.outcome import PASSED, pytest_runtest_makereport

__all__ = ["pytest_runtest_makereport"]

RESULTS = pytest.StashKey[Results]()
LOAD = Order(writers=2, rate=12.0, ddl_every=45.0, seconds=3000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The marathon runs last, each fault judged alone before it."""
    items.sort(key=lambda item: item.path.name == MARATHON)


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """Figures of the whole session, red or green, written where HAWSER_FAULT_RESULTS says."""
    recorded = config.stash.setdefault(RESULTS, Results())
    reports = [report for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())]
    recorded.failed = list(dict.fromkeys(report.nodeid for report in reports))
    recorded.is_over = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    recorded.save()


@pytest.fixture(scope="session")
def results(pytestconfig: pytest.Config) -> Results:
    """Figures of the whole session."""
    return pytestconfig.stash.setdefault(RESULTS, Results())


@pytest.fixture(scope="session")
def fault_stack() -> Iterator[FaultStack]:
    """The stack with its proxy."""
    home = Path(tempfile.mkdtemp(prefix="hawser-faults-"))
    lab_home = Path(os.environ.get("HAWSER_LAB_HOME", str(home / "lab")))
    stack = FaultStack(home / "stack", "classic", free_port(), lab_home, os.environ.get("HAWSER_LAB_NET") or free_net())
    try:
        stack.begin()
        yield stack
        if not stack.is_spoiled:
            last = stack.verified()  # what was written since the last judge spoke
            assert last.clean, last
    finally:
        stack.down()
        if "HAWSER_KEEP_LOGS" not in os.environ:
            shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def fault(fault_stack: FaultStack, results: Results, request: pytest.FixtureRequest) -> Iterator[Fault]:
    """A healthy link under load; afterwards the three judges have spoken, also of what made everything live again."""
    marker = request.node.get_closest_marker("faults")
    assert marker is not None, "name the faults of the catalogue that this test covers"
    yield from scenes(fault_stack, results, request.node, Verdict(tuple(marker.args), results.seed))


def scenes(stack: FaultStack, results: Results, node: Any, verdict: Verdict) -> Iterator[Fault]:
    """The one scene of a test; what its judges found is kept, of a failed test all the more."""
    print(f"seed {verdict.seed} of {node.name}: replay with HAWSER_FAULT_SEED={verdict.seed}")  # noqa: T201
    # Mixed with the test's name, so that tests do not draw alike.
    rng = random.Random(verdict.seed ^ zlib.crc32(node.name.encode()))
    scene = Fault(stack, LOAD, rng=rng, verdict=verdict)
    if stack.is_spoiled:
        stack.renew()
    stack.is_spoiled = True
    if not stack.is_healed:
        make_whole(stack, scene)
    stack.is_healed = False
    scene.arm()
    if scene.has_long_record():
        scene.afresh()
    yield scene
    try:
        scene.end_sleepers()
        if node.stash.get(PASSED, default=False):
            assert scene.is_judged, "a fault test ends with its judges"
            make_whole(stack, scene)
            scene.judge_statements()  # what healing ran is judged as well
            stack.is_spoiled, stack.is_healed = False, True
    finally:
        if node.path.name != MARATHON:
            results.keep(scene.verdict)
            results.save()


def make_whole(stack: FaultStack, scene: Fault) -> None:
    """Nothing in the way of the network any more, every node up, the link protected, the load running."""
    stack.chaos.heal()
    scene.heal()

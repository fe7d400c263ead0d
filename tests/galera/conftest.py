"""One stack a variant, under continuous load at both sites, its counters made to differ first."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from deploy.lab.layout import parse_servers
from deploy.lab.load.control import Order
from deploy.servers.catalogue import HOST
from deploy.servers.errors import ServerError
from deploy.servers.store import ensure
from deploy.services.net import free_net, free_port
from tests.galera.acceptance import accept_servers
from tests.galera.relocate import IS_WHOLE
from tests.galera.scene import Scene
from tests.galera.sites import begin
from tests.galera.stack import Stack
from tests.support.outcome import PASSED, pytest_runtest_makereport
from tests.support.webhook_receiver import receiver

__all__ = ["pytest_runtest_makereport", "receiver"]
collect_ignore = [] if IS_WHOLE else ["test_aligned_hint.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here drive the real lab; modules that want the same one follow each other."""
    if not IS_WHOLE:
        items[:] = [item for item in items if item.get_closest_marker("whole") is None]
    ours = [item for item in items if "tests/galera" in str(item.path)]
    for item in ours:
        if kind_of(item.module)[0] != USUAL:  # type: ignore[attr-defined]
            item.add_marker(pytest.mark.variant)
    ours.sort(key=lambda item: kind_of(item.module))  # type: ignore[attr-defined]
    places = [i for i, item in enumerate(items) if "tests/galera" in str(item.path)]
    for index, item in zip(places, ours, strict=True):
        items[index] = item


Kind = tuple[str, bool, str, str]
USUAL = "classic"
"""The variant of a module that names none."""


def kind_of(module: ModuleType) -> Kind:
    """Which lab a module wants: its variant, whether the counters are moved apart first, its servers, its distance.

    They are, unless a module says otherwise, so that no test passes by luck. A module that names no server runs on
    those of `HAWSER_LAB_SERVER`.
    """
    servers = getattr(module, "SERVER", os.environ.get("HAWSER_LAB_SERVER", HOST))
    differ, wan = getattr(module, "COUNTERS_DIFFER", True), getattr(module, "WAN", "")
    return getattr(module, "VARIANT", USUAL), differ, servers, wan


def fetched(servers: str) -> None:
    """Fetch what the module runs on; it is skipped, with the reason, where that cannot be had."""
    for name in dict.fromkeys(parse_servers(servers)):
        try:
            ensure(name, print)
        except ServerError as error:
            pytest.skip(str(error))


def made_healthy(scene: Scene) -> None:
    """As the last test left it, or healed; from here on it may be hurt."""
    if not scene.stack.is_healed:
        scene.heal()
    scene.stack.is_healed = False


class Stacks:
    """The one running stack; it stays for the next module as long as that wants the same."""

    def __init__(self) -> None:
        self._kind: Kind | None = None
        self._module: ModuleType | None = None
        self._stack: Stack | None = None

    def of(self, module: ModuleType) -> Stack:
        """The stack for a module's tests: lab, Redis, web, worker and monitor; each module begins with no writes."""
        kind = kind_of(module)
        if self._stack is None or self._kind != kind:
            self.down()
            self._stack = self._up(kind)
        elif self._module is not module:
            self._forget(self._stack)
        self._kind, self._module = kind, module
        return self._stack

    @staticmethod
    def _up(kind: Kind) -> Stack:
        variant, counters_differ, servers, wan = kind
        fetched(servers)
        home = Path(tempfile.mkdtemp(prefix="hawser-scenarios-"))
        lab_home = Path(os.environ.get("HAWSER_LAB_HOME", str(home / "lab")))
        net = os.environ.get("HAWSER_LAB_NET") or free_net()
        stack = Stack(home, variant, free_port(), lab_home, net, servers=servers, wan=wan)
        try:
            stack.up()
            accept_servers(stack.console, servers)
            if counters_differ:
                stack.lab.restart_counters("b", 2)
                stack.lab.restart_counters("a", 1)
        except BaseException:
            stack.down()
            raise
        return stack

    @staticmethod
    def _forget(stack: Stack) -> None:
        scene = Scene(stack, Order())
        made_healthy(scene)
        begin(scene)
        scene.stop_writes()
        stack.lab.forget_writes()
        stack.stated_losses.clear()

    def down(self) -> None:
        """Stop what runs."""
        stack, self._stack, self._kind = self._stack, None, None
        if stack is not None:
            stack.down()
            if "HAWSER_KEEP_LOGS" not in os.environ:
                shutil.rmtree(stack.home, ignore_errors=True)


@pytest.fixture(scope="session")
def stacks() -> Iterator[Stacks]:
    """Whatever runs at the end is stopped."""
    held = Stacks()
    try:
        yield held
    finally:
        held.down()


@pytest.fixture(scope="module")
def load() -> Order:
    """What the load is to do: a wrong position shows at once, and two cores bear it in two lanes beside each other.

    Schema changes are seldom: a server that is killed within some 45 ms of one may return without it (measured,
    docs/evidence/measured-facts.md), and these scenarios kill many. `ddl_last` puts one where it matters.
    """
    return Order(writers=2, rate=12.0, ddl_every=45.0, seconds=3000)


@pytest.fixture
def scene(stacks: Stacks, load: Order, request: pytest.FixtureRequest) -> Iterator[Scene]:
    """A healthy link under load; afterwards everything is up again.

    A stack that does not heal, or in which a test failed, is not used again: a difference between two nodes, once it
    is there, fails every later test that looks (seen: one node's schema after kill -9, seventeen tests).
    """
    try:
        scene = Scene(stacks.of(request.module), load)
        made_healthy(scene)
        yield scene
        if request.node.stash.get(PASSED, False) and not scene.stack.is_given_up:
            scene.heal()
            scene.stack.is_healed = True
        else:
            stacks.down()
    except BaseException:
        stacks.down()
        raise


@pytest.fixture
def silent(scene: Scene) -> Iterator[Scene]:
    """A scene whose servers must not be sent one changing statement by the console."""
    scene.watch_statements()
    yield scene
    assert scene.seen_statements() == []

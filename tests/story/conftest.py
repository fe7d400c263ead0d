"""One stack with two bare clusters, for one story."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.lab.load.control import Order
from deploy.services.net import free_net, free_port
from tests.galera.console import describe
from tests.galera.scene import Scene
from tests.galera.stack import Stack
from tests.story.steps import Steps

LOAD = Order(writers=1, rate=6.0, ddl_every=100_000.0)
"""Writers at both sites all the while. A change of a table among orphans would leave only a rebuild."""
LAST_RUNS = 3


@pytest.fixture
def scene() -> Iterator[Scene]:
    """A console that knows nothing yet beside two clusters that are not linked; all of it ends with the test."""
    home = Path(tempfile.mkdtemp(prefix="hawser-story-"))
    lab_home = Path(os.environ.get("HAWSER_LAB_HOME", str(home / "lab")))
    net = os.environ.get("HAWSER_LAB_NET") or free_net()
    stack = Stack(home, "classic", free_port(), lab_home, net, is_bare=True)
    try:
        yield Scene(stack, LOAD)
    finally:
        stack.down()
        if "HAWSER_KEEP_LOGS" not in os.environ:
            shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def steps(scene: Scene, capsys: pytest.CaptureFixture[str]) -> Iterator[Steps]:
    """The story's steps; their times are printed at its end, also where it failed."""
    made = Steps(lambda: told(scene))
    yield made
    with capsys.disabled():
        sys.stdout.write(f"\n{made.table()}\n")


def told(scene: Scene) -> str:
    """What the console says of the link and of the runs that were the last; if it did not start, how far it came."""
    if not scene.stack.facts:
        return (scene.stack.home / "demo.log").read_text()[-2000:]
    console = scene.console
    lines = []
    if console.link_id:
        link = console.link()
        lines.append(f"The console says of the link: {link['state']}: {link['sentence']} {link['detail']}")
        lines += [f"{one['code']}: {one['message']}" for one in link["findings"] if one["severity"] == "blocker"]
    for run in console.get("/runs")["results"][:LAST_RUNS]:
        lines.append(f"{run['kind']} {describe(console.get('/runs/' + run['id']))}")
    return "\n".join(lines)

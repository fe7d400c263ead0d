"""What surrounds the parts is wrong while a link is moved and calls come: clocks, the database's disk, names."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from unittest import mock

import pytest

from deploy.services.process import run
from tests.faults.stack import filled
from tests.ha.moves import Mover
from tests.ha.names import names
from tests.ha.parts import shim
from tests.ha.parts.shim import Shim
from tests.ha.stack import HaStack
from tests.ha.targets import Node, busy_worker, holder, restart, written_node
from tests.ha.under_load import UnderLoad
from tests.support.waiting import wait_for

HOUR_S = 3600
NODE_DISK = "900m"

pytestmark = [pytest.mark.whole, pytest.mark.timeout(900)]
needs_shim = pytest.mark.skipif(bool(shim.why_not()), reason=f"the library cannot be built: {shim.why_not()}")


# -- clocks


def skewable(stack: HaStack, kind: str) -> dict[str, Shim]:
    """Both processes of a kind, started again with a clock that can be set."""
    made = {name: Shim.of(stack.home, name) for name in (f"{kind}-1", f"{kind}-2")}
    for name, its in made.items():
        restart(stack.parts[name], its.env)
    return made


def chosen(kind: str, mover: Mover) -> str:
    """The one whose work it is just now."""
    if kind == "web":
        return "web-1"
    return busy_worker(mover) if kind == "worker" else str(wait_for(lambda: holder(mover.console), "one to write"))


def said_of_clocks(stack: HaStack, name: str) -> str:
    """What `/readyz` says of them, asked of the web process on that part's host; empty without an answer."""
    try:
        status, body = stack.apis[int(name[-1]) - 1].call("GET", "/readyz")
    except OSError:
        return ""
    return str(body["parts"]["clock"]["detail"]) if status == 200 else ""


@needs_shim
@pytest.mark.parametrize("ahead_s", [HOUR_S, -HOUR_S])
@pytest.mark.parametrize("kind", ["web", "worker", "monitor"])
def test_clock__jumps_there_and_back_while_a_link_is_moved__named_and_nothing_lost_or_doubled(
    under_load: UnderLoad, kind: str, ahead_s: int
) -> None:
    stack, word = under_load.stack, "ahead" if ahead_s > 0 else "behind"
    clocks = skewable(stack, kind)
    wait_for(stack.apis[0].ready, "all parts to be ready", 90, pause_s=0.5)

    def jump(mover: Mover) -> Callable[[], object]:
        name = chosen(kind, mover)
        clocks[name].set(ahead_s=ahead_s)
        label = f"{kind} process" if kind == "worker" else kind
        start = f"{label} host-{name[-1]}:"
        wait_for(lambda: start in (s := said_of_clocks(stack, name)) and word in s, f"{name} to be named")
        if kind == "monitor":
            wait_for(lambda: holder(mover.console) not in ("", name), "the other monitor to write")
        return clocks[name].set

    under_load.judge(f"clock of {kind}, {ahead_s:+d} s", jump, 20, may_refuse=True)
    wait_for(lambda: said_of_clocks(stack, "web-1").startswith("all"), "all clocks to agree")


# -- the disk under the console's database


@needs_shim
@pytest.mark.parametrize("flush_ms", [100, 1000])
def test_database__each_flush_of_the_written_node_takes_long__slower_and_nothing_lost_or_doubled(
    under_load: UnderLoad, flush_ms: int
) -> None:
    stack = under_load.stack
    disk, node = Shim.of(stack.home, "database"), Node(stack, written_node(stack))
    node.kill()
    with mock.patch.dict(os.environ, disk.env):
        node.start()

    def slow(_: Mover) -> Callable[[], object]:
        disk.set(flush_ms=flush_ms)
        return disk.set

    under_load.judge(f"disk of the written database node, {flush_ms} ms a flush", slow, 30)


def on_small_disk(stack: HaStack, name: str) -> None:
    """The node's files move onto a small file system of their own, where they stay."""
    assert stack.cluster is not None
    folder, node = stack.cluster.lab.paths.datadir(name), Node(stack, name)
    if folder.is_mount():
        return
    stack.cluster.lab.stop(name)
    whole = folder.rename(folder.with_name(f"{name}-moved"))
    folder.mkdir(mode=0o700)
    run(["mount", "-t", "tmpfs", "-o", f"size={NODE_DISK},mode=0700", "hawser-ha", str(folder)])
    stack.at_end(lambda: run(["umount", "--lazy", str(folder)]))
    run(["cp", "-a", f"{whole}/.", str(folder)])
    shutil.rmtree(whole)
    node.start()


@pytest.mark.parametrize("is_ended", [False, True], ids=["left", "ended"])
@pytest.mark.parametrize("which", [0, 1], ids=["written", "another"])
def test_database__disk_of_one_node_full__nothing_lost_or_doubled(
    under_load: UnderLoad, which: int, is_ended: bool
) -> None:
    stack = under_load.stack
    assert stack.cluster is not None
    name = stack.cluster.names[which]
    on_small_disk(stack, name)

    def full(_: Mover) -> Callable[[], object]:
        block = filled(stack.cluster.lab.paths.datadir(name))  # type: ignore[union-attr]
        block.__enter__()
        if is_ended:
            time.sleep(10)
            if stack.cluster.lab.state(name) != "stopped":  # type: ignore[union-attr]  # a full disk can end it, too
                Node(stack, name).kill()

        def free() -> None:
            block.__exit__(None, None, None)
            if stack.cluster is not None and stack.cluster.lab.state(name) == "stopped":
                Node(stack, name).start()

        return free

    node = "the written" if which == 0 else "another"
    under_load.judge(f"disk of {node} database node full{', ended after 10 s' if is_ended else ''}", full, 30)


# -- names


@pytest.mark.parametrize("harm", ["kill", "freeze"])
def test_names__lost_while_sessions_end__found_again_and_every_webhook_called(under_load: UnderLoad, harm: str) -> None:
    with names(under_load.stack, under_load.console) as found:

        def lose(_: Mover) -> Callable[[], object]:
            found.server.kill() if harm == "kill" else found.server.freeze()
            restart(
                under_load.stack.parts["haproxy-1"]
            )  # ends the sessions of one host: it has to find all names again
            return found.server.start if harm == "kill" else found.server.thaw

        under_load.judge(f"names lost, {harm}", lose, 30)
        found.check(under_load, f"names lost, {harm}")

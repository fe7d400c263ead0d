"""A lost site is started again and its clients find it first: the console fences it within seconds, automatically."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

import pytest

from deploy.lab.load.control import Order
from tests.galera.console import Json, describe
from tests.galera.scene import Scene
from tests.galera.sites import begin, fail_over, fences, lose_site, reprotect
from tests.support.waiting import patience, wait_for

VARIANT = "classic"
FENCED_WITHIN_S = 20.0
"""From the first sight of a node to the refused write there; 2 to 3 s where eight others test on the same two cores."""


def busy(scene: Scene) -> Order:
    """A few writes a second on every node of both sites, no schema changes: each one is replayed in the end."""
    return replace(scene.load, ddl_every=100_000.0, writers=1, rate=4.0)


@contextmanager
def starting(scene: Scene) -> Iterator[None]:
    """The lost site is started meanwhile, as an operator does who knows nothing of the failover."""
    thread = threading.Thread(target=scene.stack.lab.start_site, args=("a",))
    thread.start()
    try:
        yield
    finally:
        thread.join(120)
        assert not thread.is_alive()


def restart_console(scene: Scene) -> None:
    """kill -9 of monitor and worker: what they held in memory is lost; both are restarted."""
    os.kill(scene.stack.worker_pid(), signal.SIGKILL)
    scene.stack.restart_monitor()


def returned(scene: Scene) -> Json | None:
    """What the link says of the returned side."""
    divergence = scene.console.link()["divergence"]
    return divergence["returned"] if divergence else None


def wait_fenced(scene: Scene, nodes: list[str]) -> Json:
    """Until every node of the lost site is back and fenced."""

    def is_fenced() -> Json | None:
        now = returned(scene)
        return now if now and len(now["nodes"]) == len(nodes) and now["fenced_at"] else None

    found: Json = wait_for(is_fenced, f"the returned site to be fenced; it is {returned(scene)}", 90)
    return found


def seconds(node: Json) -> float:
    """From the first sight of a node to its fence."""
    moments = [datetime.fromisoformat(node[name]) for name in ("returned_at", "fenced_at")]
    return (moments[1] - moments[0]).total_seconds()


@pytest.mark.parametrize(
    "restarts", [False, pytest.param(True, marks=pytest.mark.whole)], ids=["console_runs_on", "console_restarted"]
)
def test_returned_site__clients_find_it_first__fenced_within_seconds_and_nothing_is_lost(
    scene: Scene, restarts: bool
) -> None:
    begin(scene)
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    scene.stop_writes()
    scene.write_on(busy(scene))
    lose_site(scene, lost)
    plan = scene.console.plan("failover", attest_fenced=[scene.console.node_id(name) for name in lost])
    assert "lost_side_fenced_on_return" in {finding["code"] for finding in plan["findings"]}
    failover = fail_over(scene, lost, accept_loss=True, fence_on_return=True)
    if restarts:
        restart_console(scene)
    with starting(scene):
        side = wait_fenced(scene, lost)
    for node in side["nodes"]:
        run = scene.console.get(f"/runs/{node['run_id']}")
        assert (run["kind"], run["state"], run["requested_by"]) == ("fence_returned_side", "succeeded", "automation")
        assert failover["id"] in run["reason"]
        assert seconds(node) <= FENCED_WITHIN_S * patience(), describe(run)
    assert {value for name, value in fences(scene).items() if name.startswith("db-a")} == {"1"}
    assert {c["SQL"] for name in lost for c in channels(scene, name)} <= {"No"}
    assert side["writes"] is not None
    scene.stack.lab.load_stop()
    reprotect(scene, orphans="replay")
    scene.judge()


def channels(scene: Scene, node: str) -> list[dict[str, str]]:
    """Whether the threads of its channels run."""
    return [{"SQL": str(row["Slave_SQL_Running"])} for row in scene.sql(node, "SHOW ALL SLAVES STATUS")]

"""A log of the same name that is another one: told at once, never protected, and a way out that loses nothing."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.galera.console import Json, describe, refusals
from tests.galera.scene import Scene
from tests.galera.sites import begin
from tests.galera.test_new_history import bootstrap_anew
from tests.support.waiting import wait_for

TABLE = "other_log.t"


@pytest.fixture
def app(scene: Scene) -> Iterator[Scene]:
    """A table of its own on both sides; rows are equally long, so that places of two logs may be the same."""
    begin(scene)
    scene.stop_writes()
    source, _ = scene.pair()
    scene.sql(source, "CREATE DATABASE IF NOT EXISTS other_log")
    scene.sql(source, f"CREATE OR REPLACE TABLE {TABLE} (id INT PRIMARY KEY, v CHAR(8)) ENGINE=InnoDB")
    write(scene, source, 1, 10)
    everywhere(scene, "b", 10)
    yield scene
    scene.stack.is_given_up = True


def write(scene: Scene, node: str, first: int, count: int, value: str = "same-len") -> None:
    for number in range(first, first + count):
        scene.sql(node, f"INSERT INTO {TABLE} VALUES ({number}, '{value}')")


def rows(scene: Scene, node: str) -> dict[int, str]:
    return {row["id"]: row["v"] for row in scene.sql(node, f"SELECT id, v FROM {TABLE}")}


def side(scene: Scene, site: str) -> list[str]:
    return [name for name in scene.nodes() if name.startswith(f"db-{site}") and scene.is_up(name)]


def everywhere(scene: Scene, site: str, count: int) -> None:
    for name in side(scene, site):
        wait_for(lambda name=name: len(rows(scene, name)) == count, f"{count} rows on {name}", 60)


def told(scene: Scene, *codes: str) -> Json:
    """The link once one of these is said of it; it is never called protected then."""
    link = scene.wait_link(lambda now: _codes(now) & set(codes), f"{' or '.join(codes)} to be told")
    assert link["state"] != "protected", link["sentence"]
    finding = next(one for one in link["findings"] if one["code"] in codes)
    assert finding["remedy"].startswith("Stop the channel first"), finding
    return link


def _codes(link: Json) -> set[str]:
    return {finding["code"] for finding in link["findings"]}


def full_transfer(scene: Scene, node: str) -> None:
    """The node comes back by a full state transfer: its log is another one."""
    scene.stack.lab.stop(node)
    (scene.stack.lab.paths.datadir(node) / "grastate.dat").unlink()
    scene.stack.lab.start(node)
    wait_for(lambda: scene.reach(node) == "up", f"{node} to be seen")


def test_source__returns_by_full_transfer__told_and_moved_to_a_node_that_kept_its_log(app: Scene) -> None:
    source, replica = app.pair()
    donor = app.other(source)
    app.stop_channel(replica)
    write(app, donor, 11, 5)
    full_transfer(app, source)
    told(app, "source_log_replaced", "source_group_differs")
    assert "source_log_replaced" in refusals(app.console.plan("start_channel")) + refusals(
        app.console.plan("switchover", allow_long_transactions=True)
    )
    assert app.console.plan(source_node=app.console.node_id(source))["state"] == "refused"
    run = app.console.relocate(source_node=app.console.node_id(donor))
    assert run["state"] == "succeeded", describe(run)
    everywhere(app, "b", 15)
    app.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    assert rows(app, replica) == rows(app, donor)


def copy_site(scene: Scene, names: list[str], into: Path) -> None:
    for name in names:
        shutil.copytree(scene.stack.lab.paths.datadir(name), into / name, symlinks=True)


def put_back(scene: Scene, names: list[str], copies: Path) -> None:
    for name in names:
        shutil.rmtree(scene.stack.lab.paths.datadir(name))
        shutil.copytree(copies / name, scene.stack.lab.paths.datadir(name), symlinks=True)


def test_site__set_back_under_its_state_uuid__told_by_a_monitor_that_did_not_see_it(app: Scene) -> None:
    source, replica = app.pair()
    names = [source, *(name for name in side(app, "a") if name != source)]
    for name in reversed(names):
        app.stack.lab.stop(name)
    copies = app.stack.home / "copies"
    copy_site(app, names, copies)
    app.stack.lab.start_site("a")
    app.wait_link(lambda now: now["state"] == "protected", "the link to be protected", 90)
    write(app, source, 101, 30, "before-1")
    everywhere(app, "b", 40)
    app.look_again()

    monitor = int(app.stack.facts["pids"]["monitor"])
    os.kill(monitor, signal.SIGSTOP)
    for name in names:
        app.stack.lab.kill(name)
    put_back(app, names, copies)
    app.stack.lab.start_site("a")
    write(app, source, 201, 30, "after--1")
    app.stack.restart_monitor()

    told(app, "source_log_replaced", "source_group_differs", "source_counter_fell")
    for kind in ("relocate", "switchover"):
        assert app.console.plan(kind)["state"] == "refused"
    app.stop_channel(replica)
    for name in names:
        app.stack.lab.stop(name)
    app.wait_link(lambda now: (now["primary_action"] or {}).get("kind") == "failover", "the failover to be offered")
    attested = [app.console.node_id(name) for name in names]
    run = app.console.run_planned("failover", attest_fenced=attested, accept_loss=True)
    assert run["state"] == "succeeded", describe(run)
    for name in side(app, "b"):
        assert {number for number, value in rows(app, name).items() if value == "before-1"} == set(range(101, 131))


def test_site__emptied_and_bootstrapped__its_history_is_not_accepted_and_the_last_copy_stays(app: Scene) -> None:
    source, _ = app.pair()
    bootstrap_anew(app, source)
    for name in side(app, "a"):
        app.sql(name, "SET GLOBAL wsrep_on=OFF")
        with app.stack.lab.admin(name) as connection, connection.cursor() as cursor:
            cursor.execute("SET SESSION sql_log_bin=0")
            cursor.execute(f"DELETE FROM {TABLE}")
            connection.commit()
        app.sql(name, "RESET MASTER")
        app.sql(name, "SET GLOBAL wsrep_on=ON")
    told(app, "source_log_replaced", "source_group_differs")
    link = app.wait_link(lambda now: "state_uuid_changed" in _codes(now), "the new state UUID to be told")
    assert (link["primary_action"] or {}).get("kind") != "accept_state_uuid"
    plan = app.console.plan("accept_state_uuid")
    assert plan["state"] == "refused"
    assert {"source_log_replaced", "source_group_differs"} & set(refusals(plan)), refusals(plan)
    for name in side(app, "b"):
        assert len(rows(app, name)) == 10

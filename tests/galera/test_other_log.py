"""A log of the same name that is another one: told at once, refused by name, and mended in the way that is told."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from deploy.lab import cluster
from deploy.lab.server.schema import SCHEMA
from tests.galera.console import Json, refusals, sentences
from tests.galera.rebuild import attach, events_of, judge_exactly, rebuild
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.galera.sites import begin, fail_over, switch

pytestmark = pytest.mark.reported
ANOTHER = {"source_log_replaced", "source_group_differs", "source_counter_fell"}
ALARMS = ANOTHER | {"source_log_unread", "source_server_changed", "state_uuid_changed"}


def codes(link: Json) -> set[str]:
    return {finding["code"] for finding in link["findings"]}


def active_side(scene: Scene) -> list[str]:
    return [name for name in scene.nodes() if name.startswith("db-a")]


def entries(scene: Scene, kind: str) -> set[str]:
    """Of this kind, among the newest of the link's history."""
    return {f"{one['at']} {one['label']}" for one in events_of(scene, kind)}


def alarms(scene: Scene) -> set[str]:
    """Each time that a channel was said not to continue."""
    return entries(scene, "channel.not_continuous")


@contextmanager
def never_protected(scene: Scene) -> Iterator[None]:
    """From here on the link must not be called protected, not for one look of the monitor."""
    before = entries(scene, "link.protected")
    yield
    assert not entries(scene, "link.protected") - before
    assert scene.console.link()["state"] != "protected"


def told(scene: Scene) -> Json:
    """The link once it is said that the log is another one, and what to do first."""
    link = scene.wait_link(lambda now: codes(now) & ANOTHER, "the other log to be told", 120)
    finding = next(one for one in link["findings"] if one["code"] in ANOTHER)
    assert finding["severity"] == "blocker", finding
    assert finding["remedy"].startswith("Stop the channel first (STOP SLAVE"), finding
    return link


def refused(scene: Scene, kind: str, codes: set[str], **options: object) -> None:
    plan = scene.console.plan(kind, **options)
    assert set(refusals(plan)) & codes, (kind, sentences(plan))


def reset_log(scene: Scene, name: str) -> None:
    """RESET MASTER as an administrator does it on a node of a cluster that nobody writes to meanwhile."""
    for sql in ("SET GLOBAL wsrep_on=OFF", "RESET MASTER", "SET GLOBAL wsrep_on=ON"):
        scene.sql(name, sql)


def restarted(scene: Scene, name: str) -> None:
    scene.stack.lab.stop(name)
    scene.stack.lab.start(name)


def protected(scene: Scene) -> None:
    scene.look_again()
    scene.settle_settings()  # of `reset_log`, where a poll came between its statements
    link = scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected", 120)
    assert not codes(link) & ALARMS, link["findings"]


def test_sound_lab__restarted_rotated_purged_and_reset_in_order__no_alarm(scene: Scene) -> None:
    begin(scene)
    before, (source, replica) = alarms(scene), scene.pair()
    for index in (1, 2, 3):  # under load, one node of each side at a time
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda name: restarted(scene, name), (f"db-a{index}", f"db-b{index}")))
        protected(scene)
    for name in scene.nodes():
        scene.sql(name, "FLUSH BINARY LOGS")
    scene.wait_writes()
    protected(scene)
    for name in (source, replica):
        scene.sql(name, f"PURGE BINARY LOGS TO '{scene.log_end(name).file}'")
    scene.stack.restart_monitor()
    protected(scene)
    other = scene.other(source)
    scene.stack.lab.load_stop()
    reset_log(scene, other)
    scene.write_on()
    protected(scene)
    assert not alarms(scene) - before

    assert scene_pair(scene.console.relocate(source_node=scene.console.node_id(other)))[0] == other
    scene.judge()


def test_source__returns_by_full_transfer__told_at_once_and_relocated_with_proof(scene: Scene) -> None:
    begin(scene)
    before, (source, replica) = alarms(scene), scene.pair()
    lab = scene.stack.lab
    lab.stop(source)
    (lab.paths.datadir(source) / "grastate.dat").unlink()
    scene.wait_writes(site="a")
    with never_protected(scene):
        scene.stop_channel(replica)  # at a boundary of the other file it would go on, and what lies between is lost
        lab.start(source)
        told(scene)
        refused(scene, "start_channel", ANOTHER)
        refused(scene, "switchover", ANOTHER)
        ends = {"source_node": scene.console.node_id(source), "replica_node": scene.console.node_id(replica)}
        refused(scene, "relocate", {"seam_not_proven", "position_not_proven"}, **ends)
        link = scene.wait_link(
            lambda now: (now["primary_action"] or {}).get("kind") == "relocate", "a relocate to be offered"
        )
        assert link["state"] == "broken", link
    assert len(alarms(scene) - before) == 1
    assert scene_pair(scene.console.relocate())[0] != source
    protected(scene)
    scene.judge()


def set_back(scene: Scene, side: list[str], write: Callable[[], None]) -> None:
    """Data folders of one moment are put back after more was written, and the site is started from them."""
    lab = scene.stack.lab
    aside = lab.paths.home / "aside"
    for name in reversed(side):
        lab.stop(name)
    for name in side:
        shutil.copytree(lab.paths.datadir(name), aside / name)
    lab.start_site("a")
    write()
    for name in side:
        lab.kill(name)
        shutil.rmtree(lab.paths.datadir(name))
        (aside / name).rename(lab.paths.datadir(name))
    lab.start_site("a")


def fail_over_and_rebuild(scene: Scene, side: list[str]) -> set[str]:
    """As the finding says, where the other side has the data that counts: fail over to it, and rebuild this one.

    Returns the acknowledged writes that the other side lacks, without those that an earlier scenario stated.
    """
    scene.kill(*(name for name in side if scene.is_up(name)))
    scene.wait_link(lambda now: now["state"] == "broken", "the loss to be seen")
    fenced = [scene.console.node_id(name) for name in side]
    refused(scene, "failover", {"standby_not_proven_whole"}, attest_fenced=fenced)
    fail_over(scene, side, accept_loss=True)
    verdict = scene.stack.lab.verify(seconds=30, sites=("b",))
    assert not verdict.faults["doubled"], verdict
    gone = set(verdict.faults["lost"])
    new = gone - scene.stack.stated_losses
    scene.stack.stated_losses |= gone
    scene.write_on(replace(scene.load, sites=("b",), ddl_every=100_000.0))
    coordinate, _ = rebuild(scene)
    attach(scene, coordinate)
    scene.wait_writes()
    judge_exactly(scene, gone)
    switch(scene, "failback", allow_long_transactions=True)
    protected(scene)
    judge_exactly(scene, gone)
    return new


def test_site__set_back_while_no_monitor_ran__told_at_the_first_look(scene: Scene) -> None:
    begin(scene)
    before, side = alarms(scene), active_side(scene)
    scene.stop_writes()

    def written() -> None:
        protected(scene)
        scene.write_on()
        protected(scene)
        scene.stop_writes()
        scene.stack.hold_monitors()

    set_back(scene, side, written)
    scene.stack.lab.load_start(replace(scene.load, sites=("a",)))
    scene.wait_writes(40, site="a")
    scene.stack.lab.load_stop()
    with never_protected(scene):
        scene.stack.renew_monitors()
        told(scene)
        scene.stop_channel(scene.pair()[1])
        for kind in ("relocate", "switchover", "start_channel"):
            refused(scene, kind, ANOTHER | {"seam_not_proven", "position_not_proven"})
    assert alarms(scene) - before
    assert fail_over_and_rebuild(scene, side), "the set-back site had taken writes"


def empty(scene: Scene, name: str) -> None:
    """A side of which no node runs is begun anew on empty data, and its schema made again as start-up code does."""
    lab = scene.stack.lab
    cluster.copy_data(lab.paths.template(lab.settings.server_of(lab.node(name))), lab.paths.datadir(name))
    cluster.launch(lab.ground, lab.node(name), "--wsrep-new-cluster")
    cluster.wait_synced(lab.ground, [lab.node(name)])
    for sql in (f"DROP TABLE IF EXISTS {SCHEMA}.started", f"CREATE TABLE {SCHEMA}.started (id INT PRIMARY KEY)"):
        scene.sql(name, sql)


def doubted(scene: Scene) -> Json:
    """The link once it is said that the side may be empty, and what to do first; its history is not offered."""

    def may_be_empty(now: Json) -> bool:
        found = [one for one in now["findings"] if one["code"] == "state_uuid_changed"]
        return ["may have been emptied" in one["message"] for one in found] == [True]

    link = scene.wait_link(may_be_empty, "the side to be said to be empty", 120)
    finding = next(one for one in link["findings"] if one["code"] == "state_uuid_changed")
    assert finding["remedy"].startswith("Stop the channel first (STOP SLAVE"), finding
    assert link["primary_action"] is None, link["primary_action"]
    return link


def test_site__emptied_and_bootstrapped__its_history_is_not_accepted(scene: Scene) -> None:
    begin(scene)
    before, side, (source, replica) = alarms(scene), active_side(scene), scene.pair()
    scene.stop_writes()
    scene.kill(*side)
    with never_protected(scene):
        first = next(name for name in side if name != source)
        empty(scene, first)
        link = doubted(scene)
        down = [one["remedy"] for one in link["findings"] if one["code"] == "node_down"]
        assert ["Do not start" in remedy for remedy in down] == [True, True], down
        scene.stop_channel(replica)
        attested = [scene.console.node_id(name) for name in side if name != first]
        refused(scene, "accept_state_uuid", {"history_seam_unknown", "side_holds_less"}, attest_fenced=attested)

        scene.stack.lab.start(source)  # by somebody who did not read that
        told(scene)
        doubted(scene)
        refused(scene, "accept_state_uuid", ANOTHER, attest_fenced=attested)
    assert alarms(scene) - before
    assert fail_over_and_rebuild(scene, side) == set()

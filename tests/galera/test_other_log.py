"""A log of the same name that is another one: told at once, refused by name, and mended in the way that is told."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.galera.console import Json, refusals, sentences
from tests.galera.rebuild import attach, events_of, judge_exactly, rebuild
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.galera.sites import begin, fail_over, switch

pytestmark = pytest.mark.slow
ANOTHER = {"source_log_replaced", "source_group_differs", "source_counter_fell"}
ALARMS = ANOTHER | {"source_log_unread", "source_server_changed", "state_uuid_changed"}


def codes(link: Json) -> set[str]:
    return {finding["code"] for finding in link["findings"]}


def active_side(scene: Scene) -> list[str]:
    return [name for name in scene.nodes() if name.startswith("db-a")]


def entries(scene: Scene, kind: str) -> set[str]:
    """Of this kind, among the newest of the link's history."""
    return {str(one["entry"]) for one in events_of(scene, kind)}


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


def protected(scene: Scene) -> None:
    scene.look_again()
    link = scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected", 120)
    assert not codes(link) & ALARMS, link["findings"]


def test_source__returns_by_full_transfer__told_at_once_and_relocated_with_proof(scene: Scene) -> None:
    begin(scene)
    before, (source, replica) = alarms(scene), scene.pair()
    lab = scene.stack.lab
    lab.stop(source)
    (lab.paths.datadir(source) / "grastate.dat").unlink()
    scene.wait_writes(site="a")
    with never_protected(scene):
        lab.start(source)
        told(scene)
        refused(scene, "start_channel", ANOTHER)
        refused(scene, "switchover", ANOTHER)
        ends = {"source_node": scene.console.node_id(source), "replica_node": scene.console.node_id(replica)}
        refused(scene, "relocate", {"seam_not_proven", "position_not_proven"}, **ends)
        scene.stop_channel(replica)
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

    Returns the acknowledged writes that the other side lacks.
    """
    scene.kill(*(name for name in side if scene.is_up(name)))
    scene.wait_link(lambda now: now["state"] == "broken", "the loss to be seen")
    fenced = [scene.console.node_id(name) for name in side]
    refused(scene, "failover", {"standby_not_proven_whole"}, attest_fenced=fenced)
    fail_over(scene, side, accept_loss=True)
    verdict = scene.stack.lab.verify(seconds=30, sites=("b",))
    assert not verdict.faults["doubled"], verdict
    gone = set(verdict.faults["lost"])
    scene.stack.stated_losses |= gone
    scene.write_on(replace(scene.load, sites=("b",), ddl_every=100_000.0))
    coordinate, _ = rebuild(scene)
    attach(scene, coordinate)
    scene.wait_writes()
    judge_exactly(scene, gone)
    switch(scene, "failback", allow_long_transactions=True)
    protected(scene)
    judge_exactly(scene, gone)
    return gone


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

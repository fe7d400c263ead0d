"""A site that becomes two Primary Components under one state UUID: named, refused, and made one again as it is said.

Also where a node of one half is simply started again among the others: nothing is transferred, and its rows differ.
"""

from __future__ import annotations

import shutil

import pytest

from deploy.lab import cluster
from deploy.lab.server.schema import SCHEMA
from tests.galera.console import Json, refusals
from tests.galera.scene import Scene
from tests.galera.sites import begin
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

REFUSED = ("relocate", "switchover", "start_channel", "create_channels")
TABLE = f"{SCHEMA}.parted"


def part(scene: Scene, name: str, *options: str) -> None:
    """Stop a node in order and bootstrap it, while its cluster runs on."""
    lab = scene.stack.lab
    lab.stop(name)
    state = lab.paths.datadir(name) / "grastate.dat"
    state.write_text(state.read_text().replace("safe_to_bootstrap: 0", "safe_to_bootstrap: 1"))
    cluster.launch(lab.ground, lab.node(name), "--wsrep-new-cluster", "--wsrep-cluster-address=gcomm://", *options)
    cluster.wait_synced(lab.ground, [lab.node(name)])


def join_empty(scene: Scene, names: list[str]) -> None:
    """Start nodes without data: they are copied whole."""
    lab = scene.stack.lab
    for name in names:
        lab.stop(name)
    for name in names:
        folder = lab.paths.datadir(name)
        shutil.rmtree(folder)
        folder.mkdir(mode=0o700)
        cluster.launch(lab.ground, lab.node(name))
        cluster.wait_synced(lab.ground, [lab.node(name)], 120)


def ids(scene: Scene, name: str) -> list[int]:
    return [int(row["id"]) for row in scene.sql(name, f"SELECT id FROM {TABLE} ORDER BY id")]


def found(link: Json, code: str) -> Json | None:
    return next((one for one in link["findings"] if one["code"] == code), None)


def test_one_site_two_components__halves_named_and_refused__made_one_again_without_loss(scene: Scene) -> None:
    begin(scene)
    source, _ = scene.pair()
    side = [name for name in scene.nodes() if name.startswith("db-a")]
    others = [name for name in side if name != source]
    scene.sql(source, f"CREATE TABLE {TABLE} (id INT PRIMARY KEY)")
    scene.sql(source, f"INSERT INTO {TABLE} VALUES (1), (2)")
    scene.stop_writes()
    part(scene, source)
    scene.sql(source, f"INSERT INTO {TABLE} VALUES (10)")
    for number in (20, 21, 22):
        scene.sql(others[0], f"INSERT INTO {TABLE} VALUES ({number})")

    link = scene.wait_link(lambda now: found(now, "site_is_split"), "the split to be seen")
    assert link["state"] == "broken", link
    assert link["primary_action"] is None, link
    split = found(link, "site_is_split")
    assert split is not None
    assert sorted(half["nodes"] for half in split["facts"]["halves"]) == sorted([[source], others])
    seqno = split["facts"]["common_seqno"]
    assert seqno is not None
    own = {name: scene.sql(name, "SHOW GLOBAL STATUS LIKE 'wsrep_last_committed'")[0]["Value"] for name in side}
    assert all(seqno < int(count) for count in own.values()), (seqno, own)
    for kind in REFUSED:
        assert "site_is_split" in refusals(scene.console.plan(kind)), kind

    # As the remedy says: the half of the channels stays, what the others wrote is entered there, they are copied whole.
    lost = [number for number in ids(scene, others[0]) if number not in ids(scene, source)]
    assert lost == [20, 21, 22]
    for number in lost:
        scene.sql(source, f"INSERT INTO {TABLE} VALUES ({number})")
    join_empty(scene, others)
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected", 120)
    nodes = scene.nodes()
    wait_for(lambda: all(ids(scene, name) == [1, 2, 10, 20, 21, 22] for name in nodes), "all rows on all nodes")
    scene.sql(source, f"DROP TABLE {TABLE}")
    scene.write_on()
    scene.judge()


def join_again(scene: Scene, name: str, *, copied: bool) -> None:
    """Start a node with its data among the others; without its saved state it is copied whole."""
    lab = scene.stack.lab
    lab.stop(name)
    if copied:
        (lab.paths.datadir(name) / "grastate.dat").unlink()
    cluster.launch(lab.ground, lab.node(name))
    cluster.wait_synced(lab.ground, [lab.node(name)], 120)


def test_half_started_again_without_a_transfer__named_and_refused__one_again_once_copied_whole(scene: Scene) -> None:
    source, small = parted(scene)
    scene.wait_link(lambda now: found(now, "site_is_split"), "the split to be seen")
    named_until_it_is_copied(scene, source, small)


def test_half_that_the_console_cannot_see__its_log_shows_it_once_it_is_back(scene: Scene) -> None:
    """The partition cuts the console off from it, too: its server listens on its socket alone."""
    source, small = parted(scene, "--skip-networking")
    link = scene.wait_link(lambda now: found(now, "node_down"), "the node to be away")
    assert found(link, "site_is_split") is None, link
    named_until_it_is_copied(scene, source, small)


def parted(scene: Scene, *options: str) -> tuple[str, str]:
    """The source, and another node of its side that is bootstrapped by itself; both have written two rows."""
    begin(scene)
    source, _ = scene.pair()
    small = next(name for name in scene.nodes() if name.startswith("db-a") and name != source)
    scene.sql(source, f"CREATE TABLE {TABLE} (id INT PRIMARY KEY)")
    scene.sql(source, f"INSERT INTO {TABLE} VALUES (1), (2)")
    scene.stop_writes()
    part(scene, small, *options)
    for number in (10, 11):
        scene.sql(small, f"INSERT INTO {TABLE} VALUES ({number})")
    for number in (20, 21):
        scene.sql(source, f"INSERT INTO {TABLE} VALUES ({number})")
    return source, small


def named_until_it_is_copied(scene: Scene, source: str, small: str) -> None:
    """Its return without a transfer is named, and refuses what would use its side."""
    join_again(scene, small, copied=False)
    assert ids(scene, small) == [1, 2, 10, 11], "a transfer took place"
    assert ids(scene, source) == [1, 2, 20, 21]
    link = scene.wait_link(
        lambda now: (one := found(now, "site_was_split")) and one["severity"] == "blocker", "its return to be named"
    )
    assert link["state"] != "protected", link
    assert link["primary_action"] is None, link
    named = found(link, "site_was_split")
    assert named is not None
    assert named["facts"]["nodes"] == [small], named
    assert all(link["readiness"][kind]["state"] == "blocked" for kind in ("switchover", "relocate")), link["readiness"]
    for kind in REFUSED:
        assert "site_was_split" in refusals(scene.console.plan(kind)), kind

    # As the remedy says: the larger half stays, the other node is copied whole, what it wrote is entered again.
    lost = [number for number in ids(scene, small) if number not in ids(scene, source)]
    scene.look_again()  # a copy shows in a log that was known before
    join_again(scene, small, copied=True)
    for number in lost:
        scene.sql(source, f"INSERT INTO {TABLE} VALUES ({number})")
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected", 120)
    nodes = scene.nodes()
    wait_for(lambda: all(ids(scene, name) == [1, 2, 10, 11, 20, 21] for name in nodes), "all rows on all nodes")
    scene.sql(source, f"DROP TABLE {TABLE}")
    scene.write_on()
    scene.judge()

"""Two clusters without channels are joined again by a plan: proven equal, refused where one row differs, or a copy."""

from __future__ import annotations

import pytest

from tests.galera.console import Json, describe, refusals, sentences
from tests.galera.rebuild import COPY_LIMIT_S
from tests.galera.scene import Scene
from tests.support.waiting import wait_for


def remove_all(scene: Scene, *, is_idle: bool) -> None:
    """No channel is left; where writes stopped before, both sides hold the same."""
    if is_idle:
        scene.stop_writes()
    run = scene.console.run_planned("remove_channels")
    assert run["state"] == "succeeded", describe(run)
    scene.wait_link(lambda now: not now["channels"], "the link to have no channel")


def read_only(scene: Scene, side: str) -> list[str]:
    """The fence of each node of a side."""
    names = [name for name in scene.nodes() if name.startswith(f"db-{side}")]
    return [scene.sql(name, "SELECT @@read_only AS f")[0]["f"] for name in names]


def channels_of(scene: Scene) -> int:
    """How many channels all nodes have."""
    return sum(len(scene.sql(name, "SHOW ALL SLAVES STATUS")) for name in scene.nodes())


def test_create__equal_sides__refused_for_one_row_then_joined_and_every_write_arrives_once(scene: Scene) -> None:
    remove_all(scene, is_idle=True)
    link = scene.console.link()
    assert link["primary_action"]["kind"] == "create_channels"
    before = read_only(scene, "a"), read_only(scene, "b")

    scene.sql("db-b2", "CREATE TABLE bank.only_here (id INT PRIMARY KEY) ENGINE=InnoDB")
    plan = scene.console.plan("create_channels")
    assert "data_differs" in refusals(plan), sentences(plan)
    assert "bank.only_here exists on" in sentences(plan)
    scene.sql("db-b2", "DROP TABLE bank.only_here")

    scene.sql("db-a2", "CREATE TABLE bank.both (id INT PRIMARY KEY) ENGINE=InnoDB")
    scene.sql("db-b2", "CREATE TABLE bank.both (id INT PRIMARY KEY) ENGINE=InnoDB")
    scene.sql("db-b2", "INSERT INTO bank.both VALUES (1)")
    run = scene.console.run_planned("create_channels")
    assert run["state"] == "failed", describe(run)
    assert "the rows of bank.both differ" in describe(run)
    assert channels_of(scene) == 0
    assert (read_only(scene, "a"), read_only(scene, "b")) == before

    scene.sql("db-b2", "DELETE FROM bank.both")
    run = scene.console.run_planned("create_channels")
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    assert read_only(scene, "a") == before[0]
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    scene.write_on()
    scene.judge()


DONOR = "db-a2"


def close_to_writes(scene: Scene, side: str) -> None:
    """What a side wrote itself would be gone with its copy; what it wrote before has arrived."""
    for name in scene.nodes():
        if name.startswith(f"db-{side}"):
            scene.sql(name, "SET GLOBAL read_only=ON")
    scene.wait_link(lambda now: all(one["gap_transactions"] == 0 for one in now["channels"]), "all to have arrived")


def copy_onto_b(scene: Scene) -> str:
    """Site b is stopped and copied again under the load; where its backup was taken."""
    scene.kill(*[name for name in scene.nodes() if name.startswith("db-b")])
    started = scene.console.call("POST", "/lab/sites/b", {"action": "rebuild", "donor": DONOR})
    assert started.status == 202, started
    report: Json = wait_for(lambda: _ended(scene), "the copy", COPY_LIMIT_S)
    assert report["state"] == "done", report
    return str(report["coordinate"])


def _ended(scene: Scene) -> Json | None:
    report: Json = scene.console.get("/lab")["rebuild"]
    return None if report["state"] == "running" else report


def create_on_copy(scene: Scene, coordinate: str) -> None:
    """Refused without the position and at another one, then joined at that of the backup; every write arrives once."""
    options = {"standby_data": "copy", "source_node": scene.console.node_id(DONOR)}
    wait_for(lambda: "backup_position_missing" in refusals(scene.console.plan("create_channels", **options)), "it")
    file, offset = coordinate.split()[:2]
    wrong = scene.console.plan("create_channels", backup_position=f"{file} {int(offset) + 1}", **options)
    assert "position_not_proven" in refusals(wrong), sentences(wrong)
    assert "copy_was_replica" not in {finding["code"] for finding in wrong["findings"]}
    run = scene.console.run_planned("create_channels", backup_position=coordinate, **options)
    assert run["state"] == "succeeded", describe(run)
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    scene.wait_writes()
    scene.judge()


@pytest.mark.whole
def test_create__copy_taken_under_load__joined_at_its_backup_and_every_write_arrives_once(scene: Scene) -> None:
    close_to_writes(scene, "b")
    remove_all(scene, is_idle=False)
    plan = scene.console.plan("create_channels", standby_data="copy")
    assert "not_a_copy" in refusals(plan), sentences(plan)
    assert any("--galera-info" in " ".join(step["commands"]) for step in plan["situation"]["guide"])
    create_on_copy(scene, copy_onto_b(scene))


@pytest.mark.whole
def test_cluster__rebuilt_and_registered_as_a_new_one__its_link_is_retired_and_a_new_one_of_the_name_joined(
    scene: Scene,
) -> None:
    close_to_writes(scene, "b")
    remove_all(scene, is_idle=False)
    coordinate = copy_onto_b(scene)
    before = scene.console.link()
    old = before["clusters"]["standby"]
    wait_for(lambda: all(scene.reach(name) == "up" for name in scene.nodes()), "the copy to be up")
    uuid = scene.sql("db-b1", "SHOW GLOBAL STATUS LIKE 'wsrep_cluster_state_uuid'")[0]["Value"]
    assert uuid != old["state_uuid"]
    replaced = scene.console.change("POST", f"/clusters/{old['id']}/replace", {"state_uuid": uuid})
    assert replaced.status == 201, replaced
    assert scene.console.link()["state"] == "retired"

    made = scene.console.call(
        "POST",
        "/links",
        {
            "name": before["name"],
            "active_cluster": before["active_cluster"]["id"],
            "standby_cluster": replaced.body["id"],
            "channel_name": before["channel_name"],
        },
    )
    assert made.status == 201, made
    scene.stack.facts["link_id"] = made.body["id"]
    scene.wait_link(lambda now: now["state"] != "unknown", "the new link to be observed")
    create_on_copy(scene, coordinate)

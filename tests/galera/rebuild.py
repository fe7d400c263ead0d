"""The steps of a rebuild: a site lost under load, rebuilt from the other one while that one is written to."""

from __future__ import annotations

from dataclasses import replace

from tests.galera.console import Json, refusals, sentences
from tests.galera.scene import Scene
from tests.galera.sites import fail_over, lose_site, reprotect, switch
from tests.support.waiting import wait_for

DONOR = "db-b2"
COPY_LIMIT_S = 240


def lose_and_fail_over(scene: Scene) -> set[str]:
    """The active site fails under load; the writes gone with it, by the load's own record, are stated."""
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    lose_site(scene, lost)
    scene.stack.lab.load_stop()
    fail_over(scene, lost, accept_loss=True)
    verdict = scene.stack.lab.verify(seconds=30, sites=("b",))
    assert not verdict.faults["doubled"], verdict
    gone = set(verdict.faults["lost"])
    scene.stack.stated_losses |= gone
    scene.write_on(replace(scene.load, sites=("b",), ddl_every=100_000.0))
    return gone


def judge_exactly(scene: Scene, gone: set[str]) -> None:
    """Nothing but what was stated is lost, and all of that; nothing doubled; all nodes identical."""
    verdict = scene.stack.lab.verify(seconds=60)
    assert not verdict.faults["doubled"], verdict
    assert verdict.identical, verdict
    assert gone <= set(verdict.faults["lost"]) <= scene.stack.stated_losses, verdict.faults["lost"]


def rebuild(scene: Scene) -> tuple[str, str]:
    """Copy the site again while the other one is written to; both forms of the backup's position."""
    plan = scene.console.plan("reprotect", orphans="rebuild", source_node=scene.console.node_id(DONOR))
    assert {"rebuild_by_hand", "orphans_unknown"} <= set(refusals(plan)), sentences(plan)
    backup = backup_step(plan)
    assert backup["node"] == DONOR
    datadir = scene.stack.lab.sql(DONOR, "SELECT @@datadir AS d")[0]["d"].rstrip("/")
    assert f"--datadir={datadir} " in backup["commands"][0], backup
    assert "is Synced and holds no channel" in backup_step(scene.console.plan("reprotect", orphans="rebuild"))["note"]
    assert {one["state"] for one in copied_nodes(scene)} == {"down"}
    started = scene.console.call("POST", "/lab/sites/a", {"action": "rebuild", "donor": DONOR})
    assert started.status == 202, started
    report = wait_for(lambda: _ended(scene), "the copy", COPY_LIMIT_S)
    assert report["state"] == "done", report
    scene.wait_link(
        lambda now: now["primary_action"]["label"] == "Attach the rebuilt milan", "the copy to be recognised"
    )
    wait_for(lambda: all(one["is_done"] for one in copied_nodes(scene)), "every node to be told as a copy")
    return str(report["coordinate"]), str(report["galera"])


def copied_nodes(scene: Scene) -> list[Json]:
    """How far the console sees the copy, node by node."""
    found: list[Json] = scene.console.link()["divergence"]["copied_nodes"]
    return found


def backup_step(plan: Json) -> Json:
    """The guide's step on the donor."""
    return next(step for step in plan["situation"]["guide"] if "--galera-info" in " ".join(step["commands"]))


def _ended(scene: Scene) -> Json | None:
    """What the lab tells of the copy once it is over."""
    report: Json = scene.console.get("/lab")["rebuild"]
    return None if report["state"] == "running" else report


def plan_of(scene: Scene, position: str, **options: object) -> Json:
    """A plan that attaches the copy at that position."""
    chosen = {"source_node": scene.console.node_id(DONOR), "accept_loss": True} | options
    return scene.console.plan("reprotect", orphans="rebuild", backup_position=position, **chosen)


def attach(scene: Scene, position: str) -> Json:
    """Attach the copy where its backup was taken."""
    donor = scene.console.node_id(DONOR)
    return reprotect(scene, orphans="rebuild", backup_position=position, accept_loss=True, source_node=donor)


def events_of(scene: Scene, kind: str) -> list[Json]:
    """What the link's history tells of that kind."""
    found = scene.console.get(f"/links/{scene.console.link_id}/history?limit=200")["results"]
    return [one for one in found if one["kind"] == kind]


def site_rebuilt(scene: Scene) -> None:
    """Lost, rebuilt under load, attached where the backup was taken, home again; every claim beside it refused."""
    count = len(events_of(scene, "site.rebuilt"))
    gone = lose_and_fail_over(scene)
    coordinate, galera = rebuild(scene)
    assert len(events_of(scene, "site.rebuilt")) == count + 1

    file, offset = coordinate.split()[:2]
    uuid, _, seqno = galera.split()[0].partition(":")
    for position in (f"{file} {int(offset) + 1}", f"{uuid}:{int(seqno) - 1}", f"{uuid}:{int(seqno) + 1}"):
        assert "position_not_proven" in refusals(plan_of(scene, position)), position
    assert "backup_position_missing" in refusals(scene.console.plan("reprotect", orphans="rebuild", accept_loss=True))
    assert "side_was_rebuilt" in refusals(scene.console.plan("reprotect"))
    assert "orphans_unknown" in refusals(plan_of(scene, galera, accept_loss=False))

    plan = plan_of(scene, galera)
    assert plan["state"] == "ready", sentences(plan)
    (forward,) = plan["positions"]
    assert [(e["family"], e["agrees"]) for e in forward["evidence"]] == [("backup", True), ("content", True)]
    attach(scene, coordinate)
    scene.wait_writes()
    judge_exactly(scene, gone)
    switch(scene, "failback", allow_long_transactions=True)
    judge_exactly(scene, gone)

"""The scenarios of whole sites, the same for every variant; test modules bind them to one."""

from __future__ import annotations

from dataclasses import replace

from deploy.lab.load.control import Order
from tests.galera.console import Json, describe, refusals, sentences
from tests.galera.scene import Scene
from tests.support.waiting import wait_for


def switch(scene: Scene, kind: str, **options: object) -> Json:
    """Plan and run a switchover or failback that must succeed, verified; the roles must have turned."""
    before = scene.console.link()
    run = scene.console.run_planned(kind, **options)
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    assert run["verification"]["write_pause_ms"] > 0, run["verification"]
    link = scene.wait_link(
        lambda now: now["active_cluster"]["id"] == before["standby_cluster"]["id"], "the roles to have turned"
    )
    assert link["standby_cluster"]["id"] == before["active_cluster"]["id"]
    return run


def fences(scene: Scene) -> dict[str, str]:
    """`read_only` of every node that is up."""
    return {
        name: str(scene.sql(name, "SELECT @@global.read_only AS fenced")[0]["fenced"])
        for name in scene.nodes()
        if scene.is_up(name)
    }


def begin(scene: Scene) -> None:
    """The home side is active and both sides take the load, as before the first switch."""
    link = scene.console.link()
    if link["active_cluster"]["id"] != link["home_cluster"]["id"]:
        switch(scene, "failback", allow_long_transactions=True)
        scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected at home")
    write_on_both_sides(scene, is_on=True)
    for name in scene.nodes():
        scene.sql(name, "SET GLOBAL read_only=OFF")


def write_on_both_sides(scene: Scene, *, is_on: bool) -> None:
    """Whether a standby that accepts writes is as it should be, as an administrator says in the link's settings."""
    link = scene.console.link()
    if link["writes_on_both_sides"] is not is_on:
        body = {"writes_on_both_sides": is_on, "reason": "as this test needs it"}
        answer = scene.console.change("PATCH", f"/links/{link['id']}", body)
        assert answer.status == 200, answer


def there_and_back(scene: Scene) -> None:
    """A switchover and a failback under load, no fault: the same topology, every write exactly once."""
    pair = scene.pair()
    switch(scene, "switchover")
    assert {name: value for name, value in fences(scene).items() if name.startswith("db-a")} == dict.fromkeys(
        [name for name in scene.nodes() if name.startswith("db-a")], "1"
    )
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected the other way round")
    assert scene.pair() == pair[::-1]
    scene.wait_writes()
    scene.judge()
    switch(scene, "failback")
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected as before")
    assert scene.pair() == pair
    assert {value for name, value in fences(scene).items() if name.startswith("db-a")} == {"0"}
    scene.wait_writes()
    scene.judge()


def site_lost_nothing_owed(scene: Scene) -> None:
    """The whole active site fails with nothing under way: failed over, brought back, attached, home again."""
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    scene.stop_writes()
    lose_site(scene, lost)
    link = scene.console.link()
    assert link["primary_action"]["kind"] == "failover", link
    unattested = scene.console.plan("failover")
    assert set(refusals(unattested)) == {"node_not_attested"}, sentences(unattested)

    fail_over(scene, lost)
    scene.write_on(replace(scene.load, sites=("b",)))  # clients are kept away from the lost side
    restart_site(scene)
    plan = scene.console.plan("reprotect")
    assert "orphans_none" in {finding["code"] for finding in plan["findings"]}, sentences(plan)
    reprotect(scene)
    scene.wait_writes()
    scene.judge()
    switch(scene, "failback")
    scene.judge()


def site_lost_orphans_undone(scene: Scene) -> None:
    """The site fails under load and its clients find it first when it is back: what only it has is undone."""
    lost_before = orphaned_site(scene)
    orphans = fence_and_list(scene)
    plan = scene.console.plan("reprotect")
    assert "orphans_found" in refusals(plan), sentences(plan)
    reprotect(scene, orphans="undo")
    verdict = scene.stack.lab.verify(seconds=60)
    assert not verdict.faults["doubled"], verdict
    assert verdict.identical, verdict
    scene.stack.stated_losses |= orphans
    assert set(verdict.faults["lost"]) <= scene.stack.stated_losses, "a write is lost that was not stated"
    assert lost_before <= set(verdict.faults["lost"]), "a write that only the lost side had is still there"


def site_lost_orphans_replayed(scene: Scene) -> None:
    """The same, but what only the lost side has is replayed on the side that accepts writes: nothing is lost."""
    orphaned_site(scene)
    assert fence_and_list(scene)
    reprotect(scene, orphans="replay")
    scene.judge()


def sites_parted_and_overridden(scene: Scene) -> None:
    """Both sites live but do not see each other, and a person fails over all the same: the reached side is fenced."""
    scene.stop_writes()
    scene.write_on(slow(scene))
    scene.stack.lab.cut("a-b")
    try:
        scene.wait_link(lambda now: now["state"] == "broken", "the cut to show")
        run = scene.console.run_planned("failover", accept_loss=True, override_partition=True, fence_on_return=False)
        assert run["state"] == "succeeded", describe(run)
        assert {value for name, value in fences(scene).items() if name.startswith("db-a")} == {"1"}
        scene.wait_writes(10)
    finally:
        scene.stack.lab.heal()
    scene.stack.lab.load_stop()
    scene.wait_link(lambda now: now["channels"][0]["io_running"] == "Yes", "the sites to see each other again")
    scene.wait_link(lambda now: (now["primary_action"] or {}).get("kind") == "reprotect", "reprotect to be offered")
    assert fence_and_list(scene)
    reprotect(scene, orphans="replay")
    scene.judge()


def slow(scene: Scene) -> Order:
    """A load that leaves about a hundred orphans, no DDL among them: that would leave only a rebuild."""
    return replace(scene.load, ddl_every=100_000.0, writers=1, rate=3.0)


def orphaned_site(scene: Scene) -> set[str]:
    """Lose the active side under load, fail over, and let its clients write on it once it is back.

    Returns the acknowledged writes that the survivor lacks at that moment, by the load's own record.
    """
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    scene.stop_writes()
    scene.write_on(slow(scene))
    scene.stop_channel(scene.pair()[1], "IO_THREAD")  # so that the last seconds never get across
    scene.wait_writes(10, site="a")
    scene.look_again()
    lose_site(scene, lost)
    plan = scene.console.plan("failover", attest_fenced=[scene.console.node_id(name) for name in lost])
    assert refusals(plan) == ["loss_not_accepted"], sentences(plan)
    assert plan["loss"]["transactions"] > 0, plan["loss"]
    fail_over(scene, lost, accept_loss=True)
    restart_site(scene)
    scene.stack.lab.load_stop()
    verdict = scene.stack.lab.verify(seconds=5, sites=("b",))
    return set(verdict.faults["lost"]) - scene.stack.stated_losses


def fence_and_list(scene: Scene) -> set[str]:
    """Close the returned side and list its orphans; their write ids, as the load gave them."""
    run = scene.console.run_planned("reprotect", orphans="fence")
    assert run["state"] == "succeeded", describe(run)
    return list_orphans(scene)


def list_orphans(scene: Scene) -> set[str]:
    """Scan a fenced side for what only it has; the write ids, as the load gave them."""
    answer = scene.console.call("POST", f"/links/{scene.console.link_id}/orphans/scan", {})
    assert answer.status == 201, answer
    assert answer.body["state"] == "found", answer.body["detail"]
    found: set[str] = set()
    path = f"/links/{scene.console.link_id}/orphans?limit=200"
    page = scene.console.get(path)
    while True:
        for transaction in page["results"]:
            for row in transaction["rows"]:
                image = row["after"] or row["before"]
                if "write_id" in image:
                    found.add(image["write_id"])
        if page["next"] is None:
            return found
        page = scene.console.get(f"{path}&cursor={page['next']}")


def lose_site(scene: Scene, names: list[str]) -> None:
    """kill -9 of a whole site at once."""
    scene.kill(*names)
    scene.wait_link(lambda now: now["state"] == "broken", "the loss to be seen")


def fail_over(scene: Scene, lost: list[str], **options: object) -> Json:
    """Attest the dead nodes by name and fail over.

    The side is fenced by hand afterwards, unless `fence_on_return` is True: these scenarios let its clients write there
    for as long as they need (tests/galera/test_returned_site.py has it fenced by the console).
    """
    fenced = [scene.console.node_id(name) for name in lost if not scene.is_up(name)]
    run = scene.console.run_planned("failover", attest_fenced=fenced, **{"fence_on_return": False, **options})
    assert run["state"] == "succeeded", describe(run)
    link = scene.wait_link(lambda now: now["state"] == "failed_over", "the failover to be seen")
    assert link["divergence"]["run_id"] == run["id"]
    assert link["invalidated_cluster"] == link["standby_cluster"]["id"]
    return run


def restart_site(scene: Scene) -> None:
    """The lost site starts again as it was."""
    for site in ("a", "b"):
        scene.stack.lab.start_site(site)
    wait_for(lambda: all(scene.reach(name) == "up" for name in scene.nodes()), "all nodes to be seen")
    scene.wait_link(lambda now: (now["primary_action"] or {}).get("kind") == "reprotect", "reprotect to be offered")


def reprotect(scene: Scene, **options: object) -> Json:
    """Attach the side that returned."""
    run = scene.console.run_planned("reprotect", limit_s=400, **options)
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    return run


SITE_SCENARIOS = (
    there_and_back,
    site_lost_nothing_owed,
    site_lost_orphans_undone,
    site_lost_orphans_replayed,
    sites_parted_and_overridden,
)

ESSENTIAL_SITES = (there_and_back, site_lost_orphans_replayed)
"""What differs between variants: how a place is told, and how a returned side finds its own."""


def open_side(scene: Scene) -> set[str]:
    """Letters of the sides of which a living node accepts writes."""
    return {name[3] for name, fenced in fences(scene).items() if fenced == "0"}

"""From two bare clusters to home again: registered, linked, relocated, failed over, attached, failed back, judged.

One lab and one console, and a load that writes at both sites until the end.
"""

from __future__ import annotations

import json
import os
import subprocess

import MySQLdb
import pytest

from deploy.lab.load import control
from deploy.lab.server.database import connect_tcp
from tests.galera.console import Json, assert_refused, describe, refusals, sentences
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.galera.sites import fail_over, fences, list_orphans, lose_site, reprotect
from tests.galera.stack import ROOT
from tests.story.guide import SIDES, Guide
from tests.story.steps import Steps
from tests.support.waiting import patience, wait_for

OWED = 10
"""Writes that the site has and the other one lacks, by the console's count, when it is lost."""
READ_ONLY = 1290
KINDS = ["create_channels", "relocate", "remove_stray_channel", "failover", "reprotect", "failback"]
"""The runs of the story in their order; the console fences each returned node by a run of its own beside them."""
FENCE = "fence_returned_side"


@pytest.mark.timeout(1200 * patience(), method="signal")  # so that the stack is taken down all the same
def test_story__bare_clusters_to_failback__every_run_verified_and_every_write_exactly_once(
    scene: Scene, steps: Steps
) -> None:
    with steps.step("start two bare clusters and the console"):
        scene.stack.up()
    with steps.step("register both clusters and the link"):
        register(scene)
    with steps.step("create the channels"):
        create_channels(scene)
    with steps.step("start the load at both sites"):
        start_load(scene)
    with steps.step("lose the source of the link and relocate"):
        lost = relocate(scene)
    with steps.step("bring the lost node back"):
        bring_back(scene, lost)
    with steps.step("lose the site and fail over"):
        names = lose_and_fail_over(scene)
    with steps.step("bring the lost site back: fenced"):
        return_fenced(scene, names)
    with steps.step("attach the lost site, its own writes replayed"):
        attach(scene)
    with steps.step("fail back in the browser"):
        fail_back(scene)
    with steps.step("judge every write, every run and the audit log"):
        judge(scene)


def register(scene: Scene) -> None:
    """One host name each is all that is known; the guide creates the accounts."""
    guide = Guide(scene.console, scene.stack.facts["administrator"])
    for side in SIDES:
        guide.set_up(side)
    scene.stack.facts["link_id"] = guide.register()
    scene.wait_link(lambda now: now["state"] != "unknown", what="the link to be observed", limit_s=60)


def create_channels(scene: Scene) -> None:
    """Refused for want of privileges, which are granted as the plan says."""
    plan = scene.console.plan("create_channels")
    assert_refused(plan, "data_unread")
    grant(scene, plan)
    succeed(scene, "create_channels")
    wait_protected(scene)


def grant(scene: Scene, plan: Json) -> None:
    """Run the statements that a refused plan gives as remedy, each on the node that its facts name."""
    for finding in plan["findings"]:
        if finding["severity"] in ("blocker", "unknown"):
            node = finding["facts"]["node"]
            assert node in finding["message"]
            for statement in finding["remedy"].strip(";").split(";"):
                scene.sql(node, statement)


def succeed(scene: Scene, kind: str, **options: object) -> Json:
    """Plan and run; the run must succeed and be verified."""
    run = scene.console.run_planned(kind, **options)
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    return run


def wait_protected(scene: Scene) -> None:
    scene.wait_link(lambda now: now["state"] == "protected", what="the link to be protected", limit_s=60)


def start_load(scene: Scene) -> None:
    """The standby was left closed; here clients write at both sites, which is harder to get right."""
    for name in scene.nodes():
        scene.sql(name, "SET GLOBAL read_only=OFF")
    scene.stack.lab.load_start(scene.load)
    wait_written(scene, "a", "b")


def wait_written(scene: Scene, *sites: str) -> None:
    """Until the load has further writes acknowledged at each of these sites."""
    paths = scene.stack.lab.paths
    before = {site: control.acknowledged(paths, site) for site in sites}
    wait_for(
        lambda: all(control.acknowledged(paths, site) > count for site, count in before.items()),
        f"further writes at {' and '.join(sites)}",
    )


def relocate(scene: Scene) -> str:
    """The source of the link dies under load; its name."""
    source, replica = scene.pair()
    scene.kill(source)
    run = scene.console.relocate()
    assert scene_pair(run) == (scene.other(source), replica)
    wait_written(scene, "a", "b")
    return source


def bring_back(scene: Scene, lost: str) -> None:
    """It returns with its old channel, which is removed as offered."""
    scene.stack.lab.start(lost)
    scene.wait_link(
        lambda now: (now["primary_action"] or {}).get("kind") == "remove_stray_channel",
        what="clean to be offered",
        limit_s=60,
    )
    wait_for(lambda: scene.reach(lost) == "up", f"{lost} to be seen")
    succeed(scene, "remove_stray_channel")
    wait_protected(scene)


def lose_and_fail_over(scene: Scene) -> list[str]:
    """The active site dies with writes owed to the other one, which takes over; refused while it lives, loss stated."""
    assert_refused(scene.console.plan("failover", accept_loss=True), "active_site_lives")
    lost = [node["name"] for node in scene.console.link()["clusters"]["active"]["nodes"]]
    scene.stop_channel(scene.pair()[1], "IO_THREAD")  # what is written from here on never gets across
    scene.wait_link(lambda now: owed(now) >= OWED, what="writes to be owed", limit_s=60)
    lose_site(scene, lost)
    attested = [scene.console.node_id(name) for name in lost]
    assert "node_not_attested" in refusals(scene.console.plan("failover", accept_loss=True))
    plan = scene.console.plan("failover", attest_fenced=attested)
    assert refusals(plan) == ["loss_not_accepted"], sentences(plan)
    assert plan["loss"]["transactions"] >= OWED, plan["loss"]
    run = fail_over(scene, lost, accept_loss=True, fence_on_return=True)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    wait_written(scene, "b")
    return lost


def owed(link: Json) -> int:
    """Transactions of the active side that the other one lacks, as far as the console has seen."""
    (forward,) = [channel for channel in link["channels"] if channel["direction"] == "forward"]
    return int(forward["gap_transactions"] or 0)


def return_fenced(scene: Scene, lost: list[str]) -> None:
    """Its clients find the site when it starts again; the console closes every node of it by itself."""
    scene.stack.lab.start_site("a")
    wait_for(lambda: has_fenced(scene, lost), "every returned node to be fenced")
    assert {value for name, value in fences(scene).items() if name in lost} == {"1"}
    for name in lost:
        assert_not_writable(scene, name)


def has_fenced(scene: Scene, lost: list[str]) -> bool:
    """Whether the console says of every node that it returned and was fenced."""
    returned = scene.console.link()["divergence"]["returned"]
    return bool(returned and len(returned["nodes"]) == len(lost) and returned["fenced_at"])


def assert_not_writable(scene: Scene, name: str) -> None:
    """The application's write is refused there."""
    lab = scene.stack.lab
    connection = connect_tcp(lab.node(name), lab.accounts["app"])
    with pytest.raises(MySQLdb.OperationalError) as refused:
        connection.cursor().execute("DELETE FROM bank.markers WHERE 1=0")
    connection.close()
    assert refused.value.args[0] == READ_ONLY, refused.value


def attach(scene: Scene) -> None:
    """What only the lost site has is found, and replayed on the side that accepts writes."""
    assert len(list_orphans(scene)) >= OWED
    plan = scene.console.plan("reprotect", orphans="replay")
    assert_refused(plan, "orphans_grants")
    grant(scene, plan)
    reprotect(scene, orphans="replay")


def fail_back(scene: Scene) -> None:
    """Clicked by an operator, until the run's page says verified; the spec ends only then."""
    ready = scene.stack.home / "browser.json"
    ready.write_text(json.dumps(scene.stack.facts))
    ready.chmod(0o600)
    env = {"HAWSER_E2E_URL": scene.console.url, "HAWSER_E2E_READY_FILE": str(ready)}
    done = subprocess.run(
        [str(ROOT / "node_modules/.bin/playwright"), "test", "--project=story", "--reporter=line"],
        cwd=ROOT, env=os.environ | env, capture_output=True, text=True, timeout=420 * patience(), check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-2000:]}"
    wait_protected(scene)


def judge(scene: Scene) -> None:
    """At home: every write exactly once on every node, every run verified, the audit log intact from its start."""
    link = scene.console.link()
    assert link["active_cluster"]["id"] == link["home_cluster"]["id"], link["sentence"]
    scene.stack.lab.load_stop()
    assert [name for name in scene.nodes() if not scene.is_up(name)] == []  # the judge passes over what is down
    scene.judge()
    accounts = scene.console.get(f"/links/{link['id']}/unaccounted")
    assert [accounts[way]["transactions"] for way in ("forward", "reverse")] == [[], []], accounts
    assert accounts["unsafe_settings"] == [], accounts
    runs = scene.console.get("/runs")["results"][::-1]
    assert [run["kind"] for run in runs if run["kind"] != FENCE] == KINDS
    for run in (scene.console.get(f"/runs/{run['id']}") for run in runs):
        assert run["state"] == "succeeded", describe(run)
        assert run["verification"]["verdict"] == "verified", (run["kind"], run["verification"])
    assert_audit_intact(scene)


def assert_audit_intact(scene: Scene) -> None:
    """Walked from the first record to the last."""
    walk = scene.console.get("/audit/verify-all")
    while not walk["is_finished"]:
        walk = scene.console.get(f"/audit/verify-all?after={walk['next']}")
    assert walk["ok"], walk
    assert walk["verified"] == walk["records"] > 0, walk

"""The passwords of all three accounts are rotated under load; a worker may be killed in it, and a failure goes back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from deploy.lab.server.database import Row
from tests.galera.console import Json, assert_refused, describe, sentences
from tests.galera.scene import Scene, granted
from tests.galera.worker_kill import carried_on, kill_worker
from tests.support.waiting import wait_for

SIDE = "db-a1"
ROLES = ("monitor", "operator", "replication")


def hashes(scene: Scene, role: str) -> dict[str, str]:
    """By node, what its server stores of the password of a role."""
    user = scene.stack.lab.accounts[role].user
    query = f"SELECT Priv FROM mysql.global_priv WHERE User='{user}'"
    found: dict[str, list[Row]] = {name: scene.sql(name, query) for name in scene.nodes()}
    return {name: str(rows[0]["Priv"]) for name, rows in found.items()}


def password_of(texts: dict[str, str]) -> set[str]:
    """The hashes that log in, on all nodes together."""
    return {one for text in texts.values() for one in re.findall(r"\*[0-9A-F]{40}", text)}


def _hashes_of(scene: Scene) -> dict[str, dict[str, str]]:
    return {role: hashes(scene, role) for role in ROLES}


@pytest.fixture(autouse=True)
def _passwords_of_the_lab(scene: Scene) -> Iterator[None]:
    """Other modules know the lab's own passwords."""
    yield
    stack = scene.stack
    for role in ROLES:
        account = stack.lab.accounts[role]
        scene.sql(SIDE, f"ALTER USER '{account.user}'@'%' IDENTIFIED BY '{account.password}'")
        for cluster in scene.console.link()["clusters"].values():
            given = {"user": account.user, "password": account.password, "reason": "as the lab made it"}
            answer = scene.console.change("PUT", f"/clusters/{cluster['id']}/credentials/{role}", given)
            assert answer.status == 200, answer
    password = stack.lab.accounts["replication"].password
    for name in scene.nodes():
        for channel in scene.channels_of(name):
            named = f"'{channel['Connection_name']}'"
            scene.stop_channel(name)
            scene.sql(name, f"CHANGE MASTER {named} TO MASTER_PASSWORD='{password}'")
            scene.start_channel(name)


def planned(scene: Scene) -> Json:
    """A plan that is ready."""
    plan = scene.console.plan("rotate_passwords", side="active")
    assert plan["state"] == "ready", sentences(plan)
    return plan


def test_rotate__under_load__every_node_has_the_new_passwords_only(scene: Scene) -> None:
    assert_refused(scene.console.plan("rotate_passwords", side="active"), "rotation_privilege_missing", "CREATE USER")
    before = {role: hashes(scene, role) for role in ROLES}
    with granted(scene, SIDE, "CREATE USER"):
        run = scene.console.run(planned(scene))
        assert run["state"] == "succeeded", describe(run)
    for role, old in before.items():
        now = hashes(scene, role)
        assert all(now[name] != old[name] for name in now), role
        assert len(password_of(now)) == 1, f"{role} has more than one password"
    assert "***" in str(run["steps"])
    scene.wait_link(lambda link: link["state"] == "protected", "the link to be protected")
    scene.judge()


def boundaries(plan: Json) -> list[str]:
    """Before and after each statement: one whose intent alone is stored may have been sent or not."""
    return [f"{what}:{one['index']}" for one in plan["steps"] if one["sql"] for what in ("after-intent", "after-sql")]


@pytest.mark.whole
def test_rotate__worker_killed__another_carries_it_to_its_end(scene: Scene) -> None:
    with granted(scene, SIDE, "CREATE USER"), scene.stack.paused_worker():
        for boundary in boundaries(planned(scene)):
            started = scene.console.start(planned(scene))
            assert started.status == 202, started
            run_id = started.body["id"]
            kill_worker(scene, run_id, boundary)
            wait_for(lambda run_id=run_id: carried_on(scene, run_id), f"the run after {boundary}")
            run = scene.console.wait_run(run_id)
            assert run["state"] == "succeeded", f"{boundary}: {describe(run)}"
    scene.judge()


def test_rotate__aborted_after_the_new_passwords_are_valid__the_old_ones_alone_are(scene: Scene) -> None:
    before = {role: hashes(scene, role) for role in ROLES}
    with granted(scene, SIDE, "CREATE USER"), scene.stack.paused_worker():
        plan = planned(scene)
        last = max(step["index"] for step in plan["steps"] if step["code"] == "use_password")
        run_id = scene.console.start(plan).body["id"]
        kill_worker(scene, run_id, f"step-end:{last}")
        assert len(password_of(hashes(scene, "monitor"))) == 2
        answer = scene.console.change("POST", f"/runs/{run_id}/abort")
        assert answer.status < 300, answer
        wait_for(lambda: carried_on(scene, run_id), "the run to go back")
        run = scene.console.wait_run(run_id)
        assert run["state"] == "aborted", describe(run)
    assert {role: password_of(texts) for role, texts in _hashes_of(scene).items()} == {
        role: password_of(texts) for role, texts in before.items()
    }
    scene.wait_link(lambda link: link["state"] == "protected", "the link to be protected")

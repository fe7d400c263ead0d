"""A registered link changes: a node leaves and joins, accounts are replaced, the link retires; all under load."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from deploy.lab.server.database import rows
from deploy.lab.server.grants import GRANTS
from tests.galera.console import Answer, Json, describe, refusals
from tests.galera.scene import Scene
from tests.galera.sites import begin, write_on_both_sides
from tests.galera.worker_kill import kill_worker, started
from tests.support.waiting import wait_for

VARIANT = "classic"
FURTHER_BOUNDARIES = ("step-start", "step-end", "before-intent", "after-intent", "after-outcome")


@pytest.fixture(autouse=True)
def whole(scene: Scene) -> Iterator[None]:
    """Each test begins with everything protected, and ends with every write exactly once."""
    begin(scene)
    yield
    scene.heal()
    scene.stop_writes()
    scene.judge()


def _cluster(scene: Scene, site: str) -> Json:
    sides = scene.console.link()["clusters"].values()
    return next(side for side in sides if side["nodes"][0]["name"].startswith(f"db-{site}"))


def _spare(scene: Scene) -> str:
    """A node of the standby side without a channel."""
    return scene.other(scene.pair()[1])


def _refused(answer: Answer, code: str) -> Json:
    assert (answer.status, answer.body["code"]) == (409, code), answer
    return answer.body


def _membership(scene: Scene, cluster: Json) -> Json:
    return scene.console.get(f"/clusters/{cluster['id']}/membership")


def test_node__leaves_and_joins_again__offered_removed_and_added(scene: Scene) -> None:
    spare, carrier = _spare(scene), scene.pair()[1]
    cluster = _cluster(scene, spare[3])
    node = scene.console.get(f"/nodes/{scene.console.node_id(spare)}")
    path = f"/nodes/{node['id']}"
    _refused(scene.console.change("DELETE", path), "node_is_member")
    scene.kill(spare)
    wait_for(lambda: _membership(scene, cluster)["absent"], "the cluster to count without it")
    assert [one["name"] for one in _membership(scene, cluster)["absent"]] == [spare]
    removed = scene.console.change("DELETE", path)
    assert removed.status == 204, removed
    names = [one["name"] for one in _cluster(scene, spare[3])["nodes"]]
    assert spare not in names
    assert carrier in names
    scene.stack.lab.start(spare)
    wait_for(lambda: _membership(scene, cluster)["unregistered"], "the member to be offered")
    assert _membership(scene, cluster)["unregistered"] == [{"host": node["host"], "port": node["port"]}]
    for kind in ("relocate", "switchover"):
        assert "member_not_registered" in refusals(scene.console.plan(kind)), kind
    body = {"name": spare, "host": node["host"], "port": node["port"]}
    asked = scene.console.change("POST", f"/clusters/{cluster['id']}/nodes", body)
    _refused(asked, "stored_passwords_needed")
    body |= {"passwords": scene.stored_passwords}
    added = scene.console.change("POST", f"/clusters/{cluster['id']}/nodes", body)
    assert added.status == 201, added
    wait_for(lambda: scene.reach(spare) == "up", "the added node to be polled")
    wait_for(lambda: scene.console.get(f"/nodes/{added.body['id']}")["eligibility"]["eligible"], "it to be eligible")
    run = scene.console.relocate(replica_node=added.body["id"])
    assert run["state"] == "succeeded", describe(run)


def _account(scene: Scene, role: str) -> tuple[str, str]:
    """A second account of the role, with its grants, on both clusters."""
    user, password = f"h_{role}_{secrets.token_hex(3)}", secrets.token_hex(12)
    name = f"'{user}'@'%'"
    first = scene.pair()[0]
    scene.sql(first, f"CREATE USER {name} IDENTIFIED BY '{password}'")
    for grant in GRANTS[role]:
        scene.sql(first, grant.format(account=name))
    asked = f"SELECT COUNT(*) AS n FROM mysql.user WHERE User='{user}'"
    wait_for(lambda: all(scene.sql(one, asked)[0]["n"] for one in scene.nodes()), "the account to be replicated")
    granted = scene.sql(first, f"SHOW GRANTS FOR {name}")
    wait_for(
        lambda: all(scene.sql(one, f"SHOW GRANTS FOR {name}") == granted for one in scene.nodes()),
        "its grants to be replicated",
    )
    return user, password


def _set_password_on(scene: Scene, node: str, user: str, password: str) -> None:
    """On this node alone, past its cluster and its log."""
    with scene.stack.lab.admin(node) as connection:
        rows(connection, "SET SESSION wsrep_on=OFF, sql_log_bin=0")
        rows(connection, f"ALTER USER '{user}'@'%' IDENTIFIED BY '{password}'")


def _store(scene: Scene, role: str, user: str, password: str) -> list[Answer]:
    """Give the console this account on both sides."""
    body = {"user": user, "password": password}
    ids = [side["id"] for side in scene.console.link()["clusters"].values()]
    return [scene.console.change("PUT", f"/clusters/{cluster}/credentials/{role}", body) for cluster in ids]


def _put_back(scene: Scene, *roles: str) -> None:
    """The console uses the lab's own accounts again, as the tests after this one expect."""
    for role in roles:
        own = scene.stack.lab.accounts[role]
        scene.sql(scene.pair()[0], f"ALTER USER '{own.user}'@'%' ACCOUNT UNLOCK")
        wait_for(
            lambda role=role, own=own: {one.status for one in _store(scene, role, own.user, own.password)} == {200},
            f"the {role} account to be put back",
        )


def test_accounts__replaced_one_by_one__observed_and_moved_without_a_gap(scene: Scene) -> None:
    fresh = {role: _account(scene, role) for role in ("monitor", "operator", "replication")}
    spare = _spare(scene)
    _set_password_on(scene, spare, fresh["monitor"][0], "another")
    for answer in _store(scene, "monitor", *fresh["monitor"]):
        if answer.status != 200:
            assert spare in _refused(answer, "trial_failed")["detail"]
            break
    else:
        pytest.fail("the account was stored although one node refuses it")
    _set_password_on(scene, spare, *fresh["monitor"])
    try:
        for role, account in fresh.items():
            assert [answer.status for answer in _store(scene, role, *account)] == [200, 200]
        for role in ("monitor", "operator"):
            scene.sql(scene.pair()[0], f"ALTER USER '{scene.stack.lab.accounts[role].user}'@'%' ACCOUNT LOCK")
        scene.wait_link(lambda link: link["state"] == "protected", "the link to be observed with the new accounts")
        scene.stack.restart_monitor()
        wait_for(lambda: all(scene.reach(name) == "up" for name in scene.nodes()), "the new monitor to log in")
        scene.console.relocate(replica_node=scene.console.node_id(spare))
        assert [one["Master_User"] for one in scene.sql(spare, "SHOW ALL SLAVES STATUS")] == [fresh["replication"][0]]
    finally:
        _put_back(scene, *fresh)


@pytest.mark.parametrize(
    "boundary",
    ["after-sql", *(pytest.param(name, marks=pytest.mark.whole) for name in FURTHER_BOUNDARIES)],
)
def test_accounts__replaced_while_a_run_is_unfinished__it_ends_with_the_new_ones(scene: Scene, boundary: str) -> None:
    """Everything else is refused meanwhile; the successor of the worker logs in with what is stored then."""
    spare = _spare(scene)
    before = scene.stack.lab.accounts["operator"].user
    fresh = _account(scene, "operator")
    with scene.stack.paused_worker():
        plan, run = started(scene, "relocate", replica_node=scene.console.node_id(spare))
        step = max(one["index"] for one in plan["steps"] if one["code"] == "stop_channel")
        kill_worker(scene, run["id"], f"{boundary}:{step}")
        node = scene.console.node_id(spare)
        _refused(scene.console.change("PATCH", f"/nodes/{node}", {"name": "renamed"}), "run_unfinished")
        _refused(scene.console.change("DELETE", f"/links/{scene.console.link_id}"), "run_unfinished")
        assert [answer.status for answer in _store(scene, "operator", *fresh)] == [200, 200]
        scene.sql(scene.pair()[0], f"ALTER USER '{before}'@'%' ACCOUNT LOCK")
    try:
        ended = scene.console.wait_run(run["id"], 120)
        assert ended["state"] == "succeeded", describe(ended)
        assert ended["verification"]["verdict"] == "verified"
    finally:
        _put_back(scene, "operator")


def test_link__retired_and_registered_again_under_its_name__replicates_all_the_while(scene: Scene) -> None:
    old = scene.console.link()
    assert scene.console.change("DELETE", f"/links/{old['id']}").body["state"] == "retired"
    body = {
        "name": old["name"],
        "active_cluster": old["active_cluster"]["id"],
        "standby_cluster": old["standby_cluster"]["id"],
        "channel_name": old["channel_name"],
    }
    registered = scene.console.call("POST", "/links", body)
    assert registered.status == 201, registered
    scene.stack.facts["link_id"] = registered.body["id"]
    write_on_both_sides(scene, is_on=True)
    scene.wait_link(lambda link: link["state"] == "protected", "the link to be observed under its new id")
    assert scene.console.get(f"/links/{old['id']}/history")["results"]
    scene.console.relocate(source_node=scene.console.node_id(scene.other(scene.pair()[0])))

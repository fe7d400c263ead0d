"""Settings of a running cluster are changed by a plan, one node after the other, and set back when the second fails."""

from __future__ import annotations

import threading

from backend.core.adviser.advice.options.parse import parse_options
from tests.galera.console import Json, assert_refused, describe
from tests.galera.scene import Scene, granted
from tests.support.waiting import wait_for

WINDOWS = ("evs.send_window", "evs.user_send_window")


def windows(scene: Scene, node: str) -> tuple[str, str]:
    """Both windows of a node, as its server shows them."""
    (row,) = scene.sql(node, "SHOW GLOBAL VARIABLES LIKE 'wsrep_provider_options'")
    options = parse_options(str(row["Value"]))
    return options[WINDOWS[0]], options[WINDOWS[1]]


def wanted(value: str) -> list[Json]:
    """Both windows with the same value, the bounded one first."""
    return [{"name": name, "value": value} for name in reversed(WINDOWS)]


def interfere(scene: Scene, first: str, second: str) -> None:
    """Once the first node is changed and still watched, the second one is changed by hand."""
    wait_for(lambda: windows(scene, first)[0] == "256", "the first node to be changed")
    scene.sql(second, "SET GLOBAL wsrep_provider_options='evs.send_window=1024'")


def test_configure__send_windows__set_on_every_node_and_set_back_when_the_second_fails(scene: Scene) -> None:
    nodes = [name for name in scene.nodes() if name.startswith("db-a")]
    carrying = scene.pair()[0]
    before = {name: windows(scene, name) for name in nodes}
    plan = scene.console.plan("configure", side="active", settings=wanted("512"))
    assert_refused(plan, "setting_privilege_missing", "SUPER")

    with granted(scene, nodes[0], "SUPER"):
        run = scene.console.run_planned("configure", side="active", settings=wanted("512"))
        assert run["state"] == "succeeded", describe(run)
        assert {windows(scene, name) for name in nodes} == {("512", "512")}
        order = list(dict.fromkeys(step["node"] for step in run["steps"] if step["code"] == "set_setting"))
        assert order[-1] == carrying

        meddler = threading.Thread(target=interfere, args=(scene, order[0], order[1]))
        meddler.start()
        run = scene.console.run_planned("configure", side="active", settings=wanted("256"))
        meddler.join()
        assert run["state"] == "failed", describe(run)
        assert [windows(scene, order[at]) for at in (0, 2)] == [("512", "512")] * 2
        assert windows(scene, order[1]) == ("1024", "512"), "a value that the run did not set was overwritten"

        for name, (window, user_window) in before.items():
            scene.sql(name, f"SET GLOBAL wsrep_provider_options='evs.user_send_window={user_window}'")
            scene.sql(name, f"SET GLOBAL wsrep_provider_options='evs.send_window={window}'")
    scene.judge()


def test_configure__sync_binlog__binlog_admin_is_enough(scene: Scene) -> None:
    nodes = [name for name in scene.nodes() if name.startswith("db-a")]
    (row,) = scene.sql(nodes[0], "SELECT @@GLOBAL.sync_binlog AS value")
    other = "0" if str(row["value"]) != "0" else "1"
    with granted(scene, nodes[0], "BINLOG ADMIN"):
        for value in (other, str(row["value"])):
            settings = [{"name": "sync_binlog", "value": value}]
            run = scene.console.run_planned("configure", side="active", settings=settings)
            assert run["state"] == "succeeded", describe(run)
            shown = {str(scene.sql(name, "SELECT @@GLOBAL.sync_binlog AS value")[0]["value"]) for name in nodes}
            assert shown == {value}

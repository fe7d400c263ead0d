"""The relocate scenarios, the same for every variant; test modules bind them to one."""

from __future__ import annotations

import os
import time

from tests.galera.console import Json, refusals, sentences
from tests.galera.scene import Scene
from tests.support.waiting import wait_for


def source_lost(scene: Scene) -> None:
    """The source of the forward channel fails; its old holder is cleaned when it returns."""
    source, replica = scene.pair()
    scene.kill(source)
    link = scene.console.link()
    assert link["state"] == "broken", link["sentence"]
    assert link["primary_action"]["kind"] == "relocate"

    run = scene.console.relocate()

    assert scene_pair(run) == (scene.other(source), replica)
    assert run["verification"]["cleanup_pending"] == [source]
    scene.judge()
    scene.stack.lab.start(source)
    scene.wait_link(
        lambda now: (now["primary_action"] or {}).get("kind") == "remove_stray_channel", "clean to be offered"
    )
    scene.clean_strays()
    scene.judge()


def source_frozen(scene: Scene) -> None:
    """The source hangs: its port is open and nothing answers. Its cluster expels it, then it is left."""
    source, replica = scene.pair()
    scene.stack.lab.freeze(source)
    wait_for(lambda: scene.reach(source) == "hung", "the hung node to be seen")
    run = scene.console.relocate()
    assert scene_pair(run) == (scene.other(source), replica)
    scene.judge()


def replica_lost(scene: Scene) -> None:
    """The replica of the forward channel fails: no relay log is left to ask."""
    source, replica = scene.pair()
    scene.kill(replica)
    run = scene.console.relocate()
    assert scene_pair(run)[0] == source
    assert scene_pair(run)[1] != replica
    scene.judge()


def both_lost(scene: Scene) -> None:
    """Both nodes of the link die."""
    source, replica = scene.pair()
    scene.kill(source, replica)
    run = scene.console.relocate()
    assert not set(scene_pair(run)) & {source, replica}
    scene.judge()


def planned_move(scene: Scene) -> None:
    """All nodes live: positions are proven after the stop, old channels are forgotten."""
    source, replica = scene.pair()
    plan = _planned_onto_others(scene, source, replica)
    assert all(position["provisional"] for position in plan["positions"])
    run = scene.console.run(plan)
    assert run["state"] == "succeeded", run["outcome"]
    assert scene_pair(run) == (plan["target"]["source_name"], plan["target"]["replica_name"])
    for old in (source, replica):
        assert not scene.channels_of(old)
    scene.judge()


def _planned_onto_others(scene: Scene, source: str, replica: str) -> Json:
    """A plan for other nodes than these.

    On 11.4.5 by GTID a node that was killed may number its transactions one less than its neighbours from then on. The
    move onto it is refused, with another node as remedy.
    """
    new_source, new_replica = scene.other(source), scene.other(replica)
    plan = _plan_onto(scene, new_source, new_replica)
    if scene.stack.servers != "mariadb-11.4" or "numbers its transactions differently" not in sentences(plan):
        return plan
    refused = {position["node_name"] for position in plan["positions"] if not position["proven"]}
    if new_source in refused:
        new_source = scene.other(source, than=(new_source,))
    if new_replica in refused:
        new_replica = scene.other(replica, than=(new_replica,))
    return _plan_onto(scene, new_source, new_replica)


def _plan_onto(scene: Scene, source: str, replica: str) -> Json:
    ids = scene.console.node_id
    return scene.console.plan(source_node=ids(source), replica_node=ids(replica))


def relay_log_to_apply(scene: Scene) -> None:
    """The source fails while its replica still has seconds of relay log to apply."""
    source, replica = scene.pair()
    scene.stop_channel(replica, "SQL_THREAD")
    scene.wait_writes(100)
    scene.wait_received(source, replica)
    scene.stack.lab.kill(source)
    scene.start_channel(replica, "SQL_THREAD")
    run = scene.console.relocate()
    assert scene_pair(run)[1] == replica
    scene.judge()


def ddl_last(scene: Scene) -> None:
    """The last thing the source wrote was DDL: a group without a Xid."""
    source, replica = scene.pair()
    scene.stop_writes()
    scene.sql(source, "CREATE TABLE IF NOT EXISTS bank.last_ddl (id INT PRIMARY KEY)")
    scene.sql(source, f"ALTER TABLE bank.last_ddl COMMENT='{time.time_ns()}'")
    scene.wait_received(source, replica)
    scene.look_again()
    scene.kill(source)
    plan = scene.console.settled_plan("relocate")
    assert plan["state"] == "ready", sentences(plan)
    forward = plan["positions"][0]
    assert forward["source_groups"][-1]["kind"] == "ddl", forward
    run = scene.console.run(plan)
    assert run["state"] == "succeeded", run["outcome"]
    assert scene_pair(run)[1] == replica
    scene.write_on()
    scene.judge()


def relay_log_without_xid(scene: Scene) -> None:
    """The I/O thread reconnected and nothing came since: the relay log holds no Xid at all."""
    source, replica = scene.pair()
    scene.stop_writes()
    scene.stop_channel(replica, "IO_THREAD")
    scene.start_channel(replica, "IO_THREAD")
    scene.wait_received(source, replica)
    scene.look_again()
    scene.kill(source)
    plan = scene.console.settled_plan("relocate")
    assert plan["state"] == "ready", sentences(plan)
    seqno = next(e for e in plan["positions"][0]["evidence"] if e["family"] == "seqno")
    assert seqno["facts"].get("from") != "relay log", seqno
    run = scene.console.run(plan)
    assert run["state"] == "succeeded", run["outcome"]
    scene.write_on()
    scene.judge()


def replica_restarted(scene: Scene) -> None:
    """The replica restarts (its relay log is opened again), then the source fails."""
    source, replica = scene.pair()
    scene.stack.lab.stop(replica)
    scene.stack.lab.start(replica)
    scene.wait_link(lambda now: now["state"] == "protected", "the channel to run again")
    scene.kill(source)
    run = scene.console.relocate()
    assert scene_pair(run)[1] == replica
    scene.judge()


def second_right_after(scene: Scene) -> None:
    """A second move the moment the first ended, before the monitor had time to look."""
    first, replica = scene.pair()
    scene.kill(first)
    run = scene.console.relocate()
    second = scene_pair(run)[0]
    other = scene.other(replica)
    run = scene.console.relocate(replica_node=scene.console.node_id(other))
    assert scene_pair(run) == (second, other)
    scene.judge()


def new_holder_dies_before_the_old_one_is_cleaned(scene: Scene) -> None:
    """A replica returns with its old channel, and the one that took over fails: the old one must not count again."""
    source, first = scene.pair()
    scene.kill(first)
    second = scene_pair(scene.console.relocate())[1]
    scene.stack.lab.start(first)
    scene.wait_link(lambda now: any(c["stray"] for c in now["channels"]), "the old channel to be seen")
    scene.kill(second)
    shown = {c["replica_name"]: c["stray"] for c in scene.console.link()["channels"] if c["direction"] == "forward"}
    assert shown == {first: True, second: False}, shown
    wait_for(lambda: not refusals(scene.console.plan("remove_stray_channel")), "the old channel to be cleanable")
    scene.clean_strays()
    run = scene.console.relocate()
    assert scene_pair(run)[0] == source
    scene.judge()


def scene_pair(run: dict[str, object]) -> tuple[str, str]:
    """Names of the nodes a run moved the channels to."""
    target = run["target"]
    assert isinstance(target, dict)
    return str(target["source_name"]), str(target["replica_name"])


IS_WHOLE = bool(os.environ.get("HAWSER_WHOLE"))
"""Every scenario in every variant and every boundary: about half an hour more than the suite has."""
SCENARIOS = (
    source_lost,
    source_frozen,
    replica_lost,
    both_lost,
    planned_move,
    relay_log_to_apply,
    ddl_last,
    relay_log_without_xid,
    replica_restarted,
    second_right_after,
    new_holder_dies_before_the_old_one_is_cleaned,
)
ESSENTIAL = (source_lost, replica_lost, both_lost, planned_move, relay_log_to_apply)
"""What depends on how a variant tells its own transactions."""

# A planned move of both channels: recheck, 2 stops, 2 locates, 2 cleans, 2 points, 2 starts, 2 probes, verify.
CHANGING_STEPS = (1, 2, 5, 6, 7, 8, 9, 10, 11, 12)
STEPS = 14


def plan_to_others(scene: Scene) -> Json:
    """A planned move of both channels onto other nodes."""
    source, replica = scene.pair()
    plan = _plan_onto(scene, scene.other(source), scene.other(replica))
    assert plan["state"] == "ready", sentences(plan)
    assert [s["index"] for s in plan["steps"] if s["sql"]] == list(CHANGING_STEPS)
    assert len(plan["steps"]) == STEPS
    return plan

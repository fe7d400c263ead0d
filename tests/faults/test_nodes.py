"""2b: nodes and sites that die, hang, return, fill up or block, while runs are under way."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import MySQLdb
import pytest

from deploy.lab.server.coordinate import Coordinate
from deploy.lab.server.database import connect_tcp
from tests.faults.fault import Fault, held_by_console
from tests.galera.console import describe, refusals, sentences
from tests.galera.relocate import scene_pair
from tests.galera.sites import begin, reprotect, restart_site
from tests.support.waiting import wait_for

DUPLICATE_KEY = 1062


@pytest.mark.quick
@pytest.mark.faults("B1", "B2")
def test_source_and_replica__killed__moved_with_proof_and_cleaned_on_return(fault: Fault) -> None:
    """Both holders of the channels die; the others take over; what returns is cleaned."""
    source, replica = fault.pair()
    fault.kill(source, replica)
    fault.strike()
    run = fault.succeeded(fault.recovered(fault.console.run_planned("relocate")))
    assert not set(scene_pair(run)) & {source, replica}
    for site in ("a", "b"):
        fault.stack.lab.start_site(site)
    fault.cleaned_on_return(source, replica)
    fault.judge()


@pytest.mark.faults("B3", "B4")
def test_replica__hangs_then_wakes_after_the_move__double_channel_is_told_and_cleaned(fault: Fault) -> None:
    """Its cluster expelled it; awake again it still has its old channel: found within a poll, and cleaned."""
    _, replica = fault.pair()
    fault.stack.lab.freeze(replica)
    wait_for(lambda: fault.reach(replica) == "hung", "the hung node to be seen")
    wait_for(lambda: fault.console.plan()["state"] == "ready", "its cluster to expel it", pause_s=1.0)
    fault.strike()
    run = fault.succeeded(fault.recovered(fault.console.run_planned("relocate")))
    assert scene_pair(run)[1] != replica
    fault.stack.lab.thaw(replica)
    fault.cleaned_on_return(replica)
    fault.judge()


@pytest.mark.faults("B18")
def test_replica__killed_and_back_behind_its_data__channels_resume_behind_what_it_had_applied(fault: Fault) -> None:
    """Its relay-log.info is of a second before the kill; on its return the channel stops on what is there already."""
    _, replica = fault.pair()
    record = fault.stack.lab.paths.datadir(replica) / "relay-log.info"
    stale = record.read_bytes()
    wait_for(lambda: record.read_bytes() != stale, "the channel to apply something")
    fault.wait_applied(replica, 10)
    fault.kill(replica)
    record.write_bytes(stale)
    fault.stack.lab.start(replica)
    fault.wait_link(
        lambda link: any("error 1062" in str(c["error"]) for c in link["channels"]), "the channel to stop", 90
    )
    fault.strike()
    options = fault.other_pair()
    # the other direction's replica connects to it again within seconds; until then the way counts as unknown
    wait_for(lambda: fault.console.plan(**options)["state"] == "ready", "both ways to be known", pause_s=1.0)
    plan = fault.ready(**options)
    assert "channel_behind_its_data" in [finding["code"] for finding in plan["findings"]]
    fault.succeeded(fault.ended(fault.start(plan)))
    fault.judge()


@pytest.mark.quick
@pytest.mark.faults("B4")
def test_replica__back_for_a_moment_before_the_new_channel_starts__not_started_behind_what_it_applied(
    fault: Fault,
) -> None:
    """Pointed at the proven place, the worker dead; the old holder applies what waited and fails again."""
    source, replica = fault.pair()
    with fault.stack.paused("worker"):
        fault.kill(replica)
        wait_for(lambda: fault.console.plan()["state"] == "ready", "its cluster to expel it", pause_s=1.0)
        plan = fault.ready()
        run_id = fault.start(plan)
        pointed = next(
            s["index"] for s in plan["steps"] if s["code"] == "change_source" and s["node"][:4] == replica[:4]
        )
        fault.died_at(run_id, f"after-outcome:{pointed}")
        waiting = fault.log_end(source)
        fault.stack.lab.start(replica)
        wait_for(lambda: has_applied(fault, replica, waiting), "the old channel to apply what waited")
        fault.kill(replica)
        run = fault.carried_on(run_id)
    assert run["state"] == "needs_operator", describe(run)
    assert "since the position was proven" in run["outcome"], run["outcome"]
    fault.supersede()
    fault.judge()


def has_applied(fault: Fault, name: str, end: Coordinate) -> bool:
    """Whether a node's channel applied its source's log up to there; right after it connected it lags by 0 s, too.

    A killed replica's own record may lie behind its data: the channel then stops on what it has already, and is led
    past it here, because what it applies behind that is what this is about.
    """
    shown = fault.sql(name, "SHOW ALL SLAVES STATUS")
    if not shown:
        return False
    if int(shown[0]["Last_SQL_Errno"]) == DUPLICATE_KEY:
        fault.sql(name, "SET GLOBAL sql_slave_skip_counter = 1")
        fault.sql(name, "START SLAVE")
    applied = str(shown[0]["Relay_Master_Log_File"]), int(shown[0]["Exec_Master_Log_Pos"])
    return applied >= (end.file, end.position)


@pytest.mark.faults("B10")
def test_target__leaves_its_cluster_between_plan_and_statement__nothing_irreversible(fault: Fault) -> None:
    """The new source is isolated while the worker sleeps before the wall."""
    options = fault.other_pair()
    with fault.stack.paused("worker"):
        plan = fault.ready(**options)
        run_id = fault.start(plan)
        target = plan["target"]["source_name"]
        sleeper = fault.stopped_at(run_id, "step-start:3")
        fault.sql(target, "SET GLOBAL wsrep_provider_options='gmcast.isolate=1'")
        status = "SHOW STATUS LIKE 'wsrep_cluster_status'"
        wait_for(lambda: fault.sql(target, status)[0]["Value"] != "Primary", "the node to be alone")
        fault.wake(sleeper, 120)
        run = fault.carried_on(run_id)
        fault.sql(target, "SET GLOBAL wsrep_provider_options='gmcast.isolate=0'")
    fault.took_back(run)
    back = "SHOW STATUS LIKE 'wsrep_local_state_comment'"
    wait_for(lambda: fault.sql(target, back)[0]["Value"] == "Synced", "the node to be back", 90)
    fault.judge()


@pytest.mark.faults("B20", "B21")
def test_stop__waits_behind_a_blocked_applier__bounded_others_fresh_and_taken_back_or_done(fault: Fault) -> None:
    """A client holds a lock that the channel needs: STOP SLAVE hangs with it, and so do status queries there."""
    source, replica = fault.pair()
    options = fault.other_pair()
    waits_long(fault, replica)
    site = fault.stack.lab.node(source).site
    with fault.stack.lab.admin(replica, 200) as holder:
        cursor = holder.cursor()
        cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
        cursor.execute("BEGIN")
        # rows that on this side only the channel changes: a neighbour's write would push the holder aside
        cursor.execute(f"SELECT account FROM bank.balances WHERE account LIKE '{site}%' FOR UPDATE")
        cursor.fetchall()
        plan = fault.ready(**options)
        wait_for(lambda: is_blocked(fault, replica), "the channel to wait for the lock", pause_s=0.05)
        run_id = fault.start(plan)
        fault.strike()
        for _ in range(3):
            fault.look_again(*(name for name in fault.nodes() if name != replica))
        assert fault.run_of(run_id)["state"] == "running", "STOP SLAVE returned though the lock is held"
        holder.rollback()
    run = fault.ended(run_id, 180)
    assert run["state"] in ("succeeded", "failed"), describe(run)
    fault.judge()


def is_blocked(fault: Fault, name: str) -> bool:
    """Whether anything there waits for a row: a channel that had not come to it yet would stop at once."""
    return bool(fault.sql(name, "SELECT 1 FROM information_schema.INNODB_LOCK_WAITS LIMIT 1"))


def waits_long(fault: Fault, replica: str) -> None:
    """The channel waits for a row lock as long as the test holds it.

    Its SQL thread took the server's 10 s. After those STOP SLAVE returned, the run moved the channel to a neighbour,
    and the neighbour's first write pushed the holder aside (1213 at its rollback; seen). A thread copies InnoDB's
    settings when it first needs one of them, not when it starts: the longer time stays until a group was applied.
    """
    fault.sql(replica, "SET GLOBAL innodb_lock_wait_timeout=100")
    try:
        fault.sql(replica, "STOP SLAVE SQL_THREAD")
        fault.sql(replica, "START SLAVE SQL_THREAD")
        fault.wait_applied(replica)
    finally:
        fault.sql(replica, "SET GLOBAL innodb_lock_wait_timeout=10")
    fault.wait_link(lambda now: now["state"] == "protected", "the channel to run again")


@pytest.mark.faults("B25")
def test_node__out_of_connections__named_and_the_console_holds_few(fault: Fault) -> None:
    """Clients took every connection: the node is called refused, and the console does not add to the crowd."""
    target = fault.other(fault.pair()[0])
    assert held_by_console(fault, target) <= FEW
    fault.sql(target, "SET GLOBAL max_connections=20")
    crowd: list[Any] = []
    try:
        wait_for(lambda: is_full(fault, target, crowd), "the console to be turned away", pause_s=0.5)
        plan = fault.console.plan(source_node=fault.console.node_id(target))
        assert plan["state"] == "refused", sentences(plan)
        assert "Too many connections" in sentences(plan), sentences(plan)
        assert held_by_console(fault, target) <= FEW
    finally:
        for connection in crowd:
            connection.close()
        fault.sql(target, "SET GLOBAL max_connections=120")
    fault.silent()
    wait_for(lambda: fault.reach(target) == "up", "the node to be seen again")
    assert held_by_console(fault, target) <= FEW
    fault.judge()


FEW = 4
"""Sessions of the console on one node: the monitor's, and those of a plan or a run."""


def is_full(fault: Fault, target: str, crowd: list[Any]) -> bool:
    """Take what connections are left, the console's among them; whether the monitor is turned away."""
    node, app = fault.stack.lab.node(target), fault.stack.lab.accounts["app"]
    fault.stack.chaos.reset(target, kind="tls")
    with suppress(MySQLdb.Error):
        while True:
            crowd.append(connect_tcp(node, app, seconds=5, database="bank"))
    return fault.reach(target) == "refused"


@pytest.mark.faults("B12")
def test_target__came_back_with_fresh_binlogs__refused_or_proven_never_guessed(fault: Fault) -> None:
    """Its history of binlogs is lost after a full state transfer: a standstill replica cannot go on there."""
    source, replica = fault.pair()
    candidate = fault.other(source)
    fault.sql(replica, "STOP SLAVE")
    fault.wait_writes(10, site=source[3])
    fault.stack.lab.stop(candidate)
    for old in fault.stack.lab.paths.datadir(candidate).glob("binlog.*"):
        old.unlink()
    (fault.stack.lab.paths.datadir(candidate) / "grastate.dat").unlink()
    fault.stack.lab.start(candidate)
    wait_for(lambda: fault.reach(candidate) == "up", "the candidate to be seen")
    plan = fault.console.plan(source_node=fault.console.node_id(candidate))
    fault.sql(replica, "START SLAVE")
    assert plan["state"] == "refused", "the transactions of the standstill are not in its logs"
    assert {"binlog_purged", "position_not_proven"} & set(refusals(plan)), sentences(plan)
    fault.silent()
    fault.judge()


@pytest.mark.faults("B26")
def test_switchover__the_old_active_site_dies_in_the_middle__named_and_the_survivor_is_safe(fault: Fault) -> None:
    """All nodes of the active side die once writes are fenced."""
    begin(fault)
    lost = [name for name in fault.nodes() if name.startswith("db-a")]
    with fault.stack.paused("worker"):
        plan = fault.ready("switchover")
        run_id = fault.start(plan)
        fences = [s["index"] for s in plan["steps"] if s["code"] == "fence"]
        sleeper = fault.stopped_at(run_id, f"after-outcome:{fences[-1] if fences else 2}")
        fault.kill(*lost)
        fault.wake(sleeper, 200)
        run = fault.carried_on(run_id, 200)
    assert run["state"] in ("failed", "needs_operator"), describe(run)
    assert run["next_action"], run
    assert "db-a" in run["outcome"] or "milan" in run["outcome"], run["outcome"]
    for site in ("a", "b"):
        fault.stack.lab.start_site(site)
    wait_for(lambda: all(fault.reach(n) == "up" for n in fault.nodes()), "all nodes to be seen", 90)
    if run["state"] == "needs_operator":
        assert fault.console.call("POST", f"/runs/{run_id}/resume", {"comment": "the site is back"}).status < 300
        run = fault.ended(run_id, 200)
    assert run["state"] in ("failed", "succeeded", "needs_operator"), describe(run)
    begin(fault)
    fault.judge()


@pytest.mark.faults("B26")
def test_failover__site_dead_under_load__loss_named_then_reprotected(fault: Fault) -> None:
    """The whole way of a lost site with the load stopped first: nothing is owed and nothing lost."""
    begin(fault)
    lost = [name for name in fault.nodes() if name.startswith("db-a")]
    fault.stop_writes()
    fault.wait_link(lambda now: now["channels"][0]["gap_transactions"] == 0, "the standby to have everything")
    fault.kill(*lost)
    fault.wait_link(lambda now: now["state"] == "broken", "the loss to be seen")
    fault.strike()
    fenced = [fault.console.node_id(name) for name in lost]
    run = fault.recovered(fault.console.run_planned("failover", attest_fenced=fenced, fence_on_return=False))
    assert run["state"] == "succeeded", describe(run)
    restart_site(fault)
    reprotect(fault)
    begin(fault)
    fault.write_on()
    fault.judge()

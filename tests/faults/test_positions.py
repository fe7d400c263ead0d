"""2b and 2c: the logs change under a run; options, big groups, appliers and doubles that mislead."""

from __future__ import annotations

import pytest

from tests.faults.fault import Fault
from tests.galera.console import Json, describe, sentences
from tests.galera.relocate import scene_pair
from tests.support.waiting import wait_for

OPTIONS = {"MASTER_CONNECT_RETRY": "7", "MASTER_HEARTBEAT_PERIOD": "3.5", "MASTER_DELAY": "0"}


def asleep_before_the_wall(fault: Fault, options: dict[str, str]) -> tuple[str, Json, object]:
    """A worker that has located and cleaned, and sleeps before its first CHANGE MASTER; (run, plan, worker)."""
    plan = fault.ready(**options)
    run_id = fault.start(plan)
    wall = next(s["index"] for s in plan["steps"] if s["code"] == "change_source")
    return run_id, plan, fault.stopped_at(run_id, f"step-start:{wall}")


def woken(fault: Fault, run_id: str, sleeper: object) -> Json:
    """The worker goes on; the run's end."""
    fault.wake(sleeper, 120)
    return fault.carried_on(run_id)


@pytest.mark.quick
@pytest.mark.faults("B15")
def test_binlog__rotated_before_the_statement__still_the_same_place(fault: Fault) -> None:
    """A position is a file and an offset: newer files do not matter."""
    with fault.stack.paused("worker"):
        run_id, plan, sleeper = asleep_before_the_wall(fault, fault.other_pair())
        for _ in range(3):
            fault.sql(plan["target"]["source_name"], "FLUSH BINARY LOGS")
        fault.succeeded(woken(fault, run_id, sleeper))
    fault.judge()


@pytest.mark.quick
@pytest.mark.faults("B14")
def test_binlog__purged_before_the_statement__refused_and_the_way_on_is_named(fault: Fault) -> None:
    """The file of the proven place is deleted the moment before CHANGE MASTER: it is not sent."""
    with fault.stack.paused("worker"):
        run_id, plan, sleeper = asleep_before_the_wall(fault, fault.other_pair())
        source = plan["target"]["source_name"]
        fault.sql(source, "FLUSH BINARY LOGS")
        newest = fault.sql(source, "SHOW MASTER STATUS")[0]["File"]
        wait_for(lambda: has_purged(fault, source, newest), "what reads the old file to come to the new one")
        run = woken(fault, run_id, sleeper)
    after(fault, run)


@pytest.mark.faults("B16")
def test_binlog__reset_before_the_statement__same_name_other_content_refused(fault: Fault) -> None:
    """What RESET MASTER leaves (a member of a cluster refuses it): the same file name stands for something else."""
    with fault.stack.paused("worker"):
        run_id, plan, sleeper = asleep_before_the_wall(fault, fault.other_pair())
        source = plan["target"]["source_name"]
        fault.stack.lab.stop(source)
        for old in fault.stack.lab.paths.datadir(source).glob("binlog.*"):
            old.unlink()
        fault.stack.lab.start(source)
        wait_for(lambda: fault.reach(source) == "up", "the new source to be seen")
        run = woken(fault, run_id, sleeper)
    after(fault, run)


@pytest.mark.faults("C19")
def test_binlog__a_byte_flipped_before_the_statement__damage_is_not_taken_for_the_end(fault: Fault) -> None:
    """The group that ends at the place is damaged on disk: the server itself reports it, and nothing is sent."""
    with fault.stack.paused("worker"):
        plan = fault.ready(**fault.other_pair())
        run_id = fault.start(plan)
        source = plan["target"]["source_name"]
        sleeper = fault.stopped_at(run_id, "step-start:3")
        status = fault.sql(source, "SHOW MASTER STATUS")[0]
        file = fault.stack.lab.paths.datadir(source) / status["File"]
        size, span = file.stat().st_size, 200_000
        with file.open("r+b") as raw:
            raw.seek(max(4, size - span))
            damaged = bytearray(raw.read(span - 4000))
            for index in range(0, len(damaged), 64):
                damaged[index] ^= 0xFF
            raw.seek(max(4, size - span))
            raw.write(damaged)
        run = woken(fault, run_id, sleeper)
        fault.sql(source, "FLUSH BINARY LOGS")
    after(fault, run)
    newest = fault.sql(source, "SHOW MASTER STATUS")[0]["File"]
    fault.sql(source, f"PURGE BINARY LOGS TO '{newest}'")  # else the damage refuses what later tests plan on that node


def has_purged(fault: Fault, source: str, newest: str) -> bool:
    """Purge all files before this one; whether that left none."""
    fault.sql(source, f"PURGE BINARY LOGS TO '{newest}'")
    return bool(fault.sql(source, "SHOW BINARY LOGS")[0]["Log_name"] >= newest)


def after(fault: Fault, run: Json) -> None:
    """No CHANGE MASTER left; reverted, or handed over by name; then a new plan moves elsewhere or back."""
    assert run["state"] in ("failed", "needs_operator"), describe(run)
    assert not [w for w in fault.wires() if w.sql.startswith("CHANGE MASTER")], describe(run)
    if run["state"] == "needs_operator":
        assert run["next_action"]
        fault.succeeded(fault.console.run_planned("relocate", source_node=fault.console.node_id(third(fault, run))))
    fault.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    fault.judge()


def third(fault: Fault, run: Json) -> str:
    """The node of the source's side that the run neither left nor meant."""
    meant = run["target"]["source_name"]
    return next(n for n in fault.nodes() if n[:4] == meant[:4] and n != meant)


@pytest.mark.quick
@pytest.mark.faults("C16")
def test_options__set_to_uncommon_values__all_survive_the_move(fault: Fault) -> None:
    """Retry, heartbeat, ignore lists: read, written, read back."""
    _, replica = fault.pair()
    fault.sql(replica, "STOP SLAVE")
    fault.sql(replica, "CHANGE MASTER TO " + ", ".join(f"{key}={value}" for key, value in OPTIONS.items()))
    fault.sql(replica, "START SLAVE")
    fault.look_again(replica)
    fault.wait_link(lambda now: now["state"] == "protected", "the channel to run again")
    before = fault.sql(replica, "SHOW ALL SLAVES STATUS")[0]
    run = fault.succeeded(fault.ended(fault.start(fault.ready(**fault.other_pair()))))
    now = fault.sql(scene_pair(run)[1], "SHOW ALL SLAVES STATUS")[0]
    options = ("Connect_Retry", "SQL_Delay", "Replicate_Ignore_Server_Ids", "Slave_heartbeat_period", "Using_Gtid")
    assert {k: str(before[k]) for k in options} == {k: str(now[k]) for k in options}
    assert float(now["Slave_heartbeat_period"]) == 3.5
    fault.judge()


@pytest.mark.faults("C5")
def test_big_transaction__source_dies_while_the_relay_log_holds_half__only_the_executed_end_counts(
    fault: Fault,
) -> None:
    """Some 40 MB in one group, the source killed while it travels."""
    source, replica = fault.pair()
    other = fault.other(source)
    fault.sql(source, "CREATE TABLE IF NOT EXISTS bank.bulk (id INT PRIMARY KEY AUTO_INCREMENT, body LONGTEXT)")
    before = place_read(fault, replica)
    with fault.stack.chaos.during(source, kind="clear", bytes_per_s=2_000_000.0):
        with fault.stack.lab.admin(other, 120) as connection:
            cursor = connection.cursor()
            cursor.execute("BEGIN")
            for _ in range(8):
                cursor.execute("INSERT INTO bank.bulk (body) SELECT REPEAT(UUID(), 130000)")
            connection.commit()
        wait_for(lambda: place_read(fault, replica) > (before[0], before[1] + 4_000_000), "the first rows to travel")
        fault.kill(source)
    fault.strike()
    run = fault.succeeded(fault.recovered(fault.console.run_planned("relocate", limit_s=180)))
    assert scene_pair(run)[0] != source
    counts = {n: fault.sql(n, "SELECT COUNT(*) AS n FROM bank.bulk")[0]["n"] for n in fault.nodes() if fault.is_up(n)}
    wait_for(lambda: fault.sql(replica, "SELECT COUNT(*) AS n FROM bank.bulk")[0]["n"] >= 8, f"the rows: {counts}")
    fault.judge()


def place_read(fault: Fault, replica: str) -> tuple[str, int]:
    """How far its channel has read its source's log."""
    status = fault.sql(replica, "SHOW SLAVE STATUS")[0]
    return str(status["Master_Log_File"]), int(status["Read_Master_Log_Pos"])


@pytest.mark.faults("C7")
def test_parallel_applier__source_dies__every_write_exactly_once(fault: Fault) -> None:
    """Four threads, optimistic: the place where it stopped has no gap, or the plan is refused."""
    source, replica = fault.pair()
    fault.sql(replica, "STOP SLAVE")
    fault.sql(replica, "SET GLOBAL slave_parallel_threads=4")
    fault.sql(replica, "SET GLOBAL slave_parallel_mode='optimistic'")
    fault.sql(replica, "START SLAVE")
    fault.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    fault.wait_applied(replica, 20)
    fault.kill(source)
    fault.strike()
    fault.succeeded(fault.recovered(fault.console.run_planned("relocate")))
    fault.judge()
    fault.sql(replica, "STOP SLAVE")
    fault.sql(replica, "SET GLOBAL slave_parallel_threads=0")
    fault.sql(replica, "START SLAVE")


@pytest.mark.faults("C11")
def test_filters__differ_on_the_new_replica__refused(fault: Fault) -> None:
    """A table that one replica would leave out."""
    _, replica = fault.pair()
    target = fault.other(replica)
    fault.sql(target, "SET GLOBAL replicate_ignore_table='bank.transfers'")
    try:
        fault.look_again(target)
        plan = fault.console.plan(replica_node=fault.console.node_id(target))
    finally:
        fault.sql(target, "SET GLOBAL replicate_ignore_table=''")
    assert plan["state"] == "refused"
    assert "filter" in sentences(plan).lower(), sentences(plan)
    fault.silent()
    fault.judge()


@pytest.mark.faults("C23")
def test_applier__stops_on_a_conflict__broken_shown_and_no_skip_offered(fault: Fault) -> None:
    """A row that stands on the receiving side already: the console names the error and offers no skip."""
    source, replica = fault.pair()
    fault.sql(source, "CREATE TABLE IF NOT EXISTS bank.clash (id INT PRIMARY KEY)")
    wait_for(lambda: fault.sql(replica, "SHOW TABLES IN bank LIKE 'clash'"), "the table to arrive")
    number = fault.rng.randrange(10**9)
    fault.locally(replica, f"INSERT INTO bank.clash VALUES ({number})")
    fault.sql(source, f"INSERT INTO bank.clash VALUES ({number})")
    link = fault.wait_link(lambda now: now["state"] == "broken", "the conflict to show")
    assert "1062" in str(link["findings"]) or "Duplicate" in str(link["findings"]), link["findings"]
    assert "Skipping a transaction makes the two sides diverge" in str(link["findings"])
    assert "skip_counter" not in str(link).lower()
    fault.silent()
    fault.locally(replica, f"DELETE FROM bank.clash WHERE id={number}")
    fault.sql(replica, "START SLAVE")
    fault.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
    fault.judge()

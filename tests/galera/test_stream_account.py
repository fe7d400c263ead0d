"""What a person leaves out of a channel, or writes past it, is named although its threads run and nothing lags."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.galera.console import Json, assert_refused, describe
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.galera.sites import begin
from tests.support.waiting import wait_for

pytestmark = pytest.mark.reported

LEFT_OUT, NOT_FROM_SOURCE = "transactions_left_out", "transactions_not_from_source"
GOING_ROUND = "transactions_going_round"


@pytest.fixture
def table(scene: Scene) -> Iterator[str]:
    """A table on both sides, without the load's writes in between."""
    source, replica = scene.pair()
    scene.stop_writes()
    name = "bank.accounted"
    scene.sql(source, f"CREATE TABLE IF NOT EXISTS {name} (id INT PRIMARY KEY)")
    scene.sql(source, f"INSERT INTO {name} VALUES (1)")
    wait_for(lambda: rows(scene, replica), "the table to arrive")
    scene.look_again()
    yield name
    scene.sql(scene.pair()[0], f"DROP TABLE IF EXISTS {name}")


def rows(scene: Scene, node: str) -> list[int]:
    """The numbers that stand there; none while there is no table."""
    if not scene.sql(node, "SHOW TABLES FROM bank LIKE 'accounted'"):
        return []
    return [row["id"] for row in scene.sql(node, "SELECT id FROM bank.accounted ORDER BY id")]


def finding(shown: Json, code: str) -> Json:
    """That of the link or plan; empty if it has none."""
    return next((one for one in shown["findings"] if one["code"] == code), {})


def told(scene: Scene, code: str, count: int) -> Json:
    """The finding, once the link's page has it, and it names so many."""
    link = scene.wait_link(lambda now: finding(now, code), f"{code} to be told")
    found = finding(link, code)
    assert found["facts"]["count"] == count, found
    assert link["state"] == "degraded"
    assert "in sync" not in link["sentence"], link["sentence"]
    assert link["readiness"]["switchover"]["state"] == "blocked"
    return found


def bring_in(scene: Scene, table: str, *numbers: int) -> None:
    """On each node of the receiving side, as the remedy says: no log holds it."""
    side = scene.pair()[1][:4]
    for node in (name for name in scene.nodes() if name.startswith(side)):
        with scene.stack.lab.admin(node) as session:
            cursor = session.cursor()
            cursor.execute("SET SESSION wsrep_on=OFF, sql_log_bin=0")
            cursor.execute(f"INSERT INTO {table} VALUES {', '.join(f'({number})' for number in numbers)}")
            session.commit()


@contextmanager
def settled(scene: Scene) -> Iterator[None]:
    """What was named is settled afterwards, so that the next scenario begins with a sound link."""
    yield
    scene.settle_transactions()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")


def test_transaction_skipped_by_hand__named_and_no_switchover_until_it_is_settled(scene: Scene, table: str) -> None:
    source, replica = scene.pair()
    with settled(scene):
        bring_in(scene, table, 100)
        scene.sql(source, f"INSERT INTO {table} VALUES (99), (100)")
        scene.wait_link(lambda now: now["state"] == "broken", "the channel to stop")
        scene.sql(replica, "SET GLOBAL sql_slave_skip_counter=1")
        scene.start_channel(replica)
        found = told(scene, LEFT_OUT, 1)
        assert f"of {source}" in found["message"]
        assert_refused(scene.console.plan("switchover"), LEFT_OUT, "lacks 1 transaction")
        plan = scene.console.plan("relocate", source_node=scene.console.node_id(scene.other(source)))
        assert finding(plan, LEFT_OUT)["severity"] == "warning", plan["findings"]
        assert (rows(scene, source), rows(scene, replica)) == ([1, 99, 100], [1, 100])
        bring_in(scene, table, 99)


def test_pointed_to_a_later_place__what_was_left_out_is_named(scene: Scene, table: str) -> None:
    source, replica = scene.pair()
    with settled(scene):
        scene.stop_channel(replica)
        scene.sql(source, f"INSERT INTO {table} VALUES (2)")
        scene.sql(source, f"INSERT INTO {table} VALUES (3)")
        end = scene.log_end(source)
        scene.sql(replica, f"CHANGE MASTER TO MASTER_LOG_FILE='{end.file}', MASTER_LOG_POS={end.position}")
        scene.start_channel(replica)
        scene.sql(source, f"INSERT INTO {table} VALUES (4)")
        told(scene, LEFT_OUT, 2)
        wait_for(lambda: rows(scene, replica) == [1, 4], "what follows to arrive")
        bring_in(scene, table, 2, 3)
    scene.console.relocate(replica_node=scene.console.node_id(scene.other(replica)))
    scene.sql(source, f"INSERT INTO {table} VALUES (40)")
    wait_for(lambda: all(rows(scene, node) == [1, 2, 3, 4, 40] for node in scene.nodes()), "each row once everywhere")


def test_pointed_to_another_source_behind_a_gap__named(scene: Scene, table: str) -> None:
    source, replica = scene.pair()
    other = scene.other(source)
    with settled(scene):
        scene.sql(source, f"INSERT INTO {table} VALUES (5)")
        wait_for(lambda: 5 in rows(scene, replica), "it to arrive")
        scene.look_again()
        scene.stop_channel(replica)
        scene.sql(source, f"INSERT INTO {table} VALUES (6)")
        wait_for(lambda: 6 in rows(scene, other), "it to be everywhere")
        end, port = scene.log_end(other), scene.sql(other, "SELECT @@port AS p")[0]["p"]
        host = next(node.host for node in scene.stack.lab.nodes if node.name == other)
        scene.sql(
            replica,
            f"CHANGE MASTER TO MASTER_HOST='{host}', MASTER_PORT={port}, MASTER_LOG_FILE='{end.file}', "
            f"MASTER_LOG_POS={end.position}",
        )
        scene.start_channel(replica)
        scene.sql(source, f"INSERT INTO {table} VALUES (7)")
        told(scene, LEFT_OUT, 1)
        bring_in(scene, table, 6)


def test_filter_of_one_table_set_and_taken_back__what_a_transaction_lacks_is_named(scene: Scene, table: str) -> None:
    source, replica = scene.pair()
    kept = "bank.kept"
    scene.sql(source, f"CREATE TABLE {kept} (id INT PRIMARY KEY)")
    wait_for(lambda: scene.sql(replica, "SHOW TABLES FROM bank LIKE 'kept'"), "the table to arrive")
    with settled(scene):
        scene.stop_channel(replica)
        scene.sql(replica, f"SET GLOBAL replicate_ignore_table='{table}'")
        scene.start_channel(replica)
        scene.sql(source, f"BEGIN; INSERT INTO {table} VALUES (30); INSERT INTO {kept} VALUES (30); COMMIT")
        wait_for(lambda: scene.sql(replica, f"SELECT id FROM {kept}"), "what is not ignored to arrive")
        scene.look_again()
        scene.stop_channel(replica)
        scene.sql(replica, "SET GLOBAL replicate_ignore_table=''")
        scene.start_channel(replica)
        found = told(scene, LEFT_OUT, 1)
        assert f"(without {table})" in found["message"], found
        assert 30 not in rows(scene, replica)
        bring_in(scene, table, 30)
    scene.sql(source, f"DROP TABLE {kept}")


def test_row_under_an_id_of_neither_side__going_round_told_and_ended_as_the_remedy_says(
    scene: Scene, table: str
) -> None:
    source, replica = scene.pair()
    round_table = "bank.going_round"
    scene.sql(source, f"CREATE TABLE {round_table} (n INT)")
    wait_for(lambda: scene.sql(replica, "SHOW TABLES FROM bank LIKE 'going_round'"), "the table to arrive")
    scene.look_again()
    with scene.stack.lab.admin(source) as session:
        cursor = session.cursor()
        cursor.execute("SET SESSION server_id=78")
        cursor.execute(f"INSERT INTO {round_table} VALUES (1)")
        session.commit()
    link = scene.wait_link(lambda now: finding(now, GOING_ROUND), "the round to be told", 120)
    assert link["state"] == "degraded", link
    assert finding(link, GOING_ROUND)["facts"]["server_ids"] == [78]
    back = next(one["replica_name"] for one in link["channels"] if one["direction"] == "reverse" and not one["stray"])
    ids = scene.sql(back, "SHOW ALL SLAVES STATUS")[0]["Replicate_Ignore_Server_Ids"]
    scene.stop_channel(back)
    scene.sql(back, f"CHANGE MASTER TO IGNORE_SERVER_IDS=({ids}, 78)")
    scene.start_channel(back)
    scene.wait_link(lambda now: not finding(now, GOING_ROUND), "the round to have ended", 180)
    counted = f"SELECT COUNT(*) AS n FROM {round_table}"
    wait_for(lambda: len({scene.sql(node, counted)[0]["n"] for node in scene.nodes()}) == 1, "all nodes to be alike")
    link = scene.wait_link(lambda now: finding(now, "rows_may_differ"), "its copies to be asked for")
    assert link["state"] == "degraded", link
    scene.sql(source, f"DROP TABLE {round_table}")
    scene.settle_settings()
    scene.wait_link(lambda now: not finding(now, "rows_may_differ"), "the settlement to be seen")
    scene.stack.is_given_up = True  # its logs hold an id of neither side


def test_rows_written_under_a_server_id_of_the_other_side__named(scene: Scene, table: str) -> None:
    source, replica = scene.pair()
    other = scene.other(source)
    server_id = scene.sql(replica, "SELECT @@server_id AS i")[0]["i"]
    with settled(scene):
        with scene.stack.lab.admin(other) as connection, connection.cursor() as cursor:
            cursor.execute(f"SET SESSION server_id={server_id}")
            cursor.execute(f"INSERT INTO {table} VALUES (9)")
        found = told(scene, NOT_FROM_SOURCE, 1)
        assert found["facts"]["direction"] == "reverse"
        assert (9 in rows(scene, source), 9 in rows(scene, replica)) == (True, False)
        bring_in(scene, table, 9)


STATEMENTS = """
CREATE TABLE {0} (id INT PRIMARY KEY, v INT, w VARCHAR(2000))
CREATE TABLE IF NOT EXISTS {0} (id INT PRIMARY KEY)
DROP TABLE IF EXISTS bank.not_there
INSERT INTO {0} VALUES (1, 1, ''), (2, 2, '')
UPDATE {0} SET v = v
UPDATE {0} SET v = v + 1
DELETE FROM {0} WHERE id = 99
ALTER TABLE {0} ADD COLUMN x INT
CREATE INDEX by_v ON {0} (v)
ANALYZE TABLE {0}
OPTIMIZE TABLE {0}
FLUSH TABLES
CREATE TABLE {0}_copied SELECT * FROM {0}
CREATE VIEW {0}_view AS SELECT * FROM {0}
CREATE EVENT {0}_event ON SCHEDULE EVERY 1 DAY DO DELETE FROM {0} WHERE id = 77
ALTER EVENT {0}_event COMMENT 'changed'
CREATE PROCEDURE {0}_fill() INSERT INTO {0} (id) VALUES (50)
CALL {0}_fill()
TRUNCATE {0}_copied
RENAME TABLE {0}_copied TO {0}_renamed
CREATE TABLE {0}_myisam (id INT) ENGINE=MyISAM
INSERT INTO {0}_myisam VALUES (1)
DROP EVENT {0}_event
DROP PROCEDURE {0}_fill
DROP VIEW {0}_view
DROP TABLE {0}, {0}_renamed, {0}_myisam
"""


def accounts(scene: Scene) -> Json:
    """Of both directions."""
    listed = scene.console.get(f"/links/{scene.console.link()['id']}/unaccounted")
    return {direction: listed[direction] for direction in ("forward", "reverse")}


def are_kept(scene: Scene) -> bool:
    """Whether both directions are accounted for."""
    return all(one["until"] for one in accounts(scene).values())


def begun(scene: Scene) -> None:
    """Under load, both directions are accounted for."""
    if not scene.stack.lab.load_status()["running"]:
        scene.write_on()
    wait_for(lambda: are_kept(scene), "both accounts to begin")


def nothing_is_named(scene: Scene) -> None:
    """After two looks more, in both directions; every write of the load once on every node."""
    scene.wait_writes()
    scene.look_again()
    wait_for(lambda: are_kept(scene), "both accounts to go on", seen=lambda _: accounts(scene))
    assert [one["transactions"] for one in accounts(scene).values()] == [[], []], accounts(scene)
    assert not finding(scene.console.link(), "rows_may_differ"), scene.console.link()["findings"]
    scene.stop_writes()
    scene.judge()


def test_statements_of_every_kind_on_source_and_neighbour__nothing_is_named(scene: Scene) -> None:
    begun(scene)
    source, _ = scene.pair()
    for node in (source, scene.other(source)):
        scene.sql(node, "SET GLOBAL binlog_alter_two_phase=ON")
        for statement in STATEMENTS.strip().splitlines():
            scene.sql(node, statement.format(f"bank.of_{node.replace('-', '_')}"))
        scene.sql(node, "SET GLOBAL binlog_alter_two_phase=OFF")
    nothing_is_named(scene)


def test_moves_under_load__nothing_is_named_and_the_account_goes_on(scene: Scene) -> None:
    begun(scene)
    for end in (0, 1):
        lost = scene.pair()[end]
        scene.kill(lost)
        run = scene.console.run(wait_for(lambda: ready(scene), "a plan to be ready"))
        assert run["verification"]["verdict"] == "verified", describe(run)
        assert scene_pair(run)[end] != lost
        scene.stack.lab.start(lost)
        scene.heal()
    for kind in ("switchover", "failback"):
        run = scene.console.run_planned(kind)
        assert run["verification"]["verdict"] == "verified", describe(run)
        scene.wait_writes()
        scene.look_again()
    nothing_is_named(scene)


def ready(scene: Scene) -> Json | None:
    """A relocate that can be run, once the dead node is expelled."""
    plan = scene.console.plan("relocate")
    return plan if plan["state"] == "ready" else None


def test_pointed_behind_a_purge_that_nobody_saw__told_until_a_person_has_compared(scene: Scene, table: str) -> None:
    """What a DBA does after error 1236; the log that would show what was left out is gone before it is read."""
    source, replica = scene.pair()
    scene.stop_channel(replica)
    scene.look_again()
    scene.stack.hold_monitors()
    for number in (2, 3):
        scene.sql(source, f"INSERT INTO {table} VALUES ({number})")
    scene.sql(source, "FLUSH BINARY LOGS")
    scene.sql(source, f"PURGE BINARY LOGS TO '{scene.log_end(source).file}'")
    scene.stack.renew_monitors()
    scene.look_again()
    scene.sql(replica, f"CHANGE MASTER TO MASTER_LOG_FILE='{scene.log_end(source).file}', MASTER_LOG_POS=4")
    scene.start_channel(replica)
    scene.sql(source, f"INSERT INTO {table} VALUES (4)")
    wait_for(lambda: rows(scene, replica) == [1, 4], "what follows to arrive")
    link = scene.wait_link(lambda now: finding(now, "rows_may_differ"), "it to be told")
    assert f"The log of {source} was not read from " in finding(link, "rows_may_differ")["message"]
    assert_refused(scene.console.plan("switchover"), "rows_may_differ", "was not read")
    bring_in(scene, table, 2, 3)
    scene.settle_settings()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")


def test_statement_of_a_session__told_of_the_node_that_wrote_it(scene: Scene, table: str) -> None:
    """Each server executes it for itself: here each has another row."""
    source, _ = scene.pair()
    with scene.stack.lab.admin(source) as session:
        cursor = session.cursor()
        cursor.execute("SET SESSION binlog_format=STATEMENT")
        cursor.execute(f"INSERT INTO {table} SELECT 10 + @@server_id")
        session.commit()
    link = scene.wait_link(lambda now: finding(now, "rows_may_differ"), "it to be told")
    assert f"{source} had binlog_format=STATEMENT in a session" in finding(link, "rows_may_differ")["message"]
    scene.settle_settings()
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected")


@pytest.mark.parametrize("end", ["source", "replica"])
def test_node_restarted__the_account_goes_on_behind_its_start(scene: Scene, end: str) -> None:
    """A start leaves a file of its own (--wsrep-recover) and begins another one."""
    begin(scene)  # no run fenced the standby: a node that is started again is writable
    begun(scene)
    lost = dict(zip(("source", "replica"), scene.pair(), strict=True))[end]
    before = {direction: one["since"] for direction, one in accounts(scene).items()}
    scene.kill(lost)
    scene.stack.lab.start(lost)
    scene.wait_link(lambda now: now["state"] == "protected", "the link to be protected", 120)
    scene.wait_writes()
    scene.look_again()
    assert {direction: one["since"] for direction, one in accounts(scene).items()} == before
    nothing_is_named(scene)

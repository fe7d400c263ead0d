"""Real servers log one transaction in several ways; its content is the same wherever they do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from backend.core.binlog.content import are_same
from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, groups_from
from backend.core.binlog.logs import log_of
from backend.gateway.connection.endpoint import ClusterAccess
from backend.gateway.inspection import inspect_cluster
from backend.gateway.polling.parallel import SessionPool, observe_once
from backend.gateway.reader import Reader
from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from tests.gateway.lab import access, lab_of
from tests.gateway.orphan_statements import end_of_log
from tests.support.waiting import wait_for

A_SIDE, REPLICA = ("db-a1", "db-a2", "db-a3"), "db-b1"
WRITER = "db-a3"
"""Neither the channel's source, db-a1, nor the node that takes its place."""
TABLES = (
    "CREATE TABLE bank.orders (id INT PRIMARY KEY, note VARCHAR(600))",
    "CREATE TABLE bank.order_log (id INT AUTO_INCREMENT PRIMARY KEY, order_id INT)",
    (
        "CREATE TRIGGER bank.order_ai AFTER INSERT ON bank.orders FOR EACH ROW"
        " INSERT INTO bank.order_log (order_id) VALUES (NEW.id)"
    ),
    "CREATE TABLE bank.parents (id INT PRIMARY KEY, v INT)",
    (
        "CREATE TABLE bank.children (id INT PRIMARY KEY, parent INT, v INT,"
        " FOREIGN KEY (parent) REFERENCES bank.parents (id) ON DELETE CASCADE)"
    ),
    "CREATE TABLE bank.notes (id INT PRIMARY KEY, v INT) ENGINE=MyISAM",
    "CREATE TABLE bank.pages (id INT PRIMARY KEY, v INT) ENGINE=Aria",
    "INSERT INTO bank.parents VALUES (1, 0), (2, 0)",
    "INSERT INTO bank.children VALUES (1, 1, 0), (2, 2, 0)",
)
WRITTEN = (
    "INSERT INTO bank.orders VALUES (1, REPEAT('x', 500)), (2, 'y')",
    "UPDATE bank.parents p, bank.children c SET p.v = p.v + 1, c.v = c.v + 1 WHERE c.parent = p.id",
    "UPDATE bank.orders SET note = REPEAT('z', 400) WHERE id = 1",
    "DELETE FROM bank.parents WHERE id = 1",
    "INSERT INTO bank.notes VALUES (1, 1), (2, 2)",
    "UPDATE bank.notes SET v = 5 WHERE id = 1",
    "INSERT INTO bank.pages VALUES (1, 1)",
    "DELETE FROM bank.orders",
)


@pytest.fixture(scope="module")
def wide() -> Iterator[Lab]:
    """Three nodes at site a, one at site b, with these tables; rows outside InnoDB are replicated in total order."""
    with lab_of(Settings(sizes=(3, 1), overrides={"wsrep_mode": "REPLICATE_MYISAM,REPLICATE_ARIA"})) as made:
        for statement in TABLES:
            made.sql("db-a1", statement)
        yield made


def restart_with(lab: Lab, name: str, *options: str) -> None:
    """Restart a node with more lines in its configuration."""
    file = lab.paths.config(name)
    file.write_text(file.read_text() + "\n".join(options) + "\n")
    alone = name == REPLICA
    lab.stop(name)
    lab.start(name, bootstrap=alone)


def groups_behind(lab: Lab, name: str, start: object) -> list[Group]:
    """What a node logged of site a's writes."""
    there = access(lab, name)
    reader = Reader(there.ref, there.monitor)
    try:
        log = log_of(reader, observe_once(there, SessionPool()))
        found = list(groups_from(Cursor(log), start))  # type: ignore[arg-type]
    finally:
        reader.close()
    return [group for group in found if group.server_id == lab.node(WRITER).server_id]


def assert_told_alike(lab: Lab) -> None:
    """Everything written through the third node, in every log that has it."""
    starts = {name: end_of_log(lab, name) for name in (*A_SIDE, REPLICA)}
    for statement in WRITTEN:
        lab.sql(WRITER, statement)

    def has_arrived() -> bool:
        return all(len(groups_behind(lab, name, start)) == len(WRITTEN) for name, start in starts.items())

    wait_for(has_arrived, "every node to log what was written")
    reported = {name: [group.content for group in groups_behind(lab, name, start)] for name, start in starts.items()}
    for name in A_SIDE[:2]:
        assert are_same(reported[name], reported[REPLICA]), (name, reported)


def undo_writes(lab: Lab) -> None:
    """The tables as they were."""
    for table in ("notes", "pages", "order_log"):
        lab.sql(WRITER, f"TRUNCATE TABLE bank.{table}")
    lab.sql(WRITER, "REPLACE INTO bank.parents VALUES (1, 0)")
    lab.sql(WRITER, "REPLACE INTO bank.children VALUES (1, 1, 0)")
    wait_for(lambda: all(is_undone(lab, name) for name in (*A_SIDE, REPLICA)), "every node to have undone it")


def is_undone(lab: Lab, name: str) -> bool:
    """Whether a node has the tables as they were."""
    emptied = [lab.sql(name, f"SELECT 1 FROM bank.{table} LIMIT 1") for table in ("notes", "pages", "order_log")]
    put_back = [
        lab.sql(name, f"SELECT 1 FROM bank.{table} WHERE id = 1 AND v = 0") for table in ("parents", "children")
    ]
    return not any(emptied) and all(put_back)


def test_content__triggers_cascades_several_tables_and_myisam__same_on_every_node(wide: Lab) -> None:
    assert_told_alike(wide)
    undo_writes(wide)


def test_inspect_cluster__tables_outside_innodb__named_with_where_their_rows_stand(wide: Lab) -> None:
    wide.sql(WRITER, "INSERT INTO bank.notes VALUES (9, 9)")
    shape = ClusterAccess("c_a", "milan", "a", tuple(access(wide, name) for name in A_SIDE))
    (found,) = [f for f in inspect_cluster(shape) if f.code == "tables_outside_innodb"]
    assert "bank.notes (MyISAM; 1 row on db-a1, db-a2, db-a3)" in found.message
    assert "bank.pages (Aria" in found.message
    assert "wsrep_mode replicates" in found.message
    wide.sql(WRITER, "DELETE FROM bank.notes")


def test_content__settings_differ_from_node_to_node__same_as_far_as_both_tell(wide: Lab) -> None:
    restart_with(wide, "db-a2", "binlog_row_image = MINIMAL", "binlog_row_metadata = FULL")
    restart_with(wide, REPLICA, "log_bin_compress = ON", "replicate_annotate_row_events = OFF")
    assert_told_alike(wide)

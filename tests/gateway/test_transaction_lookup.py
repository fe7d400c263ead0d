"""Looking a transaction up on real servers: every criterion, several files, a purged one, both sides."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from backend.core.lookup.applied import Presence
from backend.core.lookup.lookup import LookedUp, Lookup, LookupQuestion, look_up
from backend.core.lookup.model import Criteria, LookupLimits, Neighbour, NodeState
from backend.core.positions import FilePosition
from backend.gateway.binlog_dump import file_created_at
from backend.gateway.connection.endpoint import LinkAccess
from backend.gateway.gateway import NodeGateway
from backend.gateway.transaction_lookup import node_search
from backend.gateway.transaction_rows import read_transaction
from deploy.lab.api import Lab
from tests.gateway.lab import endpoint, link_access, reset
from tests.gateway.orphan_statements import end_of_log, run
from tests.support.waiting import wait_for

pytestmark = pytest.mark.server
STATEMENTS = (
    "INSERT INTO shop.orders VALUES (1, 'first'), (2, 'second')",
    "UPDATE shop.orders SET name = 'changed' WHERE id = 1",
    "ALTER TABLE shop.orders ADD KEY by_name (name)",
    "INSERT INTO shop.lines VALUES (1, 'x')",
    "INSERT INTO shop.lines VALUES (2, 'y')",
    "DELETE FROM shop.orders WHERE id = 2",
)


@dataclass
class Written:
    """What was written on a1, with its position afterwards, and the times before and after."""

    lab: Lab
    gateway: NodeGateway
    ends: dict[str, FilePosition] = field(default_factory=dict)
    began_s: int = 0

    def look_up(self, criteria: Criteria, **more: object) -> Lookup:
        """As the console does."""
        link = self.gateway.observe_link()
        search = node_search(self.gateway, link, lambda node_id, at_s: None)
        return look_up(link, LookupQuestion(criteria, **more), search)  # type: ignore[arg-type]

    def only(self, criteria: Criteria, **more: object) -> LookedUp:
        """The one transaction found."""
        (found,) = self.look_up(criteria, **more).transactions
        return found


def registered(lab: Lab) -> LinkAccess:
    """The lab's link with nodes that name their cluster by its id."""
    shape = link_access(lab)
    sides = []
    for side in (shape.active, shape.standby):
        nodes = tuple(replace(one, ref=replace(one.ref, cluster_id=side.id)) for one in side.nodes)
        sides.append(replace(side, nodes=nodes))
    return replace(shape, active=sides[0], standby=sides[1])


@pytest.fixture(scope="module")
def written(lab: Lab) -> Iterator[Written]:
    """Each statement in a file of its own on a1; b1 applies them by its channel, a2 by Galera."""
    reset(lab)
    made = Written(lab, NodeGateway(registered(lab)), began_s=int(time.time()))
    run(lab, "db-a1", "CREATE DATABASE shop")
    for table in ("orders", "lines"):
        run(lab, "db-a1", f"CREATE TABLE shop.{table} (id INT PRIMARY KEY, name VARCHAR(20)) ENGINE=InnoDB")
    for statement in STATEMENTS:
        run(lab, "db-a1", statement)
        made.ends[statement] = end_of_log(lab, "db-a1")
        run(lab, "db-a1", "FLUSH BINARY LOGS")
    run(lab, "db-b1", "START ALL SLAVES")
    wait_for(lambda: bool(lab.sql("db-b1", "SELECT 1 FROM shop.lines WHERE id = 2")), "the row at the other site")
    wait_for(lambda: not lab.sql("db-b1", "SELECT 1 FROM shop.orders WHERE id = 2"), "the row at the other site")
    yield made
    made.gateway.close()
    reset(lab)


def states(found: LookedUp) -> dict[str, str]:
    return {location.node_id: location.state.value for location in found.nodes}


def held(found: LookedUp) -> tuple[Presence, ...]:
    return tuple(side.held for side in found.sides)


def everywhere(found: LookedUp) -> None:
    assert states(found) == dict.fromkeys(("db-a1", "db-a2", "db-b1"), "found"), [p.detail for p in found.nodes]
    assert held(found) == (Presence.YES, Presence.YES), found.sides
    assert [side.is_origin for side in found.sides] == [True, False]


def test_file__its_first_event_tells_when_it_was_begun(written: Written) -> None:
    monitor = endpoint(written.lab, "db-a1", "monitor")
    times = [file_created_at("db-a1", monitor, row["Log_name"]) for row in written.lab.sql("db-a1", "SHOW BINARY LOGS")]
    assert times == sorted(times)
    assert abs(times[-1] - time.time()) < 120


@pytest.mark.parametrize("statement", STATEMENTS)
def test_position__any_kind_of_statement__on_each_node_and_applied_at_the_other_side(
    written: Written, statement: str
) -> None:
    """The end of a file has no group behind it, so that the position names one."""
    found = written.only(Criteria(position=written.ends[statement]), node_id="db-a1")
    everywhere(found)
    seen = found.transaction.seen
    assert seen.group.end_position == written.ends[statement]
    assert seen.texts[0].endswith(statement)
    assert seen.rows == {"INSERT INTO shop.orders": 2, "ALTER TABLE shop.orders": 0}.get(
        " ".join(statement.split()[:3]), 1
    )


def test_xid__of_its_cluster__found_under_another_number_at_the_other_side(written: Written) -> None:
    first = written.only(Criteria(position=written.ends[STATEMENTS[1]]), node_id="db-a1")
    xid = first.transaction.seen.group.xid
    found = written.only(Criteria(xid=xid), cluster_id=first.nodes[0].cluster_id)
    everywhere(found)
    (other,) = (location.location for location in found.nodes if location.node_id == "db-b1")
    assert other is not None
    assert other.match.found.at_s == found.transaction.seen.at_s
    assert other.match.found.group.tables == ("shop.orders",)


def test_gtid__time__table__text__server_id__the_same_transaction(written: Written) -> None:
    first = written.only(Criteria(position=written.ends[STATEMENTS[3]]), node_id="db-a1").transaction.seen
    group = first.group
    now = int(time.time())
    same = (
        Criteria(gtid=group.gtid, table="shop.lines"),
        Criteria(since_s=written.began_s - 400, until_s=now, text="insert into shop.lines values (1,"),
        Criteria(server_id=group.server_id, table="shop.lines", text="(1, 'x')"),
    )
    for criteria in same:
        found = written.only(criteria)
        everywhere(found)
        assert found.transaction.seen.group.end_position == group.end_position


def test_neighbours__in_each_log__are_those_that_stand_there(written: Written) -> None:
    found = written.only(Criteria(text="INSERT INTO shop.lines VALUES (1,"))
    location = found.transaction.on_node("db-b1")
    assert location is not None
    assert location.match.before_is is location.match.after_is is Neighbour.GROUP
    assert location.match.before is not None
    assert location.match.after is not None
    assert location.match.before.texts[0].endswith(STATEMENTS[2])
    assert location.match.after.texts[0].endswith(STATEMENTS[4])


def test_limits__small__continued_until_all_was_read(written: Written) -> None:
    limits = LookupLimits(matches=1)
    criteria, found, resume = Criteria(table="shop.lines", server_id=written.lab.node("db-a1").server_id), [], None
    for _ in range(10):
        page = written.look_up(criteria, limits=limits, node_id="db-a1", resume=resume)
        found += [one.transaction.seen.texts[0] for one in page.transactions]
        resume = page.resume
        if not resume:
            break
    assert [text.split(" ")[0] for text in found if "INSERT" in text] == ["INSERT", "INSERT"]
    assert resume == {}


def test_not_yet_applied__no__and_unknown_where_the_log_was_purged(written: Written) -> None:
    lab = written.lab
    run(lab, "db-b1", "STOP ALL SLAVES")
    run(lab, "db-a1", "INSERT INTO shop.lines VALUES (9, 'late')")
    run(lab, "db-b1", "FLUSH BINARY LOGS")
    found = written.only(Criteria(text="(9, 'late')"))
    assert states(found)["db-b1"] == NodeState.UNKNOWN.value
    assert held(found) == (Presence.YES, Presence.UNKNOWN)
    evidence = {one.family: one.agrees for one in found.sides[1].evidence}
    assert evidence == {"executed": False}
    run(lab, "db-a1", "SET TIMESTAMP = UNIX_TIMESTAMP() + 900", "INSERT INTO shop.lines VALUES (10, 'later')")
    assert held(written.only(Criteria(text="(10, 'later')"))) == (Presence.YES, Presence.NO)
    run(lab, "db-a1", f"PURGE BINARY LOGS TO '{end_of_log(lab, 'db-a1').file}'")
    gone = written.look_up(Criteria(position=written.ends[STATEMENTS[0]]), node_id="db-a1")
    assert [(one.state, one.code) for one in gone.answers] == [(NodeState.UNKNOWN, "log_purged")]
    run(lab, "db-b1", "START ALL SLAVES")
    wait_for(lambda: bool(lab.sql("db-b1", "SELECT 1 FROM shop.lines WHERE id = 9")), "the row at the other site")
    assert held(written.only(Criteria(text="(9, 'late')"))) == (Presence.YES, Presence.YES)


def test_rows__with_their_values__or_why_not(written: Written) -> None:
    lab = written.lab
    run(lab, "db-a1", "SET SESSION sql_log_bin=0", "GRANT REFERENCES ON *.* TO 'hawser_monitor'@'%'")
    group = written.only(Criteria(text="INSERT INTO shop.lines VALUES (9,")).transaction.seen.group
    link = written.gateway.observe_link()
    read = read_transaction(written.gateway, link, "db-a1", group.begin_position)
    assert (read.row_count, read.end, read.detail) == (1, group.end_position, "")
    assert [row.after for row, _ in read.rows] == [(9, b"late")]
    inside = FilePosition(group.file, group.start + 1)
    assert "unknown" in read_transaction(written.gateway, link, "db-a1", inside).detail
    gone = FilePosition("binlog.000001", 4)
    assert "does not retain" in read_transaction(written.gateway, link, "db-a1", gone).detail


def test_no_right_to_dump__named_with_its_grant(written: Written) -> None:
    lab = written.lab
    run(lab, "db-a2", "SET SESSION sql_log_bin=0", "REVOKE REPLICATION SLAVE ON *.* FROM hawser_monitor")
    try:
        answers = [
            (a.state, a.code) for a in written.look_up(Criteria(table="shop.none")).answers if a.node_id == "db-a2"
        ]
        assert answers == [(NodeState.UNKNOWN, "not_permitted")]
    finally:
        run(lab, "db-a2", "SET SESSION sql_log_bin=0", "GRANT REPLICATION SLAVE ON *.* TO hawser_monitor")


def test_node_down__unknown__the_others_answer(written: Written) -> None:
    link = written.gateway.observe_link()
    nodes = tuple(
        replace(node, reach="down", error="refused") if node.node.id == "db-a2" else node for node in link.active.nodes
    )
    link = replace(link, active=replace(link.active, nodes=nodes))
    asked = LookupQuestion(Criteria(text="(9, 'late')"))
    (found,) = look_up(link, asked, node_search(written.gateway, link, lambda node_id, at_s: None)).transactions
    assert states(found) == {"db-a1": "found", "db-a2": "unknown", "db-b1": "found"}

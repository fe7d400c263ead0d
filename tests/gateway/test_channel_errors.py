"""A channel that stopped on a row: what is told of it on real servers, and that the statements shown fix it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from backend.core.channel_errors.model import ChannelErrorReport, ErrorState, WayOn
from backend.core.topology import Direction
from backend.gateway.failed_transaction import read_channel_error
from backend.gateway.gateway import NodeGateway
from deploy.lab.api import Lab
from tests.gateway.lab import link_access, reset
from tests.gateway.orphan_statements import end_of_log, purge_to_end, run
from tests.support.waiting import wait_for

pytestmark = pytest.mark.server
UNLOGGED = "SET SESSION sql_log_bin=0"
TABLES = {
    "shop.keyed": ", PRIMARY KEY (id), UNIQUE KEY (name)",
    "shop.keyless": "",
    "hidden.t": ", PRIMARY KEY (id)",
}
COLUMNS = "id INT, name VARCHAR(20), amount DECIMAL(10,2), at TIMESTAMP NULL"


@dataclass
class Sites:
    """Both sides of the lab as a link, a active, with two channels between a1 and b1."""

    lab: Lab
    gateway: NodeGateway

    def report(self, direction: Direction = Direction.FORWARD) -> ChannelErrorReport:
        """As the console tells it."""
        return read_channel_error(self.gateway, self.gateway.observe_link(), direction)

    def on_a(self, *statements: str) -> None:
        """As the application writes."""
        run(self.lab, "db-a1", *statements)

    def only_on_b(self, *statements: str) -> None:
        """Behind the back of the other side."""
        run(self.lab, "db-b1", UNLOGGED, *statements)

    def status(self) -> dict[str, str]:
        """Of b1's channel."""
        (found,) = [row for row in self.lab.sql("db-b1", "SHOW ALL SLAVES STATUS") if row["Master_Host"]]
        return dict(found)

    def stopped_on(self, errno: int) -> None:
        """Wait for it."""
        self._wait(lambda now: now["Slave_SQL_Running"] == "No" and int(now["Last_SQL_Errno"]) == errno)

    def start(self) -> None:
        """The channel applies all of a's log."""
        run(self.lab, "db-b1", "START SLAVE")
        end = end_of_log(self.lab, "db-a1")
        position = (end.file, str(end.offset))
        self._wait(lambda now: (now["Relay_Master_Log_File"], str(now["Exec_Master_Log_Pos"])) == position)

    def _wait(self, is_so: Callable[[dict[str, str]], bool]) -> None:
        wait_for(lambda: is_so(self.status()), "the channel", seen=lambda _: self.status())

    def take(self, way: WayOn) -> None:
        """What a person does: the statements of each node in one session, the start before the source's."""
        fix = [one.sql for one in way.statements if one.node.startswith("db-b")]
        run(self.lab, "db-b1", *fix)
        self.start()
        run(self.lab, "db-a1", *[one.sql for one in way.statements if one.node.startswith("db-a")])
        self.start()

    def is_prepared(self) -> bool:
        """Whether the test before left the sites whole."""
        is_running = all(self.status()[thread] == "Yes" for thread in ("Slave_IO_Running", "Slave_SQL_Running"))
        return is_running and bool(self.lab.sql("db-b1", "SHOW DATABASES LIKE 'hidden'"))

    def everywhere(self, table: str) -> set[str]:
        """The table's contents on each of the three nodes."""
        shown = "SELECT *, UNIX_TIMESTAMP(at) AS u FROM " + table + " ORDER BY id"
        return {str(self.lab.sql(node, shown)) for node in ("db-a1", "db-a2", "db-b1")}


@pytest.fixture(scope="module")
def left_clean(lab: Lab) -> Iterator[None]:
    """For the tests behind these."""
    yield
    reset(lab)


@pytest.fixture
def sites(lab: Lab, left_clean: None) -> Iterator[Sites]:
    """Channels that run and empty tables; the operator account may read those of shop."""
    gateway = NodeGateway(link_access(lab))
    made = Sites(lab, gateway)
    if not made.is_prepared():
        reset(lab)
        for name in ("shop", "hidden"):
            run(lab, "db-a1", f"CREATE DATABASE {name}")
        for node in ("db-a1", "db-b1"):
            run(lab, node, UNLOGGED, "GRANT SELECT ON shop.* TO 'hawser_operator'@'%'")
            run(lab, node, UNLOGGED, "GRANT REFERENCES ON *.* TO 'hawser_monitor'@'%'")
    for name, keys in TABLES.items():
        run(
            lab, "db-a1", f"DROP TABLE IF EXISTS {name}", f"CREATE TABLE {name} ({COLUMNS}{keys}) ENGINE=InnoDB"
        )  # fmt: skip
    made.start()
    yield made
    gateway.close()


def ways(report: ChannelErrorReport) -> dict[str, WayOn]:
    """By code."""
    return {way.code: way for way in report.ways}


def clash(sites: Sites) -> ChannelErrorReport:
    """The same key on both sides, other values; the source's row changed again since."""
    sites.only_on_b("INSERT INTO shop.keyed VALUES (1, 'from b', 2.50, '2026-01-01 00:00:00')")
    sites.on_a("INSERT INTO shop.keyed VALUES (1, 'from a', 1.50, NULL)")
    sites.on_a("UPDATE shop.keyed SET amount = 9 WHERE id = 1")
    sites.stopped_on(1062)
    return sites.report()


def test_nothing_stopped__none(sites: Sites) -> None:
    assert sites.report().state is ErrorState.NONE
    assert sites.report(Direction.REVERSE).state is ErrorState.NONE


@pytest.mark.parametrize(("code", "name"), [("keep_source_row", "from a"), ("keep_replica_row", "from b")])
def test_row_in_the_way__each_way_mends_both_sides(sites: Sites, code: str, name: str) -> None:
    report = clash(sites)
    assert report.state is ErrorState.ROW_IN_THE_WAY, report.detail
    assert report.row is not None
    assert report.row.change.after is not None
    assert report.row.change.after[1:3] == (b"from a", "1.50")
    assert report.row.in_the_way[0][1:3] == (b"from b", "2.50")
    assert report.row.differing == ("name", "amount", "at")
    assert report.source_row.image is not None
    assert report.source_row.image[2] == "9.00"
    assert report.transaction is not None
    assert report.transaction.rows == 1
    sites.take(ways(report)[code])
    (found,) = sites.everywhere("shop.keyed")
    assert name in found


def test_row_in_the_way__mended__passes_now(sites: Sites) -> None:
    clash(sites)
    sites.only_on_b("DELETE FROM shop.keyed")
    report = sites.report()
    assert report.state is ErrorState.PASSES_NOW, report.detail
    assert list(ways(report)) == ["start"]
    sites.start()
    assert len(sites.everywhere("shop.keyed")) == 1


def test_another_row_with_the_value_of_a_second_key__shown_and_not_kept_as_the_same(sites: Sites) -> None:
    sites.only_on_b("INSERT INTO shop.keyed VALUES (7, 'TAKEN', 2.50, NULL)")
    sites.on_a("INSERT INTO shop.keyed VALUES (1, 'taken', 1.50, NULL)")
    sites.stopped_on(1062)
    report = sites.report()
    assert report.row is not None
    assert report.row.blockers[0][0] == ("name",)
    assert list(ways(report)) == ["keep_source_row"]
    sites.take(ways(report)["keep_source_row"])
    assert len(sites.everywhere("shop.keyed")) == 1


@pytest.mark.parametrize("table", ["keyed", "keyless"])
@pytest.mark.parametrize("change", ["UPDATE {} SET amount = 5 WHERE id = 1", "DELETE FROM {} WHERE id = 1"])
def test_row_missing__put_back__both_sides_alike(sites: Sites, table: str, change: str) -> None:
    name = f"shop.{table}"
    sites.on_a(f"INSERT INTO {name} VALUES (1, 'x', 1.50, '2026-03-04 05:06:07'), (2, 'y', 1.50, NULL)")
    sites.start()
    sites.only_on_b(f"DELETE FROM {name} WHERE id = 1")
    sites.on_a(change.format(name))
    sites.stopped_on(1032)
    report = sites.report()
    if "DELETE" in change and table == "keyed":
        assert report.state is ErrorState.ALREADY_APPLIED, report.detail
    else:
        assert report.state is ErrorState.ROW_MISSING, report.detail
    sites.take(ways(report)["put_row_back"])
    assert len(sites.everywhere(name)) == 1


def test_behind_its_data__already_applied(sites: Sites) -> None:
    before = end_of_log(sites.lab, "db-a1")
    sites.on_a("INSERT INTO shop.keyed VALUES (1, 'x', 1.50, NULL), (2, 'y', 1.50, NULL)")
    sites.start()
    run(
        sites.lab, "db-b1", "STOP SLAVE",
        f"CHANGE MASTER TO MASTER_LOG_FILE='{before.file}', MASTER_LOG_POS={before.offset}", "START SLAVE",
    )  # fmt: skip
    sites.stopped_on(1062)
    report = sites.report()
    assert report.state is ErrorState.ALREADY_APPLIED, report.detail
    assert [way.plan_kind for way in report.ways] == ["relocate", "start_channel"]
    assert report.transaction is not None
    assert report.transaction.rows == 2
    sites.only_on_b("DELETE FROM shop.keyed")
    sites.start()


def test_children_follow_by_cascade__no_statement_is_offered(sites: Sites) -> None:
    """Deleted to make room, the row would take its children on the replica along, and nothing brings them back."""
    sites.on_a(
        "CREATE TABLE shop.child (id INT PRIMARY KEY, parent INT, "
        "FOREIGN KEY (parent) REFERENCES shop.keyed (id) ON DELETE CASCADE) ENGINE=InnoDB"
    )
    sites.start()
    report = clash(sites)
    assert (report.state, report.ways) == (ErrorState.ROW_IN_THE_WAY, ())
    assert "shop.child" in report.detail
    sites.only_on_b("DELETE FROM shop.keyed")
    sites.start()
    sites.on_a("DROP TABLE shop.child")


def reason(sites: Sites) -> str:
    report = sites.report()
    assert (report.state, report.row, report.ways) == (ErrorState.UNKNOWN, None, ())
    return report.detail


def test_no_right_to_the_rows__unknown_names_the_grant(sites: Sites) -> None:
    sites.only_on_b("INSERT INTO hidden.t VALUES (1, 'from b', 2.50, NULL)")
    sites.on_a("INSERT INTO hidden.t VALUES (1, 'from a', 1.50, NULL)")
    sites.stopped_on(1062)
    assert "Grant SELECT on the table to the operator account of db-b1" in reason(sites)
    sites.only_on_b("DELETE FROM hidden.t")
    sites.start()


def test_log_purged__unknown_says_so(sites: Sites) -> None:
    clash(sites)
    run(sites.lab, "db-a1", "FLUSH BINARY LOGS", "FLUSH BINARY LOGS")
    run(sites.lab, "db-b1", "STOP SLAVE IO_THREAD")
    purge_to_end(sites.lab, "db-a1")
    assert "db-a1 no longer retains" in reason(sites)


def test_other_error__said(sites: Sites) -> None:
    sites.only_on_b("DROP TABLE shop.keyed")
    sites.on_a("INSERT INTO shop.keyed VALUES (1, 'x', 1.50, NULL)")
    sites.stopped_on(1146)
    report = sites.report()
    assert (report.state, report.ways) == (ErrorState.OTHER_ERROR, ())

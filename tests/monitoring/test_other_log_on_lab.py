"""A log of the same name that is another one, on real servers: told at once, and what a plan says of it."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.clusters.models import Link, Node
from backend.core.plan import Plan
from backend.monitoring.models import Checkpoint, LinkStatus
from backend.monitoring.monitor import Monitor
from backend.runs.planning.planner import build_plan
from deploy.lab import cluster
from deploy.lab.api import Lab
from tests.gateway.lab import reset
from tests.monitoring.test_monitor_on_lab import gaps, lab_link, until
from tests.support.waiting import wait_for

__all__ = ["lab_link"]
pytestmark = [pytest.mark.server, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
TABLE = "bank.other_log"
SIDE = ("db-a1", "db-a2")
ANOTHER = {"source_log_replaced", "source_group_differs", "source_counter_fell"}


@pytest.fixture
def fresh(lab: Lab) -> Iterator[Lab]:
    """Rows of equal length on both sides, so that places of two logs can be the same."""
    reset(lab)
    lab.sql("db-a1", f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, v CHAR(8)) ENGINE=InnoDB")
    write(lab, "db-a1", range(1, 11))
    yield lab
    reset(lab)


@pytest.fixture
def link(fresh: Lab, lab_link: Link) -> Link:
    return lab_link


def write(lab: Lab, node: str, numbers: range, value: str = "same-len") -> None:
    for number in numbers:
        lab.sql(node, f"INSERT INTO {TABLE} VALUES ({number}, '{value}')")


def rows(lab: Lab, node: str) -> dict[int, str]:
    return {row["id"]: row["v"] for row in lab.sql(node, f"SELECT id, v FROM {TABLE}")}


def started() -> Monitor:
    """A monitor that has an empty memory."""
    return Monitor(threading.Event())


def all_well(monitor: Monitor) -> None:
    until(monitor, "protected", limit_s=60)
    wait_for(lambda: gaps(monitor) == [0, 0], "what was written to be applied", 60)


def told(monitor: Monitor, codes: set[str], *, is_at_once: bool = False) -> LinkStatus:
    """The link once one of these is said of it; it was never called protected before."""

    def found() -> LinkStatus | None:
        monitor.tick()
        status = LinkStatus.objects.get()
        if {finding["code"] for finding in status.findings} & codes:
            return status
        assert not is_at_once, status.findings
        return None

    status: LinkStatus = wait_for(found, f"{sorted(codes)} to be told", 90)
    assert status.state != "protected"
    return status


def refusing(plan: Plan) -> set[str]:
    return {finding.code for finding in plan.findings if finding.refuses}


def planned(link: Link, kind: str, **options: object) -> Plan:
    link.refresh_from_db()
    return build_plan(link=link, kind=kind, reason="test", options=options, actor="test")


def node_id(name: str) -> str:
    return str(Node.objects.get(name=name).pk)


def test_source__returns_by_full_transfer__its_log_is_refused_and_its_neighbours_is_proven(
    fresh: Lab, link: Link
) -> None:
    monitor = started()
    all_well(monitor)
    fresh.sql("db-b1", "STOP SLAVE")
    write(fresh, "db-a2", range(11, 16))
    fresh.stop("db-a1")
    (fresh.paths.datadir("db-a1") / "grastate.dat").unlink()
    fresh.start("db-a1")
    status = told(monitor, ANOTHER)
    (finding,) = [one for one in status.findings if one["code"] in ANOTHER]
    assert finding["remedy"].startswith("Stop the channel first")
    assert not Checkpoint.objects.filter(node__name="db-a1", is_void=False, observed_at__lt=status.since).exists()

    assert refusing(planned(link, "start_channel")) & ANOTHER
    assert refusing(planned(link, "switchover")) & ANOTHER
    assert refusing(planned(link, "relocate", source_node=node_id("db-a1"), replica_node=node_id("db-b1")))
    plan = planned(link, "relocate", source_node=node_id("db-a2"), replica_node=node_id("db-b1"))
    forward = next(one for one in plan.positions if one["direction"] == "forward")
    assert forward["proven"], (plan.findings, forward)
    source = fresh.node("db-a2")
    fresh.sql(
        "db-b1",
        f"CHANGE MASTER TO MASTER_HOST='{source.host}', MASTER_PORT={source.port}, "
        f"MASTER_LOG_FILE='{forward['file']}', MASTER_LOG_POS={forward['position']}",
    )
    fresh.sql("db-b1", "START SLAVE")
    wait_for(lambda: rows(fresh, "db-b1") == rows(fresh, "db-a2"), "every row on the standby", 60)
    assert len(rows(fresh, "db-b1")) == 15
    wait_for(lambda: (monitor.tick(), LinkStatus.objects.get().state)[1] != "broken", "the break to be over", 60)
    monitor.close()


def test_restart__kill_and_rotation__of_the_source_and_of_the_monitor__no_alarm(fresh: Lab, link: Link) -> None:
    monitor = started()
    all_well(monitor)
    fresh.stop("db-a1")
    write(fresh, "db-a2", range(11, 14))
    fresh.start("db-a1")
    all_well(monitor)
    fresh.sql("db-a1", "FLUSH BINARY LOGS")
    write(fresh, "db-a1", range(14, 16))
    all_well(monitor)
    monitor.close()
    fresh.stop("db-a2")
    fresh.stop("db-a1")
    fresh.start_site("a")
    write(fresh, "db-a1", range(16, 18))
    monitor = started()
    all_well(monitor)
    assert not Checkpoint.objects.filter(is_void=True).exists()
    monitor.close()
    del link


def test_site__set_back_while_no_monitor_ran__told_at_its_first_look(fresh: Lab, link: Link, tmp_path: Path) -> None:
    monitor = started()
    all_well(monitor)
    for name in reversed(SIDE):
        fresh.stop(name)
    for name in SIDE:
        shutil.copytree(fresh.paths.datadir(name), tmp_path / name, symlinks=True)
    fresh.start_site("a")
    all_well(monitor)
    write(fresh, "db-a1", range(101, 131), "before-1")
    all_well(monitor)
    monitor.close()

    for name in SIDE:
        fresh.kill(name)
        shutil.rmtree(fresh.paths.datadir(name))
        shutil.copytree(tmp_path / name, fresh.paths.datadir(name), symlinks=True)
    fresh.start_site("a")
    write(fresh, "db-a1", range(201, 231), "after--1")
    monitor = started()
    told(monitor, ANOTHER, is_at_once=True)
    for kind in ("relocate", "switchover"):
        assert refusing(planned(link, kind)), kind
    fresh.sql("db-b1", "STOP SLAVE")
    held = rows(fresh, "db-b1")
    assert {number for number, value in held.items() if value == "before-1"} == set(range(101, 131))
    for name in SIDE:
        fresh.stop(name)
    wait_for(lambda: (monitor.tick(), LinkStatus.objects.get().primary_action)[1], "an action to be offered", 60)
    action = LinkStatus.objects.get().primary_action
    assert action is not None
    assert action["kind"] == "failover"
    attested = [node_id(name) for name in SIDE]
    assert not refusing(planned(link, "failover", attest_fenced=attested, accept_loss=True))
    assert "standby_not_proven_whole" in refusing(planned(link, "failover", attest_fenced=attested))
    monitor.close()


def test_site__emptied_and_bootstrapped__its_new_history_is_not_accepted(fresh: Lab, link: Link) -> None:
    monitor = started()
    all_well(monitor)
    for name in SIDE:
        fresh.kill(name)
    for file in ("grastate.dat", "gvwstate.dat"):
        (fresh.paths.datadir("db-a1") / file).unlink(missing_ok=True)
    fresh.sql("db-b1", "STOP SLAVE")
    cluster.launch(fresh.ground, fresh.node("db-a1"), "--wsrep-new-cluster")
    cluster.wait_synced(fresh.ground, [fresh.node("db-a1")])
    for sql in ("SET GLOBAL wsrep_on=OFF", f"DROP TABLE {TABLE}", "RESET MASTER", "SET GLOBAL wsrep_on=ON"):
        fresh.sql("db-a1", sql)
    fresh.sql("db-a1", f"CREATE TABLE {TABLE} (id INT PRIMARY KEY, v CHAR(8)) ENGINE=InnoDB")
    status = told(monitor, ANOTHER)
    status = told(monitor, {"state_uuid_changed"})
    (finding,) = [one for one in status.findings if one["code"] == "state_uuid_changed"]
    assert "may have been emptied" in finding["message"]
    assert finding["remedy"].startswith("Stop the channel first")
    assert (status.primary_action or {}).get("kind") != "accept_state_uuid"
    plan = planned(link, "accept_state_uuid", attest_fenced=[node_id("db-a2")])
    assert refusing(plan) & ANOTHER, plan.findings
    assert len(rows(fresh, "db-b1")) == 10
    monitor.close()

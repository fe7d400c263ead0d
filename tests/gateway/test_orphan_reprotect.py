"""The whole way on real servers: a side is cut off, writes alone, returns; found, replayed, undone, equal."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from django.db import connection

from backend.core.findings import Severity
from backend.core.orphans.model import OrphanList
from backend.core.orphans.report import shown_sql
from backend.core.plan import Plan
from backend.core.steps import orphans as orphan_steps
from backend.transactions.orphans import services
from backend.transactions.orphans.report import orphans_for_plan
from backend.transactions.orphans.selectors import orphan_list
from tests.fakes.driver import Memory
from tests.gateway.orphan_link import TABLES, DivergedSites, fresh_afterwards, severities, testbed, transfer
from tests.gateway.orphan_statements import contents, purge_to_end, run
from tests.support.waiting import wait_for

__all__ = ["fresh_afterwards", "testbed"]
pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]


def test_scan__orphans_on_a_returned_side__exactly_them(testbed: DivergedSites) -> None:
    report = testbed.report("attach")
    assert (report.state, report.transactions, report.rows) == ("found", 5, 7)
    assert report.node == "db-a1"
    assert severities(report, "attach") == [("orphans_found", Severity.BLOCKER)]
    assert severities(report, "rebuild") == [("orphans_rebuild", Severity.BLOCKER)]
    assert severities(report, "rebuild", accepts_loss=True) == [("orphans_rebuild", Severity.WARNING)]
    tables = {f"{t.schema}.{t.table}": (t.inserts, t.updates, t.deletes) for t in report.tables}
    assert tables == {"bank.transfers": (2, 0, 1), "bank.balances": (0, 2, 0), "bank.entries": (2, 0, 0)}


def test_scan__nothing_written_since__not_read_again_until_something_is(
    testbed: DivergedSites, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = testbed.report("attach")
    with monkeypatch.context() as patch:
        patch.setattr(services, "scan_nodes", lambda *_: pytest.fail("the logs were read again"))
        current = testbed.report("undo")
    assert (current.scan_id, current.digest, current.transactions) == (first.scan_id, first.digest, 5)
    run(testbed.lab, "db-a2", transfer("more", "z", 1))
    assert testbed.report("attach").transactions == 6


def test_undo__all_of_them__the_returned_side_is_as_the_other(testbed: DivergedSites) -> None:
    report = testbed.report("undo")
    assert severities(report, "undo") == [("orphans_undo", Severity.WARNING)]
    assert len(shown_sql(report, "undo")) == 7
    memory = Memory(testbed.plan(report, "undo_orphans"))
    testbed.walk(memory, orphans=orphan_list(report.scan_id))
    assert memory.ended.state == "succeeded", memory.failures
    assert contents(testbed.lab, "db-a1", TABLES) == contents(testbed.lab, "db-b1", TABLES)
    second = testbed.report("undo")
    assert (second.transactions, second.undone) == (5, 5)


def test_replay_then_undo__worker_killed_after_each_transaction__each_exactly_once_and_sides_as_meant(
    testbed: DivergedSites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orphan_steps, "BATCH", 1)
    wanted = contents(testbed.lab, "db-a1", TABLES)
    before = contents(testbed.lab, "db-b1", TABLES)
    report = testbed.report("replay")
    assert severities(report, "replay") == [("orphans_replay", Severity.OK)]
    plan = testbed.plan(report, "replay", "undo_orphans")
    orphans = orphan_list(report.scan_id)
    connection.close()  # a child must not share it
    for _ in range(9):
        _killed_after_one(testbed, plan, orphans)
    memory = Memory(plan)
    testbed.walk(memory, orphans=orphans)
    assert memory.ended.state == "succeeded", memory.failures
    assert len(memory.statements) == 1
    assert contents(testbed.lab, "db-b1", TABLES) == wanted
    assert contents(testbed.lab, "db-a1", TABLES) == before
    assert contents(testbed.lab, "db-a2", TABLES) == before


def _killed_after_one(testbed: DivergedSites, plan: Plan, orphans: OrphanList) -> None:
    """A worker that commits one transaction and is killed before it can store so."""
    child = os.fork()
    if child == 0:
        try:
            testbed.walk(Memory(plan), orphans=orphans, dies_at_outcome=1)
        finally:
            os._exit(3)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), status


def test_replay__active_side_changed_the_rows__conflicts_named_and_the_rest_replayed(testbed: DivergedSites) -> None:
    run(testbed.lab, "db-b1", "UPDATE bank.balances SET balance = 100 WHERE account = 'x'")
    report = testbed.report("replay")
    assert [(c.index, c.depends_on) for c in report.conflicts] == [(1, None), (4, 1)]
    assert severities(report, "replay") == [("orphans_conflict", Severity.BLOCKER)]
    assert severities(report, "replay", skip_conflicts=True) == [("orphans_conflict", Severity.WARNING)]
    memory = Memory(testbed.plan(report, "replay", skip_conflicts=True))
    testbed.walk(memory, orphans=orphan_list(report.scan_id))
    assert memory.ended.state == "succeeded", memory.failures
    other = contents(testbed.lab, "db-b1", TABLES)
    assert {t: other[t] for t in TABLES[:2]} == contents(testbed.lab, "db-a1", TABLES[:2])


@pytest.mark.parametrize("decision", ["keep_active", "take_orphan", "leave_out"])
def test_replay__conflicts_decided_by_row_and_table__both_sides_end_equal(
    testbed: DivergedSites, decision: str
) -> None:
    lab = testbed.lab
    run(lab, "db-a1", "STOP ALL SLAVES")
    run(lab, "db-b1", "UPDATE bank.balances SET balance = 100 WHERE account = 'x'", transfer("b1", "theirs", 9))
    undecided = testbed.report("replay")
    rows = {conflict.table: conflict for conflict in undecided.conflicts if conflict.row}
    assert set(rows) == {"bank.transfers", "bank.balances"}
    shown = rows["bank.transfers"].values
    assert [shown[side]["account"] for side in ("db-b1", "orphan")] == ["theirs", "x"]  # type: ignore[index]
    decisions = [
        {"table": "bank.transfers", "row": rows["bank.transfers"].row, "decision": "take_orphan"},
        {"table": "bank.balances", "row": None, "decision": decision},
    ]
    report = testbed.report("replay", decisions)
    assert Severity.BLOCKER not in {finding.severity for finding in report.findings("replay")}
    memory = Memory(testbed.plan(report, "replay", "undo_orphans"))
    testbed.walk(memory, orphans=orphan_list(report.scan_id))
    assert memory.ended.state == "succeeded", memory.failures
    (taken,) = lab.sql("db-b1", f"SELECT account FROM bank.transfers WHERE write_id = '{'b1':0>32}'")
    (balance,) = lab.sql("db-b1", "SELECT balance FROM bank.balances WHERE account = 'x'")
    expected = {"keep_active": 100, "take_orphan": 28, "leave_out": 100}[decision]
    assert (taken["account"], int(str(balance["balance"]))) == ("x", expected)
    run(lab, "db-a1", "START ALL SLAVES")
    wait_for(
        lambda: contents(lab, "db-a1", TABLES) == contents(lab, "db-b1", TABLES),
        "both sides to hold the same",
        seen=lambda _: lab.sql("db-a1", "SHOW ALL SLAVES STATUS"),
    )


def test_replay__row_changed_after_the_plan__stops_there_by_name(testbed: DivergedSites) -> None:
    report = testbed.report("replay")
    run(testbed.lab, "db-b1", "UPDATE bank.balances SET balance = 100 WHERE account = 'x'")
    memory = Memory(testbed.plan(report, "replay"))
    testbed.walk(memory, orphans=orphan_list(report.scan_id))
    assert memory.ended.state == "needs_operator"
    assert "the row to update was changed or removed" in memory.failures[0]
    assert "transaction 2: " in memory.failures[0]
    assert [s.state for s in memory.statements] == ["failed"]
    assert testbed.report("replay").replayed == 1


def test_plan__operator_without_rights__the_exact_grant_is_named(testbed: DivergedSites) -> None:
    run(testbed.lab, "db-a1", "REVOKE INSERT, TRIGGER ON bank.* FROM hawser_operator")
    report = testbed.report("undo")
    (finding,) = report.findings("undo")
    assert finding.code == "orphans_grants"
    assert finding.remedy == "GRANT INSERT, TRIGGER ON `bank`.* TO 'hawser_operator'@'%';"
    assert "1 statement about accounts is also there" in report.detail
    run(testbed.lab, "db-a1", finding.remedy.rstrip(";"))
    assert severities(testbed.report("undo"), "undo") == [("orphans_undo", Severity.WARNING)]


def test_plan__table_with_a_trigger_or_cascading_children__refused_by_name(testbed: DivergedSites) -> None:
    run(
        testbed.lab, "db-b1",
        "CREATE TRIGGER bank.t_ins AFTER INSERT ON bank.transfers FOR EACH ROW SET @x = 1",
        "CREATE TABLE bank.child (account VARCHAR(40), KEY(account), CONSTRAINT f FOREIGN KEY (account) "
        "REFERENCES bank.balances (account) ON DELETE CASCADE) ENGINE=InnoDB",
    )  # fmt: skip
    text = " ".join(testbed.report("replay").replay_refusals)
    assert "bank.transfers has triggers (t_ins)" in text
    assert "bank.balances is referenced by bank.child" in text


def test_plan__ddl_without_an_inverse_among_orphans__only_rebuild_remains(testbed: DivergedSites) -> None:
    run(testbed.lab, "db-a1", "ALTER TABLE bank.markers COMMENT 'more'")
    report = testbed.report("replay")
    assert severities(report, "replay") == [("orphans_refused", Severity.BLOCKER)]
    assert "ALTER TABLE bank.markers" in report.undo_refusals[0]
    assert severities(report, "rebuild", accepts_loss=True) == [("orphans_rebuild", Severity.WARNING)]


def test_plan__nodes_tell_different_orphans__unknown(testbed: DivergedSites) -> None:
    run(testbed.lab, "db-a2", "SET SESSION wsrep_on=OFF", transfer("local", "z", 1))
    report = testbed.report("undo")
    assert report.state == "unknown"
    assert "is still writable on db-a1, db-a2" in report.detail
    try:
        for node in ("db-a1", "db-a2"):
            run(testbed.lab, node, "SET GLOBAL read_only=ON")
        report = testbed.report("undo")
    finally:
        for node in ("db-a1", "db-a2"):
            run(testbed.lab, node, "SET GLOBAL read_only=OFF")
    assert report.state == "unknown", report.detail
    assert "do not have the same" in report.detail
    assert severities(report, "undo") == [("orphans_unknown", Severity.UNKNOWN)]


def test_plan__log_purged_past_the_point__unknown(testbed: DivergedSites) -> None:
    for node in ("db-a1", "db-a2"):
        run(testbed.lab, node, "FLUSH BINARY LOGS")
        purge_to_end(testbed.lab, node)
    report = testbed.report("undo")
    assert report.state == "unknown"
    assert "retain" in report.detail


def test_plan__no_divergence__not_needed(testbed: DivergedSites) -> None:
    facts = replace(testbed.gateway.observe_link(), divergence=None)
    report = orphans_for_plan(testbed.link, testbed.gateway, facts, choice="undo")
    assert report.findings("undo") == ()

"""Changes of definitions among orphans on real servers: followed, replayed in order, reverted exactly."""

from __future__ import annotations

import pytest

from backend.core.findings import Severity
from backend.core.orphans.report import OrphanReport
from backend.transactions.orphans.selectors import orphan_list
from deploy.lab.api import Lab
from tests.fakes.driver import Memory
from tests.gateway.orphan_link import TABLES, DivergedSites, fresh_afterwards, severities, testbed
from tests.gateway.orphan_statements import contents, run, wait_until_applied

__all__ = ["fresh_afterwards", "testbed"]
pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]

MIGRATION = (
    "USE bank",
    "CREATE TABLE notes (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, body VARCHAR(40) NOT NULL) ENGINE=InnoDB",
    "INSERT INTO notes (body) VALUES ('first'), ('second')",
    "ALTER TABLE notes ADD COLUMN author VARCHAR(20) NOT NULL DEFAULT 'unknown' AFTER id, ADD UNIQUE KEY body_u (body)",
    "INSERT INTO notes (author, body) VALUES ('ann', 'third')",
    "UPDATE notes SET author = 'bob' WHERE body = 'first'",
    "UPDATE bank.balances SET balance = balance + 1 WHERE account = 'y'",
    "ALTER TABLE bank.balances ADD COLUMN `note -- ;` VARCHAR(10) DEFAULT 'a;b'",
    "UPDATE bank.balances SET balance = balance + 1, `note -- ;` = 'x' WHERE account = 'y'",
    "CREATE INDEX by_balance ON bank.balances (balance)",
    "CREATE TABLE IF NOT EXISTS bank.extra (id INT PRIMARY KEY, t TEXT)",
    "INSERT INTO bank.extra VALUES (1, 'one')",
    "CREATE TABLE passing (id INT PRIMARY KEY)",
    "INSERT INTO passing VALUES (1), (2)",
    "DROP TABLE passing",
)
ALL = [*TABLES, "bank.notes", "bank.extra"]


def definitions(lab: Lab, node: str) -> list[tuple[object, ...]]:
    """Every table of the application as its node describes it."""
    names = "TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, COLUMN_TYPE, COLUMN_DEFAULT, IS_NULLABLE, EXTRA"
    keys = "TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME, NON_UNIQUE"
    there = "WHERE TABLE_SCHEMA='bank' ORDER BY 1, 3, 2"
    columns = lab.sql(node, f"SELECT {names} FROM information_schema.COLUMNS {there}")
    indexes = lab.sql(node, f"SELECT {keys} FROM information_schema.STATISTICS {there}")
    return [tuple(row.values()) for row in (*columns, *indexes)]


@pytest.fixture
def migrated(testbed: DivergedSites) -> DivergedSites:
    """A migration ran on the lost side alone."""
    run(testbed.lab, "db-a1", *MIGRATION)
    wait_until_applied(testbed.lab, "db-a1", "db-a2")
    for node in ("db-a1", "db-b1"):
        run(testbed.lab, node, "GRANT CREATE, ALTER, INDEX, DROP ON bank.* TO hawser_operator")
    return testbed


def _walked(sites: DivergedSites, report: OrphanReport, *codes: str) -> None:
    memory = Memory(sites.plan(report, *codes))
    sites.walk(memory, orphans=orphan_list(report.scan_id))
    assert memory.ended.state == "succeeded", memory.failures


def test_undo__migration_among_orphans__data_and_definitions_as_before(migrated: DivergedSites) -> None:
    report = migrated.report("undo")
    assert severities(report, "undo") == [("orphans_undo", Severity.WARNING)], report.findings("undo")
    assert report.schema_changes == 5
    _walked(migrated, report, "undo_orphans")
    lab = migrated.lab
    assert contents(lab, "db-a1", TABLES) == contents(lab, "db-b1", TABLES)
    assert definitions(lab, "db-a1") == definitions(lab, "db-b1")
    assert definitions(lab, "db-a2") == definitions(lab, "db-b1")


def test_plan__operator_without_the_rights_to_change_definitions__names_the_grant(testbed: DivergedSites) -> None:
    run(testbed.lab, "db-a1", *MIGRATION)
    findings = testbed.report("replay").findings("replay")
    remedies = [finding.remedy for finding in findings if finding.code == "orphans_grants"]
    assert remedies == [
        "GRANT DROP, ALTER, CREATE, INDEX ON `bank`.* TO 'hawser_operator'@'%';",
        "GRANT CREATE, ALTER, INDEX ON `bank`.* TO 'hawser_operator'@'%';",
    ]


def test_replay__migration_among_orphans__the_survivor_has_all_of_it(migrated: DivergedSites) -> None:
    lab = migrated.lab
    before, wanted = contents(lab, "db-b1", TABLES), contents(lab, "db-a1", ALL)
    old, new = definitions(lab, "db-b1"), definitions(lab, "db-a1")
    report = migrated.report("replay")
    assert severities(report, "replay") == [("orphans_schema_changes", Severity.WARNING)], report.findings("replay")
    _walked(migrated, report, "replay", "undo_orphans")
    assert (contents(lab, "db-b1", ALL), definitions(lab, "db-b1")) == (wanted, new)
    assert (contents(lab, "db-a1", TABLES), definitions(lab, "db-a1")) == (before, old)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE bank.balances DROP COLUMN changes",
        "DROP TABLE bank.entries",
        "ALTER TABLE bank.balances MODIFY COLUMN changes BIGINT",
        "TRUNCATE TABLE bank.entries",
        "CREATE VIEW bank.v AS SELECT 1",
        "CREATE TABLE bank.copied AS SELECT * FROM bank.balances",
        "ALTER TABLE bank.balances ADD COLUMN at DATETIME DEFAULT NOW()",
    ],
)
def test_undo__change_without_inverse__named_with_what_remains(testbed: DivergedSites, statement: str) -> None:
    run(testbed.lab, "db-a1", statement)
    findings = testbed.report("undo").findings("undo")
    assert {finding.severity for finding in findings} == {Severity.BLOCKER}
    reasons = ("changes a table definition", "was logged as a statement")
    assert any(reason in finding.message for reason in reasons for finding in findings), findings


def test_undo__somebody_else_wrote_into_a_created_table__refused(migrated: DivergedSites) -> None:
    run(
        migrated.lab,
        "db-a1",
        "SET SESSION wsrep_on=0",
        "SET SESSION sql_log_bin=0",
        "INSERT INTO bank.extra VALUES (9, 'theirs')",
    )
    run(
        migrated.lab,
        "db-a2",
        "SET SESSION wsrep_on=0",
        "SET SESSION sql_log_bin=0",
        "INSERT INTO bank.extra VALUES (9, 'theirs')",
    )
    findings = migrated.report("undo").findings("undo")
    assert any("has 2 rows, of which orphaned transactions wrote 1" in finding.message for finding in findings)


def test_replay__survivor_changed_the_same_table_otherwise__refused(migrated: DivergedSites) -> None:
    run(migrated.lab, "db-a1", "STOP ALL SLAVES")
    run(migrated.lab, "db-b1", "ALTER TABLE bank.balances ADD COLUMN other INT")
    findings = migrated.report("replay").findings("replay")
    assert any("bank.balances has other columns there" in finding.message for finding in findings), findings


def test_replay__same_migration_ran_on_both_sides__only_what_is_missing(migrated: DivergedSites) -> None:
    lab = migrated.lab
    run(lab, "db-b1", "ALTER TABLE bank.balances ADD COLUMN `note -- ;` VARCHAR(10) DEFAULT 'a;b'", MIGRATION[10])
    report = migrated.report("replay")
    assert severities(report, "replay") == [("orphans_schema_changes", Severity.WARNING)], report.findings("replay")
    _walked(migrated, report, "replay")
    assert contents(lab, "db-b1", ALL) == contents(lab, "db-a1", ALL)
    assert definitions(lab, "db-b1") == definitions(lab, "db-a1")

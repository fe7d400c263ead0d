"""The grants that the documents name for MySQL are enough, and each of them is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from backend.core.dialects import dialect_to_watch, needs_of
from backend.core.dialects.base import Thread
from backend.core.dialects.needs import Need
from backend.core.findings import Severity
from backend.core.ports import NodeError
from backend.gateway import grants
from backend.gateway.connection.session import Session
from backend.gateway.reader import Reader
from deploy.lab.mysql.pair import Pair
from deploy.lab.mysql.server import ROOT
from deploy.lab.server.database import admin_session, rows
from tests.mysql.pair import access, endpoint

pytestmark = pytest.mark.server
DIALECT = dialect_to_watch("mysql", "9.7.4")
NEEDS = needs_of("mysql")
USER = "'of_grants'@'%'"
FILTERS_TABLE = "replication_applier_global_filters"
STATEMENTS = {
    "PROCESS": "SELECT COUNT(*) AS n FROM information_schema.INNODB_TRX",
    "REPLICATION CLIENT": DIALECT.binlog_end_query(),
    "REPLICATION SLAVE": "SHOW BINLOG EVENTS LIMIT 1",
    "SELECT performance_schema": DIALECT.channel_settings_query() or "",
    "SELECT hawser": "SELECT COUNT(*) AS n FROM hawser.probe",
    "REPLICATION_SLAVE_ADMIN": DIALECT.stop_slave("dr", Thread.SQL),
    "RELOAD": "FLUSH BINARY LOGS",
    "SYSTEM_VARIABLES_ADMIN": DIALECT.set_global("read_only", "OFF"),
    "INSERT hawser": "INSERT INTO hawser.probe SELECT * FROM hawser.probe WHERE FALSE",
    "DELETE hawser": "DELETE FROM hawser.probe WHERE FALSE",
}
"""By privilege a statement of Hawser that needs it; those on tables with the schema."""


@dataclass(frozen=True)
class Case:
    """One privilege of one role."""

    need: Need
    privilege: str

    @property
    def statement(self) -> str | None:
        """A statement that needs it."""
        if self.need.table == FILTERS_TABLE:
            return DIALECT.global_filters_query()
        return STATEMENTS.get(f"{self.privilege} {self.need.schema}".strip())

    def __str__(self) -> str:
        return f"{self.need.role} {self.privilege} {self.need.table or self.need.schema}".strip()


CASES = [Case(need, name) for need in NEEDS for name in need.privileges]
TRIED = [case for case in CASES if case.statement and case.need.role != "replication"]


def unlogged(pair: Pair, *statements: str) -> None:
    """Statements of the administrator on the replica, which get no GTID of its own."""
    with admin_session(pair.replica.socket, ROOT) as connection:
        for statement in ("SET SESSION sql_log_bin=0", *statements):
            rows(connection, statement)


@pytest.fixture
def account(pair: Pair) -> Iterator[None]:
    """An account without a privilege on the replica, and the table of the probes; both are removed afterwards."""
    unlogged(
        pair,
        f"CREATE USER {USER} IDENTIFIED WITH caching_sha2_password BY 'of grants'",
        "CREATE TABLE hawser.probe (id INT PRIMARY KEY)",
    )
    yield
    unlogged(pair, f"DROP USER {USER}", "DROP TABLE hawser.probe")
    pair.replica.sql(DIALECT.start_slave(pair.channel))


@pytest.mark.usefixtures("account")
@pytest.mark.parametrize("case", TRIED, ids=str)
def test_privilege__taken_away__its_statement_is_refused(pair: Pair, case: Case) -> None:
    needs = [need for need in NEEDS if need.role == case.need.role]
    unlogged(pair, *(f"GRANT {', '.join(need.privileges)} ON {need.on} TO {USER}" for need in needs))
    assert ran(pair, case.statement or "")
    unlogged(pair, f"REVOKE {case.privilege} ON {case.need.on} FROM {USER}")
    assert not ran(pair, case.statement or "")


def ran(pair: Pair, statement: str) -> bool:
    """Whether the account may run it."""
    found = endpoint(pair, pair.replica, "monitor")
    session = Session("my-2", replace(found, user="of_grants", password="of grants"), read_only=False)
    try:
        session.run(statement)
    except NodeError as error:
        if "denied" in error.message:
            return False
        raise
    finally:
        session.close()
    return True


def test_every_privilege__is_tried() -> None:
    untried = {str(case) for case in CASES if case not in TRIED}
    assert untried == {"operator CREATE hawser", "replication REPLICATION SLAVE"}


@pytest.mark.parametrize("role", ["monitor", "operator"])
def test_check__accounts_of_the_pair__enough_and_what_is_too_much_is_named(pair: Pair, role: str) -> None:
    found = access(pair, pair.replica)
    reader = Reader(found.ref, found.monitor if role == "monitor" else found.operator)
    held = grants.held_privileges(reader)
    reader.close()
    findings = grants.check("my-2", role, f"{role}@%", held, flavor="mysql")
    assert [one.severity for one in findings if one.code != "grants_excess"] in ([], [Severity.OK])

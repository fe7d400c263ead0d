"""What is going on inside a node right now that a planned switch has to know: asked only when one is planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.ports import NodeError, NodeReader, Row

LONG_SQL = (
    "SELECT t.trx_mysql_thread_id AS id, COALESCE(p.USER, '?') AS user, "
    "TIMESTAMPDIFF(SECOND, t.trx_started, NOW()) AS age_s, t.trx_rows_modified AS rows_modified "
    "FROM information_schema.INNODB_TRX t LEFT JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id "
    "WHERE t.trx_started < NOW() - INTERVAL 5 SECOND AND COALESCE(p.USER, '') <> 'system user'"
)
"""Transactions open for more than 5 s: behind the fence their commit fails with error 1290."""
DDL_SQL = (
    "SELECT ID AS id, USER AS user, TIME AS age_s, LEFT(INFO, 160) AS statement FROM information_schema.PROCESSLIST "
    "WHERE COMMAND = 'Query' AND INFO REGEXP '^[[:space:]]*(ALTER|CREATE|DROP|TRUNCATE|RENAME|OPTIMIZE)[[:space:]]'"
)
EVENTS_SQL = "SELECT COUNT(*) AS enabled FROM mysql.event WHERE STATUS = 'ENABLED'"
WRITE_THROUGH_SQL = "SELECT DISTINCT GRANTEE AS grantee FROM hawser.write_through ORDER BY GRANTEE"
WRITE_THROUGH_VIEW_SQL = (
    "CREATE OR REPLACE SQL SECURITY DEFINER VIEW hawser.write_through AS "
    "SELECT GRANTEE, PRIVILEGE_TYPE FROM information_schema.USER_PRIVILEGES "
    "WHERE PRIVILEGE_TYPE IN ('SUPER', 'READ_ONLY ADMIN')"
)
"""To be created once by an administrator: it shows names, never hashes. `read_only` does not bind READ_ONLY ADMIN."""


@dataclass(frozen=True, slots=True)
class BusySession:
    """One session that a fence would meet: its connection id, account, age in seconds, and what it does."""

    id: int
    user: str
    age_s: int
    what: str


@dataclass(frozen=True, slots=True)
class NodeActivity:
    """A node's answers; None where it would not say."""

    long_transactions: tuple[BusySession, ...] | None
    ddl: tuple[BusySession, ...] | None
    enabled_events: int | None
    write_through: tuple[str, ...] | None


def read_activity(reader: NodeReader) -> NodeActivity:
    """Ask one node; an answer that is refused is left unknown."""
    long_rows, ddl_rows = _ask(reader, LONG_SQL), _ask(reader, DDL_SQL)
    events, accounts = _ask(reader, EVENTS_SQL), _ask(reader, WRITE_THROUGH_SQL)
    return NodeActivity(
        None if long_rows is None else tuple(_busy(r, f"{r['rows_modified']} rows changed") for r in long_rows),
        None if ddl_rows is None else tuple(_busy(r, str(r["statement"])) for r in ddl_rows),
        None if not events else int(str(events[0]["enabled"])),
        None if accounts is None else tuple(str(row["grantee"]) for row in accounts),
    )


def _ask(reader: NodeReader, sql: str) -> Sequence[Row] | None:
    try:
        return reader.query(sql)
    except NodeError as error:
        if error.code == 0:
            raise
        return None


def _busy(row: Row, what: str) -> BusySession:
    return BusySession(int(str(row["id"])), str(row["user"]), int(str(row["age_s"])), what)

"""The current activity on a node that a switchover must know; it is read only when one is planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.plural import pluralize
from backend.core.ports import NodeError, NodeReader, Row

LONG_SQL = (
    "SELECT t.trx_mysql_thread_id AS id, COALESCE(p.USER, '?') AS user, "
    "TIMESTAMPDIFF(SECOND, t.trx_started, NOW()) AS age_s, t.trx_rows_modified AS rows_modified "
    "FROM information_schema.INNODB_TRX t LEFT JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id "
    "WHERE t.trx_started < NOW() - INTERVAL 5 SECOND AND COALESCE(p.USER, '') <> 'system user'"
)
"""Transactions open for more than 5 s: once writes are fenced their commit fails with error 1290."""
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
"""An administrator creates it once: it shows names, never hashes. READ_ONLY ADMIN bypasses `read_only`."""
WRITE_THROUGH_REMEDY = (
    f"Have an administrator run this once: CREATE DATABASE IF NOT EXISTS hawser; {WRITE_THROUGH_VIEW_SQL};"
)


@dataclass(frozen=True, slots=True)
class BusySession:
    """One session that a fence would affect: its connection id, account, age in seconds, and what it does."""

    id: int
    user: str
    age_s: int
    what: str


@dataclass(frozen=True, slots=True)
class NodeActivity:
    """A node's activity; None where the node refused the query."""

    long_transactions: tuple[BusySession, ...] | None
    ddl: tuple[BusySession, ...] | None
    enabled_events: int | None
    write_through: tuple[str, ...] | None


def read_activity(reader: NodeReader) -> NodeActivity:
    """Read the activity of one node; what it refuses is unknown."""
    long_rows, ddl_rows = _ask(reader, LONG_SQL), _ask(reader, DDL_SQL)
    events, accounts = _ask(reader, EVENTS_SQL), _ask(reader, WRITE_THROUGH_SQL)
    return NodeActivity(
        None
        if long_rows is None
        else tuple(_busy(r, f"{pluralize(int(str(r['rows_modified'])), 'row')} changed") for r in long_rows),
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


def _changed(row: Row) -> str:
    return f"{pluralize(int(str(row['rows_modified'])), 'row')} changed"


def _busy(row: Row, what: str) -> BusySession:
    return BusySession(int(str(row["id"])), str(row["user"]), int(str(row["age_s"])), what)

"""Reads from one node, in one consistent snapshot, what the judge needs."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import MySQLdb
import MySQLdb.cursors

from deploy.lab.server.database import DEADLOCK
from deploy.lab.verify.judge import HeldRows, NodeContents

TABLE_CHANGED = 1412  # a schema change hit the snapshot
ATTEMPTS = 5
TRANSFERS = (
    "SELECT write_id, COUNT(*), SUM(CRC32(CONCAT_WS('|', write_id, part, account, delta, note)))"
    " FROM bank.transfers GROUP BY write_id"
)
ENTRIES = (
    "SELECT write_id, COUNT(*), COUNT(DISTINCT part), SUM(CRC32(CONCAT_WS('|', write_id, part, payload)))"
    " FROM bank.entries GROUP BY write_id"
)
# Both directions, since either side may lack the account.
WRONG_BALANCES = """
    SELECT account FROM (
      SELECT account, SUM(delta) AS total, COUNT(*) AS changes FROM bank.transfers GROUP BY account) AS t
    LEFT JOIN bank.balances AS b USING (account)
    WHERE NOT (b.balance <=> t.total AND b.changes <=> t.changes)
    UNION SELECT account FROM bank.balances WHERE account NOT IN (SELECT account FROM bank.transfers)"""
COLUMNS = """
    SELECT table_name, column_name, column_type, is_nullable, column_key FROM information_schema.columns
    WHERE table_schema = 'bank' ORDER BY table_name, column_name"""


def read(connection: Any, node: str) -> NodeContents:
    """The node's contents; a snapshot broken by a schema change is taken again."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _snapshot(connection, node)
        except MySQLdb.OperationalError as error:
            if error.args[0] not in (TABLE_CHANGED, DEADLOCK) or attempt == ATTEMPTS:
                raise
    raise AssertionError("unreachable")


def _snapshot(connection: Any, node: str) -> NodeContents:
    with closing(connection.cursor(MySQLdb.cursors.Cursor)) as cursor:
        cursor.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT")
        try:
            return _read(cursor, node)
        finally:
            connection.rollback()


def _read(cursor: Any, node: str) -> NodeContents:
    cursor.execute(TRANSFERS)
    keyed = {row[0]: (row[1], int(row[2])) for row in cursor.fetchall()}
    cursor.execute(ENTRIES)
    appended = {row[0]: (row[1], row[2], int(row[3])) for row in cursor.fetchall()}
    cursor.execute(WRONG_BALANCES)
    wrong = tuple(row[0] for row in cursor.fetchall())
    writes = {
        write_id: HeldRows(*keyed.get(write_id, (0, 0)), *appended.get(write_id, (0, 0, 0)))
        for write_id in keyed.keys() | appended.keys()
    }
    return NodeContents(node, writes, wrong)


def read_schema(connection: Any) -> frozenset[str]:
    """The application's columns, a line each. Their order is left out: it may differ between the sites."""
    with closing(connection.cursor(MySQLdb.cursors.Cursor)) as cursor:
        cursor.execute(COLUMNS)
        rows = cursor.fetchall()
    return frozenset(
        f"{table}.{column} {kind}, nullable {null}, key {key or 'none'}" for table, column, kind, null, key in rows
    )

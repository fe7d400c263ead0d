"""Connections to lab nodes. Every one has time limits, since nodes are frozen on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import MySQLdb
import MySQLdb.cursors

from deploy.lab.layout import Node
from deploy.lab.server.accounts import Account

Row = dict[str, Any]
# What a dead, frozen or refusing server raises in any phase.
SERVER_ERRORS = (MySQLdb.Error,)
DEADLOCK = 1213
"""Galera also raises it for a transaction that a replicated statement of the cluster aborted."""


def connect_socket(socket: Path, account: Account, *, seconds: int = 10) -> Any:
    """Autocommit connection by unix socket."""
    return MySQLdb.connect(
        unix_socket=str(socket), user=account.user, passwd=account.password, connect_timeout=min(seconds, 5),
        read_timeout=seconds, write_timeout=seconds, autocommit=True, charset="utf8mb4",
        cursorclass=MySQLdb.cursors.DictCursor,
    )  # fmt: skip


def connect_tcp(node: Node, account: Account, *, seconds: int = 4, database: str = "", ca: Path | None = None) -> Any:
    """Connection as an application would make it: by address, autocommit off; plain unless a CA is named."""
    tls: dict[str, Any] = {} if ca is None else {"ssl": {"ca": str(ca)}}
    return MySQLdb.connect(
        host=node.host, port=node.port, user=account.user, passwd=account.password, database=database,
        connect_timeout=seconds, read_timeout=seconds, write_timeout=seconds, charset="utf8mb4", **tls,
    )  # fmt: skip


@contextmanager
def admin_session(socket: Path, account: Account, *, seconds: int = 10) -> Iterator[Any]:
    """A connection that is closed at the end."""
    with closing(connect_socket(socket, account, seconds=seconds)) as connection:
        yield connection


def rows(connection: Any, sql: str, arguments: tuple[Any, ...] | None = None) -> list[Row]:
    """All rows of a statement as dictionaries (empty for statements without a result)."""
    with closing(connection.cursor()) as cursor:
        cursor.execute(sql, arguments)
        return list(cursor.fetchall()) if cursor.description else []


def statuses(connection: Any, pattern: str = "wsrep%") -> dict[str, str]:
    """SHOW GLOBAL STATUS as a dictionary."""
    found = rows(connection, "SHOW GLOBAL STATUS LIKE %s", (pattern,))
    return {row["Variable_name"]: row["Value"] for row in found}

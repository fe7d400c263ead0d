"""Words for tests about orphans on real servers: what was written since, undo it, play it again."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import read_groups
from backend.core.binlog.logs import BinaryLog
from backend.core.dialects import dialect_for
from backend.core.orphans.model import OrphanList
from backend.core.orphans.statements import replay_statements, undo_statements
from backend.core.positions import FilePosition
from backend.gateway.orphan_rows import read_orphans
from backend.gateway.reader import Reader
from backend.gateway.writer import Writer
from deploy.lab.api import Lab
from deploy.lab.server.database import rows
from tests.gateway.lab import access
from tests.support.waiting import wait_for

MARKER = (
    "REPLACE INTO hawser.probe (link_id, direction, token, written_on, written_at) "
    "VALUES ('r_test', '{direction}', 'd:{index}', 'test', UTC_TIMESTAMP(6))"
)


def end_of_log(lab: Lab, node: str) -> FilePosition:
    """Where its binlog ends."""
    row = lab.sql(node, "SHOW MASTER STATUS")[0]
    return FilePosition(row["File"], int(row["Position"]))


def book_since(lab: Lab, node: str, start: FilePosition) -> OrphanList:
    """Everything written on that node since."""
    there = access(lab, node)
    reader = Reader(there.ref, there.monitor)
    try:
        groups = list(read_groups(Cursor(BinaryLog(reader, dialect_for("mariadb", "10.11.19"))).events_from(start)))
        return read_orphans(there, reader, start, groups)
    finally:
        reader.close()


def undo(lab: Lab, node: str, book: OrphanList) -> None:
    """Everything, last first."""
    writer = Writer(access(lab, node).ref, access(lab, node).operator)
    for transaction in reversed(book.transactions):
        marker = MARKER.format(direction="undo", index=transaction.index)
        writer.apply_transaction(undo_statements(transaction, book.table_definitions), marker=marker, timeout_s=20)
    writer.close()


def replay(lab: Lab, node: str, book: OrphanList) -> None:
    """Everything, first first."""
    writer = Writer(access(lab, node).ref, access(lab, node).operator)
    for transaction in book.transactions:
        marker = MARKER.format(direction="replay", index=transaction.index)
        writer.apply_transaction(replay_statements(transaction, book.table_definitions), marker=marker, timeout_s=20)
    writer.close()


def contents(lab: Lab, node: str, tables: Sequence[str]) -> dict[str, tuple[object, object]]:
    """Checksum and number of rows of each table, once everything its cluster committed before is applied there."""
    found = {}
    with lab.admin(node) as connection:
        rows(connection, "SET SESSION wsrep_sync_wait = 1")
        for table in tables:
            (counted,) = rows(connection, f"SELECT COUNT(*) AS n FROM {table}")
            (summed,) = rows(connection, f"CHECKSUM TABLE {table} EXTENDED")
            found[table] = (summed["Checksum"], counted["n"])
    return found


def wait_until_applied(lab: Lab, *nodes: str) -> None:
    """Wait until each node has applied what its cluster committed before."""
    for node in nodes:
        with lab.admin(node) as connection:
            rows(connection, "SET SESSION wsrep_sync_wait = 1")
            rows(connection, "SELECT 1")


def purge_to_end(lab: Lab, node: str) -> None:
    """Purge every file of the log but the newest; the server keeps one that a channel's session still reads."""
    newest = end_of_log(lab, node).file

    def is_alone() -> bool:
        run(lab, node, f"PURGE BINARY LOGS TO '{newest}'")
        return bool(lab.sql(node, "SHOW BINARY LOGS")[0]["Log_name"] == newest)

    wait_for(is_alone, f"the old logs of {node} to be purged")


def run(lab: Lab, node: str, *statements: str) -> None:
    """As administrator, one after the other in one session."""
    with lab.admin(node) as connection:
        for statement in statements:
            cursor = connection.cursor()
            cursor.execute(statement)
            cursor.close()
        connection.commit()

"""A trace on real servers."""

from __future__ import annotations

import contextlib
import time

import MySQLdb

from backend.core.dialects import dialect_for
from backend.core.locate.events import Cursor
from backend.core.locate.groups import read_groups
from backend.core.locate.logs import BinlogLog
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.gateway.reader import Reader
from deploy.lab.api import Lab
from deploy.lab.database import Row
from tests.gateway.lab import access
from tests.gateway.orphan_ground import end_of_log
from tests.honesty.answers import NODES, State, Told, point, statement_of, written
from tests.honesty.traces import Move

LIMIT_S = 20.0


def lab_name(name: str) -> str:
    """The lab's name of a node of the model."""
    return f"db-{name}"


class Real:
    """A lab of two nodes at site a and one at site b, both channels on their first nodes."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self._ids = {name: int(lab.sql(lab_name(name), "SELECT @@server_id AS id")[0]["id"]) for name in NODES}
        self._begin = {name: end_of_log(lab, lab_name(name)) for name in NODES}
        self._dead: set[str] = set()

    def do(self, move: Move, number: int) -> Told:
        """Make the move in a session of its own."""
        if move.what in ("kill", "return"):
            return self._die_or_live(move)
        if move.what == "rotate":
            return self._send(move.node, "FLUSH BINARY LOGS")
        if move.what == "purge":
            return self._send(move.node, f"PURGE BINARY LOGS TO '{end_of_log(self.lab, lab_name(move.node)).file}'")
        if move.what in ("write", "ddl"):
            return self._send(move.node, statement_of(move.what, number))
        if move.what == "local":
            return self._send(move.node, "SET SESSION wsrep_on=OFF", statement_of("local", number))
        if move.what == "point":
            return self._send(move.node, self._point(move))
        return self._send(move.node, move.what)

    def _die_or_live(self, move: Move) -> Told:
        if move.what == "kill":
            self.lab.kill(lab_name(move.node))
            self._dead.add(move.node)
        else:
            self.lab.start(lab_name(move.node), bootstrap=True)
            self._dead.discard(move.node)
        return Told()

    @property
    def _alive(self) -> list[str]:
        return [name for name in NODES if name not in self._dead]

    def _point(self, move: Move) -> str:
        source, account = self.lab.node(lab_name(move.source)), self.lab.accounts["replication"]
        own = tuple(number for name, number in self._ids.items() if name[0] == move.node[0])
        sql = point(source.host, source.port, account.user, end_of_log(self.lab, source.name), own)
        return sql.replace("{{secret:replication}}", account.password)

    def _send(self, node: str, *statements: str) -> Told:
        with self.lab.admin(lab_name(node), 30) as connection, contextlib.closing(connection.cursor()) as cursor:
            try:
                for sql in statements:
                    cursor.execute(sql)
                cursor.execute("SHOW WARNINGS")
                return Told(0, frozenset(int(row["Code"]) for row in cursor.fetchall()))
            except MySQLdb.Error as error:
                return Told(int(error.args[0]))

    def settled(self, expected: State, limit_s: float = LIMIT_S) -> State:
        """The state once everything arrived and it is as expected, or as it is after the limit."""
        until = time.monotonic() + limit_s
        while not self._has_all_arrived() and time.monotonic() < until:
            time.sleep(0.02)
        while (seen := self.state()) != expected and time.monotonic() < until:
            time.sleep(0.1)
        return seen

    def _has_all_arrived(self) -> bool:
        """Whether channels that run have applied all their sources wrote, and members what their cluster committed."""
        for name in self._alive:
            self._send(name, "SET STATEMENT wsrep_sync_wait=1 FOR SELECT 1")
        rows = [row for name in self._alive for row in self.lab.sql(lab_name(name), "SHOW ALL SLAVES STATUS")]
        return all(self._is_level(row) for row in rows if row["Slave_IO_Running"] == row["Slave_SQL_Running"] == "Yes")

    def _is_level(self, row: Row) -> bool:
        source = next(node.name for node in self.lab.nodes if node.host == row["Master_Host"])
        if source in map(lab_name, self._dead):
            return False
        end = end_of_log(self.lab, source)
        return (row["Relay_Master_Log_File"], row["Exec_Master_Log_Pos"]) == (end.file, end.offset)

    def state(self) -> State:
        """What logs and channels show now."""
        names = {number: name for name, number in self._ids.items()}
        logs, channels, read_only = {}, {}, {}
        for name in self._alive:
            there = access(self.lab, lab_name(name))
            reader = Reader(there.ref, there.monitor)
            try:
                log = BinlogLog(reader, dialect_for("mariadb", "10.11.19"))
                logs[name] = written(read_groups(Cursor(log).events_from(self._kept_since(name, reader))), names)
            finally:
                reader.close()
            for row in self.lab.sql(lab_name(name), "SHOW ALL SLAVES STATUS"):
                channels[name] = (str(row["Slave_IO_Running"]), str(row["Slave_SQL_Running"]))
            is_on = self.lab.sql(lab_name(name), "SELECT @@GLOBAL.read_only AS is_on")[0]["is_on"]
            read_only[name] = "ON" if is_on else "OFF"
        return State(logs, channels, read_only)

    def _kept_since(self, name: str, reader: Reader) -> FilePosition:
        """Where what its log still holds of the trace begins."""
        oldest = str(reader.query("SHOW BINARY LOGS")[0]["Log_name"])
        return max(self._begin[name], FilePosition(oldest, FIRST_EVENT_OFFSET))

"""A trace on real servers."""

from __future__ import annotations

import contextlib
import time

import MySQLdb

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import read_groups
from backend.core.binlog.logs import BinaryLog
from backend.core.dialects import dialect_for
from backend.core.dialects.base import FromGtidSlavePos
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition, MariadbGtidSet
from backend.gateway.polling.parallel import SessionPool, observe_once
from backend.gateway.reader import Reader
from deploy.lab.api import Lab
from deploy.lab.server import process
from deploy.lab.server.database import Row
from tests.conformance.observations import NODES, Describer, Reading, State, StatementResult, point, statement_of
from tests.conformance.traces import Move
from tests.gateway.lab import access
from tests.gateway.orphan_statements import end_of_log
from tests.support.waiting import patience, wait_for

LIMIT_S = 60.0
ALONE = "SET GLOBAL wsrep_on=OFF"
TOGETHER = "SET GLOBAL wsrep_on=ON"


def lab_name(name: str) -> str:
    """The lab's name of a node of the model."""
    return f"db-{name}"


def bring_back(lab: Lab) -> None:
    """Every node is up and works again."""
    for node in lab.nodes:
        if lab.state(node.name) == process.STOPPED:
            lab.start(node.name, bootstrap=True)
        lab.thaw(node.name)


class Real:
    """A lab of three nodes at site a and one at site b, both channels on their first nodes."""

    def __init__(self, lab: Lab, *, by_gtid: bool = False) -> None:
        self.lab = lab
        self.by_gtid = by_gtid
        self._ids = {name: lab.node(lab_name(name)).server_id for name in NODES}
        self._begin = {name: end_of_log(lab, lab_name(name)) for name in NODES}
        self._sessions = SessionPool()
        self._describer = Describer(self._ids, {lab.node(lab_name(name)).host: name for name in NODES})

    def do(self, move: Move, number: int) -> StatementResult:
        """Make the move in a session of its own."""
        if move.what in ("kill", "return", "freeze", "thaw"):
            return self._die_or_live(move)
        if move.what == "rotate":
            return self._send(move.node, "FLUSH BINARY LOGS")
        if move.what == "purge":
            return self._send(move.node, f"PURGE BINARY LOGS TO '{end_of_log(self.lab, lab_name(move.node)).file}'")
        if move.what in ("write", "ddl"):
            return self._send(move.node, statement_of(move.what, number))
        if move.what == "local":
            return self._send(move.node, "SET SESSION wsrep_on=OFF", statement_of("local", number))
        if move.what == "reset":
            return self._reset(move.node)
        if move.what == "point" and self.by_gtid:
            position = self._position(move.source, "gtid_binlog_pos")
            placed = self._send(move.node, f"SET GLOBAL gtid_slave_pos='{position}'")
            return placed if placed.errno else placed.then(self._send(move.node, self._point(move)))
        return self._send(move.node, self._point(move) if move.what == "point" else move.what)

    def _die_or_live(self, move: Move) -> StatementResult:
        name = lab_name(move.node)
        if move.what == "kill":
            self.lab.kill(name)
        elif move.what == "return":
            self.lab.start(name, bootstrap=True)
        elif move.what == "freeze":
            self.lab.freeze(name)
        else:
            self.lab.thaw(name)
        state = {"freeze": process.FROZEN, "kill": process.STOPPED}.get(move.what, process.RUNNING)
        wait_for(lambda: self.lab.state(name) == state, f"{name} to be {state}")
        return StatementResult()

    def _reset(self, node: str) -> StatementResult:
        """RESET MASTER; a Galera node refuses it, so it leaves its cluster's ways for a moment."""
        file = end_of_log(self.lab, lab_name(node)).file
        was = self.lab.sql(lab_name(node), "SELECT @@GLOBAL.wsrep_on AS is_on")[0]["is_on"]
        result = self._send(node, ALONE, "RESET MASTER", TOGETHER if was else ALONE)
        self._begin[node] = FilePosition(f"{FilePosition(file, FIRST_EVENT_OFFSET).base}.000001", FIRST_EVENT_OFFSET)
        return result

    @property
    def _alive(self) -> list[str]:
        return [name for name in NODES if self.lab.state(lab_name(name)) == process.RUNNING]

    def _point(self, move: Move) -> str:
        source, account = self.lab.node(lab_name(move.source)), self.lab.accounts["replication"]
        own = tuple(dict.fromkeys(number for name, number in self._ids.items() if name[0] == move.node[0]))
        at = FromGtidSlavePos() if self.by_gtid else end_of_log(self.lab, source.name)
        return point(source.host, source.port, account.user, at, own).replace(
            "{{secret:replication}}", account.password
        )

    def _position(self, node: str, variable: str) -> MariadbGtidSet:
        return MariadbGtidSet.parse(str(self.lab.sql(lab_name(node), f"SELECT @@GLOBAL.{variable} AS gtid")[0]["gtid"]))

    def _send(self, node: str, *statements: str) -> StatementResult:
        with self.lab.admin(lab_name(node), 30) as connection, contextlib.closing(connection.cursor()) as cursor:
            try:
                for sql in statements:
                    cursor.execute(sql)
                cursor.execute("SHOW WARNINGS")
                return StatementResult(0, frozenset(int(row["Code"]) for row in cursor.fetchall()))
            except MySQLdb.Error as error:
                return StatementResult(int(error.args[0]))

    def settled(self, expected: State, limit_s: float = LIMIT_S) -> State:
        """The state once everything arrived and it is as expected, or as it is after the limit."""
        until = time.monotonic() + limit_s * patience()
        while not self._has_all_arrived() and time.monotonic() < until:
            time.sleep(0.02)
        while (seen := self.state()) != expected and time.monotonic() < until:
            time.sleep(0.1)
        return seen

    def _has_all_arrived(self) -> bool:
        """Whether channels that run have applied all their sources wrote, and members what their cluster committed.

        One that stands past the end of its source's log, which was reset, has nothing to wait for.
        """
        for name in self._alive:
            self._send(name, "SET STATEMENT wsrep_sync_wait=1 FOR SELECT 1")
        rows = [row for name in self._alive for row in self.lab.sql(lab_name(name), "SHOW ALL SLAVES STATUS")]
        return all(self._is_level(row) for row in rows if row["Slave_IO_Running"] == row["Slave_SQL_Running"] == "Yes")

    def _is_level(self, row: Row) -> bool:
        source = next(node.name for node in self.lab.nodes if node.host == row["Master_Host"])
        if self.lab.state(source) != process.RUNNING:
            return False
        end = end_of_log(self.lab, source)
        return (row["Relay_Master_Log_File"], int(row["Exec_Master_Log_Pos"])) >= (end.file, end.offset)

    def state(self) -> State:
        """What a poll of every node and its log show now."""
        return self._describer.state({name: self._reading(name) for name in NODES})

    def _reading(self, name: str) -> Reading:
        there = access(self.lab, lab_name(name))
        facts = observe_once(there, self._sessions)
        if not facts.is_up:
            return Reading(facts, self._begin[name])
        reader = Reader(there.ref, there.monitor)
        try:
            log = BinaryLog(reader, dialect_for("mariadb", "10.11.19"))
            groups = tuple(read_groups(Cursor(log).events_from(self._kept_since(name, reader))))
        finally:
            reader.close()
        positions = (self._position(name, variable) for variable in ("gtid_binlog_pos", "gtid_slave_pos"))
        return Reading(facts, self._begin[name], groups, *positions)

    def _kept_since(self, name: str, reader: Reader) -> FilePosition:
        """Where what its log still holds of the trace begins."""
        oldest = str(reader.query("SHOW BINARY LOGS")[0]["Log_name"])
        return max(self._begin[name], FilePosition(oldest, FIRST_EVENT_OFFSET))

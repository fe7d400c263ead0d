"""A trace on the model."""

from __future__ import annotations

import re

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, read_groups
from backend.core.binlog.logs import BinaryLog
from backend.core.dialects import dialect_for
from backend.core.dialects.base import FromGtidSlavePos
from backend.core.facts.channel_faults import ERRORS_OF_SENDING
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.topology import Reach
from tests.conformance.observations import NODES, Describer, Reading, State, StatementResult, point, statement_of
from tests.conformance.traces import Move
from tests.fakes.cluster import FakeNode
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld

_NUMBER = re.compile(r"\b(\d{4})\b")
LONG_S = 60.0
"""Any server that stopped responding is noticed by then."""


class Model:
    """Two sites in memory, linked as the lab is."""

    def __init__(self, *, by_gtid: bool = False) -> None:
        self.by_gtid = by_gtid
        self.world = FakeWorld(has_gtid_channels=by_gtid)
        for node in self.world.nodes:
            if node.name not in NODES:
                self.world.kill(node.name)
        for name in NODES:
            self.world.reset_log(name)
        for source, replica in (("a1", "b1"), ("b1", "a1")):
            self.world.connect(source, replica, name="")
        self._gateway = FakeGateway(self.world, moves=False)
        nodes = [self.world.node(name) for name in NODES]
        self._begin = {node.name: node.log.end for node in nodes}
        self._describer = Describer({n.name: n.server_id for n in nodes}, {n.ref.host: n.name for n in nodes})

    def do(self, move: Move, number: int) -> StatementResult:
        """Make the move, let everything arrive."""
        result = self.make(move, number)
        self.advance()
        return result

    def advance(self) -> None:
        """Let so much time pass that everything arrives and every silence is noticed."""
        self.world.clock.time_s += LONG_S
        self.world.converge()

    def reconnect_refused(self, seen: State) -> bool:
        """Let channels reconnect that wait behind a log that was reset and were refused on the server; whether one did.

        Such a channel waits as long as its connection holds. One that is cut (a busy machine: no heartbeat within
        slave_net_timeout) asks again for its old place, which the new log does not reach: 1236. Both are right.
        """
        found = False
        for name in NODES:
            node = self.world.node(name)
            for channel, observed in zip(node.channels.values(), seen[name].channels, strict=False):
                source = self.world.opposite(node).node_at(channel.source)
                waits = channel.io == "Yes" and source is not None and channel.era != source.log.era
                if waits and observed.io == "No" and observed.io_errno in ERRORS_OF_SENDING:
                    channel.io, found = "Connecting", True
        if found:
            self.advance()
        return found

    def make(self, move: Move, number: int) -> StatementResult:
        """Make the move; no time has passed yet."""
        node = self.world.node(move.node)
        if move.what in ("write", "ddl", "local"):
            self._write(move, number)
        elif move.what == "rotate":
            node.log.rotate()
        elif move.what == "purge":
            node.log.purge(len(node.log.files()) - 1)
        elif move.what == "reset":
            self.world.reset_log(move.node)
            self._begin[move.node] = node.log.start
        elif move.what in ("kill", "return", "freeze", "thaw"):
            self._die_or_live(move)
        else:
            return self._send(move)
        return StatementResult()

    def _write(self, move: Move, number: int) -> None:
        statement = statement_of(move.what, number)
        if move.what == "local":
            self.world.write_local(move.node, statement)
        else:
            self.world.write(move.node, statement, kind="ddl" if move.what == "ddl" else "dml")

    def _die_or_live(self, move: Move) -> None:
        if move.what == "kill":
            self.world.kill(move.node)
        elif move.what == "return":
            self.world.start_server(move.node)
        elif move.what == "freeze":
            has_majority = len(self.world.cluster_of(self.world.node(move.node)).live) > 2
            self.world.kill(move.node, reach=Reach.HUNG, is_expelled=has_majority)
        else:
            self.world.restart(move.node)

    def _send(self, move: Move) -> StatementResult:
        node = self.world.node(move.node)
        if move.what != "point":
            return self._execute(node, move.what)
        source = self.world.node(move.source)
        if self.by_gtid:
            placed = self._execute(node, f"SET GLOBAL gtid_slave_pos='{source.log.state_at(source.log.end)}'")
            return placed if placed.errno else placed.then(self._execute(node, self._point(node, source)))
        return self._execute(node, self._point(node, source))

    def _point(self, node: FakeNode, source: FakeNode) -> str:
        host, port = source.ref.address
        at = FromGtidSlavePos() if self.by_gtid else source.log.end
        return point(host, port, "repl", at, self.world.cluster_of(node).server_ids)

    def _execute(self, node: FakeNode, sql: str) -> StatementResult:
        try:
            notes = self.world.execute(node, sql)
        except NodeError as error:
            return StatementResult(error.code)
        return StatementResult(0, frozenset(int(number) for note in notes for number in _NUMBER.findall(note)[:1]))

    def state(self) -> State:
        """What a poll of every node and its log show now."""
        return self._describer.state({name: self._reading(self.world.node(name)) for name in NODES})

    def _reading(self, node: FakeNode) -> Reading:
        facts, begin = self.world.node_facts(node), self._begin[node.name]
        if not node.is_up:
            return Reading(facts, begin)
        return Reading(facts, begin, self._groups(node), node.log.state_at(node.log.end), node.slave_pos)

    def _groups(self, node: FakeNode) -> tuple[Group, ...]:
        log = BinaryLog(self._gateway.reader(node.ref.id), dialect_for("mariadb", "10.11.19"))
        return tuple(read_groups(Cursor(log).events_from(self._kept_since(node))))

    def _kept_since(self, node: FakeNode) -> FilePosition:
        return max(self._begin[node.name], node.log.start)

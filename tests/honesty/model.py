"""A trace on the model."""

from __future__ import annotations

import re

from backend.core.dialects import dialect_for
from backend.core.locate.events import Cursor
from backend.core.locate.groups import read_groups
from backend.core.locate.logs import BinlogLog
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld
from tests.honesty.answers import NODES, State, Told, point, statement_of, written
from tests.honesty.traces import Move

_NUMBER = re.compile(r"\b(\d{4})\b")


class Model:
    """Two sites in memory, linked as the lab is."""

    def __init__(self) -> None:
        self.world = FakeWorld()
        for source, replica in (("a1", "b1"), ("b1", "a1")):
            self.world.connect(source, replica, name="")
        self._gateway = FakeGateway(self.world)
        self._begin = {name: self.world.node(name).log.end for name in NODES}

    def do(self, move: Move, number: int) -> Told:
        """Make the move, let everything arrive."""
        told = self._do(move, number)
        self.world.settle()
        return told

    def _do(self, move: Move, number: int) -> Told:
        node = self.world.node(move.node)
        if move.what == "write":
            self.world.write(move.node, statement_of("write", number))
        elif move.what == "ddl":
            self.world.write(move.node, statement_of("ddl", number), kind="ddl")
        elif move.what == "local":
            txn = self.world.txn(move.node, statement_of("local", number), is_local=True)
            self.world.cluster_of(node).write_local(node, txn)
        elif move.what == "rotate":
            node.log.rotate()
        elif move.what == "purge":
            node.log.purge(len(node.log.files()) - 1)
        elif move.what == "kill":
            self.world.lose(move.node)
        elif move.what == "return":
            self.world.start_server(move.node)
        else:
            return self._send(move)
        return Told()

    def _send(self, move: Move) -> Told:
        node = self.world.node(move.node)
        sql = move.what
        if sql == "point":
            source = self.world.node(move.source)
            own = self.world.cluster_of(node).server_ids
            host, port = source.ref.address
            sql = point(host, port, "repl", source.log.end, own)
        try:
            notes = self.world.execute(node, sql)
        except NodeError as error:
            return Told(error.code)
        return Told(0, frozenset(int(number) for note in notes for number in _NUMBER.findall(note)[:1]))

    def state(self) -> State:
        """What logs and channels show now."""
        names = {self.world.node(name).server_id: name for name in NODES}
        logs = {}
        alive = [self.world.node(name) for name in NODES if self.world.node(name).is_up]
        for name in (node.name for node in alive):
            log = BinlogLog(self._gateway.reader(self.world.node(name).ref.id), dialect_for("mariadb", "10.11.19"))
            logs[name] = written(read_groups(Cursor(log).events_from(self._kept_since(name))), names)
        channels = {n.name: (c.io, c.sql) for n in alive for c in n.channels.values()}
        return State(logs, channels, {node.name: node.variables["read_only"] for node in alive})

    def _kept_since(self, name: str) -> FilePosition:
        return max(self._begin[name], self.world.node(name).log.start)

"""Two clusters of three nodes with their channels; every transaction can be followed one by one.

Nothing moves by itself: `tick` writes (where a workload is on) and lets running channels carry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from backend.core.ports import NodeError
from backend.core.positions import FilePosition, MariadbGtidSet
from backend.core.topology import (
    ClusterFacts,
    Direction,
    LinkFacts,
    NodeFacts,
    Reach,
    RecordedChannel,
)
from tests.fakes.channel import OPTIONS, FakeChannel
from tests.fakes.clock import FakeClock
from tests.fakes.cluster import FakeCluster, FakeNode
from tests.fakes.journal import FakeCheckpoint, FakeJournal
from tests.fakes.log import Placed
from tests.fakes.rows import PREFIX as ROWS
from tests.fakes.rows import FakeTables, unpacked
from tests.fakes.statements import Statement, ids_of, options_of, parse_change
from tests.fakes.txn import Txn

CHANNEL = "link1"
LINK_ID = "l_link1"
PASSWORD = "pass'word"
USERS = {"c_a": "repl_a", "c_b": "repl_b"}


@dataclass(frozen=True, slots=True)
class Executed:
    """A changing statement that took effect on a server."""

    node: str
    sql: str
    verb: str


@dataclass(slots=True)
class FakeWorld:
    """The servers, the journal and the clock. `second_seen` fills as soon as one direction is carried twice."""

    has_gtid_mode: bool = False
    has_gtid_channels: bool = False
    clock: FakeClock = field(default_factory=FakeClock)
    journal: FakeJournal = field(default_factory=FakeJournal)
    executed: list[Executed] = field(default_factory=list)
    second_seen: list[str] = field(default_factory=list)
    recorded: list[RecordedChannel] = field(default_factory=list)
    has_workload: bool = False
    backlog: int = 0
    forgotten_ids: set[str] = field(default_factory=set)
    on_tick: Callable[[], None] | None = None
    next_uid: count[int] = field(default_factory=lambda: count(1))
    ticks: int = 0

    tables: dict[str, FakeTables] = field(init=False)
    a: FakeCluster = field(init=False)
    b: FakeCluster = field(init=False)

    def __post_init__(self) -> None:
        mode, one_id = self.has_gtid_mode or self.has_gtid_channels, self.has_gtid_channels
        self.a = FakeCluster("a", "10.0.1", 10, first_seqno=100, has_gtid_mode=mode, is_one_server_id=one_id)
        self.b = FakeCluster("b", "10.0.2", 20, first_seqno=5_000, has_gtid_mode=mode, is_one_server_id=one_id)
        self.tables = {self.a.id: FakeTables(), self.b.id: FakeTables()}
        self.clock.on_sleep = self.tick

    # -- building

    @property
    def nodes(self) -> list[FakeNode]:
        """All six."""
        return self.a.nodes + self.b.nodes

    def node(self, key: str) -> FakeNode:
        """By name or id."""
        return next(n for n in self.nodes if key in (n.name, n.ref.id))

    def cluster_of(self, node: FakeNode) -> FakeCluster:
        """Its cluster."""
        return self.a if node in self.a.nodes else self.b

    def source_cluster(self, direction: Direction) -> FakeCluster:
        """Where that direction comes from."""
        return self.a if direction is Direction.FORWARD else self.b

    def receiving_cluster(self, direction: Direction) -> FakeCluster:
        """Where that direction goes to."""
        return self.b if direction is Direction.FORWARD else self.a

    def connect(self, source: str, replica: str, *, name: str = CHANNEL, is_running: bool = True) -> FakeChannel:
        """Set a channel up at the end of the source's log."""
        src, dst = self.node(source), self.node(replica)
        channel = FakeChannel(
            name=name,
            source=src.ref.address,
            user=USERS[self.cluster_of(src).id],
            position=src.log.end,
            ignore=self.cluster_of(dst).server_ids,
            source_server_id=src.server_id,
            options=OPTIONS | ({"Using_Gtid": "Slave_Pos"} if self.has_gtid_channels else {}),
        )
        if is_running:
            channel.io = channel.sql = "Yes"
        dst.channels[name] = channel
        return channel

    def classic(self) -> FakeWorld:
        """Both channels between a1 and b1, some history, samples and a record of it."""
        self.connect("a1", "b1")
        self.connect("b1", "a1")
        for n in range(12):
            self.write("a1" if n % 2 else "a2")
            if n % 5 == 0:
                self.write("b2")
            self.tick()
        self.remember()
        return self

    def txn(self, node: str, statement: str | None = None, **shape: object) -> Txn:
        """A new transaction written on that node."""
        uid = next(self.next_uid)
        text = statement if statement is not None else f"INSERT INTO orders VALUES ({uid})"
        return Txn(uid, self.node(node).server_id, text, **shape)  # type: ignore[arg-type]

    def write(self, node: str, statement: str | None = None, **shape: object) -> Txn:
        """Commit a new transaction on that node's cluster."""
        txn = self.txn(node, statement, **shape)
        self.cluster_of(self.node(node)).commit(txn)
        return txn

    def write_local(self, node: str) -> Txn:
        """A node-local write."""
        txn = self.txn(node, is_local=True)
        self.cluster_of(self.node(node)).write_local(self.node(node), txn)
        return txn

    def lose(self, node: str, *, reach: Reach = Reach.DOWN, is_expelled: bool = True) -> None:
        """The node stops answering; expelled from its cluster or (hung, cut from us) still a member."""
        victim = self.node(node)
        victim.reach = reach
        if is_expelled:
            victim.is_member = False
            self.cluster_of(victim).conf_id += 1
        for channel in victim.channels.values():
            channel.io = "Connecting" if channel.io != "No" else "No"

    def come_back(self, node: str) -> None:
        """The node rejoins by IST; its channels start by themselves."""
        back = self.node(node)
        back.reach, back.is_member = Reach.UP, True
        self.cluster_of(back).conf_id += 1
        self.cluster_of(back).catch_up(back)

    def remember(self) -> None:
        """One tick of the monitor: samples of every live node, and where the channels stand."""
        self.recorded = [r for d in Direction if (r := self._record(d)) is not None]
        for node in (n for n in self.nodes if n.is_up):
            self.journal.add(self._sample(node))
        self.clock.time_s += 1.0

    def _record(self, direction: Direction) -> RecordedChannel | None:
        found = self.facts().holders(direction)
        old = next((r for r in self.recorded if r.direction is direction), None)
        if len(found) != 1:
            return old
        holder = found[0]
        now_s = self.clock.now_s()
        return RecordedChannel(direction, holder.replica.node.id, holder.source.id, holder.channel, now_s)

    def _sample(self, node: FakeNode) -> FakeCheckpoint:
        cluster, end = self.cluster_of(node), node.log.end
        last = node.log.placed[-1] if node.log.placed else None
        exact = last is not None and last.end == end and last.xid is not None and not last.txn.is_local
        seqno = last.xid if exact and last is not None and last.xid is not None else cluster.seqno
        return FakeCheckpoint(node.ref.id, cluster.uuid, end, seqno, self.clock.now_s(), exact)

    # -- facts

    def facts(self) -> LinkFacts:
        """The link as one look at all nodes shows it."""
        now_s = self.clock.now_s()
        active, standby = (self._cluster_facts(c, now_s) for c in (self.a, self.b))
        return LinkFacts(LINK_ID, "dc1-dc2", active, standby, CHANNEL, tuple(self.recorded), now_s)

    def node_facts(self, node: FakeNode) -> NodeFacts:
        """One node now."""
        return self.cluster_of(node).facts_of(node, self.clock.now_s())

    def _cluster_facts(self, cluster: FakeCluster, now_s: float) -> ClusterFacts:
        return ClusterFacts(
            id=cluster.id,
            name=cluster.name,
            site=cluster.name,
            nodes=tuple(cluster.facts_of(n, now_s) for n in cluster.nodes),
            recorded_state_uuid=cluster.recorded_uuid,
            known_server_ids={n.ref.id: n.server_id for n in cluster.nodes if n.ref.id not in self.forgotten_ids},
        )

    # -- going on

    def tick(self) -> None:
        """A moment passes: the workload writes, channels carry, and the number of carriers is watched."""
        self.ticks += 1
        if self.has_workload:
            self._work()
        for node in self.nodes:
            for channel in node.channels.values():
                if node.is_up:
                    self._carry(node, channel)
        self._watch()
        if self.on_tick is not None:
            self.on_tick()

    def _work(self) -> None:
        for cluster, every in ((self.a, 3), (self.b, 8)):
            live = [node for node in cluster.live if node.takes_writes]
            if live and self.ticks % every == 1:
                self.write(live[self.ticks % len(live)].name)

    def settle(self) -> None:
        """Stop writing and let everything arrive."""
        self.has_workload, self.backlog = False, 0
        for _ in range(6):
            self.tick()

    def _carry(self, node: FakeNode, channel: FakeChannel) -> None:
        direction = Direction.FORWARD if node in self.b.nodes else Direction.REVERSE
        source = self.source_cluster(direction).node_at(channel.source)
        if channel.io != "No":
            if channel.is_unplaced and source is not None and source.is_up:
                self._place(node, source, channel)
            self._receive(source, channel)
        if channel.sql == "Yes":
            ready = channel.pending[: max(0, len(channel.pending) - self.backlog)]
            for placed in ready:
                self.cluster_of(node).commit(placed.txn, placed.gtid)
                channel.applied(placed)
            if not channel.pending and not channel.is_cut_off and channel.read is not None:
                channel.position = channel.read

    def _place(self, node: FakeNode, source: FakeNode, channel: FakeChannel) -> None:
        """A source sends from the first group that a GTID position does not hold; one ahead of it is refused."""
        reached = {gtid.domain: gtid.seq_no for gtid in node.slave_pos}
        last = {p.gtid.domain: p.gtid.seq_no for p in source.log.placed if p.gtid}
        if any(seq > last.get(domain, 0) for domain, seq in reached.items()):
            channel.io, channel.io_error = "No", "1236: requested GTID is not in the binlog"
            return
        missing = (p for p in source.log.placed if p.gtid and p.gtid.seq_no > reached.get(p.gtid.domain, 0))
        first = next(missing, None)
        channel.position = channel.read = first.start if first else source.log.end
        channel.is_unplaced = False

    def _receive(self, source: FakeNode | None, channel: FakeChannel) -> None:
        if channel.io == "No":
            return
        if source is None or not source.is_up:
            channel.io, channel.io_error = "Connecting", "error connecting to master"
            return
        if channel.io == "Connecting":
            channel.open_relay()
        channel.io, channel.io_error, channel.is_cut_off = "Yes", "", False
        channel.source_server_id = source.server_id
        read = channel.read
        assert read is not None
        if read.file not in {name for name, _ in source.log.files()}:
            channel.io, channel.io_error = "No", "1236: could not find first log file"
            return
        for placed in _after(source.log.placed, read):
            if placed.start < read:
                channel.io, channel.io_error = "No", "1236: position within a group"
                return
            if placed.txn.server_id in channel.ignore:
                channel.skip_to(placed.end)
            else:
                channel.receive(placed, dress=source.log.dress)
        channel.skip_to(source.log.end)

    def _watch(self) -> None:
        for direction in Direction:
            cluster = self.receiving_cluster(direction)
            found = [n.name for n in cluster.nodes for c in n.channels.values() if n.is_member and c.is_running]
            if len(found) > 1:
                self.second_seen.append(f"{direction}: {', '.join(found)}")

    # -- changing

    def execute(self, node: FakeNode, sql: str) -> list[str]:
        """Let a changing statement take effect; returns warnings, raises NodeError as the server would."""
        if sql.startswith(ROWS):
            return self._rows(node, sql)
        statement = parse_change(sql)
        warnings = _EFFECTS[statement.verb](self, node, statement)
        self.executed.append(Executed(node.name, sql, statement.verb))
        self._watch()
        self.tick()
        return warnings

    def _rows(self, node: FakeNode, sql: str) -> list[str]:
        """Rows and their marker, all or none."""
        statements, marker = unpacked(sql)
        self.tables[self.cluster_of(node).id].apply(node.name, statements)
        parts = parse_change(marker).parts or {}
        self.write(node.name, f"PROBE {parts['link']} {parts['direction']} {parts['token']}", table="hawser.probe")
        return []

    def _stop(self, node: FakeNode, statement: Statement) -> list[str]:
        channel = self._known(node, statement)
        if not channel.is_running:
            return ["Note 1255: Slave already has been stopped"]
        if statement.thread in (None, "IO_THREAD"):
            channel.io, channel.io_error = "No", ""
        if statement.thread in (None, "SQL_THREAD"):
            channel.sql = "No"
        return []

    def _start(self, node: FakeNode, statement: Statement) -> list[str]:
        channel = self._known(node, statement)
        was = (channel.io, channel.sql)
        if statement.thread in (None, "IO_THREAD") and channel.io == "No":
            channel.io = "Connecting"
        if statement.thread in (None, "SQL_THREAD"):
            channel.sql = "Yes"
        return ["Note 1254: Slave is already running"] if was == (channel.io, channel.sql) else []

    def _reset(self, node: FakeNode, statement: Statement) -> list[str]:
        channel = self._known(node, statement)
        if channel.is_running:
            raise NodeError(node.name, "error 1198: this operation cannot be performed with a running slave", code=1198)
        del node.channels[statement.name]
        return []

    def _change(self, node: FakeNode, statement: Statement) -> list[str]:
        old = node.channels.get(statement.name)
        if old is not None and old.is_running:
            raise NodeError(node.name, "error 1198: this operation cannot be performed with a running slave", code=1198)
        parts = statement.parts or {}
        by_gtid = parts["MASTER_USE_GTID"] == "slave_pos"
        assert by_gtid != ("MASTER_LOG_FILE" in parts), "coordinates are ignored in GTID mode"
        file, offset = parts.get("MASTER_LOG_FILE", "none.000001"), int(parts.get("MASTER_LOG_POS", 4))
        node.channels[statement.name] = FakeChannel(
            name=statement.name,
            source=(parts["MASTER_HOST"], int(parts["MASTER_PORT"])),
            user=parts["MASTER_USER"],
            position=FilePosition(file, offset),
            ignore=ids_of(parts["IGNORE_SERVER_IDS"]),
            options=OPTIONS | options_of(parts),
            is_unplaced=by_gtid,
        )
        return []

    def _set_gtid(self, node: FakeNode, statement: Statement) -> list[str]:
        """One variable of the whole server; strict mode refuses a position behind the own binlog."""
        parts = statement.parts or {}
        if any(channel.is_running for channel in node.channels.values()):
            raise NodeError(node.name, "error 1198: this operation cannot be performed with a running slave", code=1198)
        wanted = MariadbGtidSet.parse(parts["position"])
        own = self.cluster_of(node)
        last = max((p.gtid.seq_no for p in node.log.placed if p.gtid and p.gtid.domain == own.domain), default=0)
        at = wanted.of_domain(own.domain)
        is_behind = last > (at.seq_no if at else 0)
        if is_behind and node.variables["gtid_strict_mode"] == "ON" and not parts["lifts_strict"]:
            raise NodeError(node.name, "error 1947: conflicts with the binary log", code=1947)
        node.slave_pos = wanted
        if parts["lifts_strict"]:
            node.variables["gtid_strict_mode"] = "ON"
        return ["Warning 1947: conflicts with the binary log"] if is_behind else []

    def _set(self, node: FakeNode, statement: Statement) -> list[str]:
        parts = statement.parts or {}
        node.variables[parts["variable"]] = parts["value"]
        return []

    def _probe(self, node: FakeNode, statement: Statement) -> list[str]:
        parts = statement.parts or {}
        self.write(node.name, f"PROBE {parts['link']} {parts['direction']} {parts['token']}")
        return []

    def _known(self, node: FakeNode, statement: Statement) -> FakeChannel:
        if statement.name not in node.channels:
            raise NodeError(node.name, f"error 1617: there is no master connection '{statement.name}'", code=1617)
        return node.channels[statement.name]

    # -- judging

    def stream(self, direction: Direction) -> list[int]:
        """Transactions written in a direction's source cluster, in order (node-local ones left out)."""
        source = self.source_cluster(direction)
        return [e.txn.uid for e in source.history if e.txn.server_id in source.server_ids]

    def received(self, direction: Direction) -> list[int]:
        """Those of them the receiving cluster holds, in its order."""
        ids = self.source_cluster(direction).server_ids
        history = self.receiving_cluster(direction).history
        return [e.txn.uid for e in history if e.txn.server_id in ids and not e.txn.is_local]

    def faults(self) -> list[str]:
        """Lost, doubled or misordered transactions, in words; [] where every one stands once on both sides."""
        found = []
        for direction in Direction:
            sent, got = self.stream(direction), self.received(direction)
            if sent != got:
                found.append(f"{direction}: lost {sorted(set(sent) - set(got))}, order kept {sorted(got) == got}")
        for cluster in (self.a, self.b):
            if cluster.doubled:
                found.append(f"{cluster.name}: doubled {cluster.doubled}")
        return found + self.second_seen


def _after(placed: list[Placed], position: FilePosition) -> list[Placed]:
    found: list[Placed] = []
    for one in reversed(placed):
        if one.end <= position:
            break
        found.append(one)
    return found[::-1]


_EFFECTS: dict[str, Callable[[FakeWorld, FakeNode, Statement], list[str]]] = {
    "STOP": FakeWorld._stop,
    "START": FakeWorld._start,
    "RESET": FakeWorld._reset,
    "CHANGE": FakeWorld._change,
    "GTID": FakeWorld._set_gtid,
    "PROBE": FakeWorld._probe,
    "SETTING": FakeWorld._set,
}

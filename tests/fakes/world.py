"""Two clusters of three nodes with their channels; every transaction can be followed one by one.

Nothing moves by itself: `tick` writes (where a workload is on) and lets running channels carry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count

from backend.core.link_facts import Divergence, LinkFacts, RecordedChannel
from backend.core.topology import Direction, NodeFacts, Reach
from tests.fakes.channel import OPTIONS, FakeChannel
from tests.fakes.clock import FakeClock
from tests.fakes.cluster import FakeCluster, FakeNode
from tests.fakes.effects import EFFECTS, apply_rows, change_definition
from tests.fakes.journal import FakeCheckpoint, FakeJournal
from tests.fakes.replication import carry, read
from tests.fakes.rows import CHANGE_PREFIX as DEFINITION
from tests.fakes.rows import PREFIX as ROWS
from tests.fakes.rows import FakeTables
from tests.fakes.statements import parse_change
from tests.fakes.transactions import SHAPES, Txn

CHANNEL = "link1"
LINK_ID = "l_link1"
PASSWORD = "pass'word"
USERS = {"c_a": "repl_a", "c_b": "repl_b"}
UNDERWAY_S = 60


@dataclass(frozen=True, slots=True)
class Executed:
    """A changing statement that took effect on a server."""

    node: str
    sql: str
    verb: str
    by: object = None


@dataclass(slots=True)
class FakeWorld:
    """The servers, the journal and the clock. `second_seen` fills as soon as one direction is carried twice.

    `is_turned`: b is the active side, as the console's record has it; `divergence` is that record's, too.
    `by_foreign`: what channels that are not ours delivered; `skipped`: what a person let a channel pass over, or
    threw away with a log that it had not read.
    """

    has_gtid_mode: bool = False
    has_gtid_channels: bool = False
    clock: FakeClock = field(default_factory=FakeClock)
    journal: FakeJournal = field(default_factory=FakeJournal)
    executed: list[Executed] = field(default_factory=list)
    second_seen: list[str] = field(default_factory=list)
    recorded: list[RecordedChannel] = field(default_factory=list)
    stray_since_s: dict[str, float] = field(default_factory=dict)
    """Nodes (ids) whose channel a run pointed, and when; those it started since are not among them."""
    has_workload: bool = False
    backlog: int = 0
    by_foreign: set[int] = field(default_factory=set)
    skipped: set[int] = field(default_factory=set)
    forgotten_ids: set[str] = field(default_factory=set)
    on_tick: Callable[[], None] | None = None
    is_turned: bool = False
    divergence: Divergence | None = None
    next_uid: count[int] = field(default_factory=lambda: count(1))
    ticks: int = 0
    next_connection: count[int] = field(default_factory=lambda: count(101))

    tables: dict[str, FakeTables] = field(init=False)
    overwritten: dict[str, int] = field(default_factory=dict)
    a: FakeCluster = field(init=False)
    b: FakeCluster = field(init=False)

    def __post_init__(self) -> None:
        mode, one_id = self.has_gtid_mode or self.has_gtid_channels, self.has_gtid_channels
        self.a = FakeCluster("a", "10.0.1", 10, first_seqno=100, has_gtid_mode=mode, is_one_server_id=one_id)
        self.b = FakeCluster("b", "10.0.2", 20, first_seqno=5_000, has_gtid_mode=mode, is_one_server_id=one_id)
        self.tables = {self.a.id: FakeTables(), self.b.id: FakeTables()}
        self.clock.on_sleep = self.tick

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

    def opposite(self, node: FakeNode) -> FakeCluster:
        """The cluster it is not of."""
        return self.b if node in self.a.nodes else self.a

    @property
    def active(self) -> FakeCluster:
        """The side that takes writes, by the console's record."""
        return self.b if self.is_turned else self.a

    @property
    def standby(self) -> FakeCluster:
        """The other side."""
        return self.a if self.is_turned else self.b

    def source_cluster(self, direction: Direction) -> FakeCluster:
        """Where that direction comes from."""
        return self.active if direction is Direction.FORWARD else self.standby

    def receiving_cluster(self, direction: Direction) -> FakeCluster:
        """Where that direction goes to."""
        return self.standby if direction is Direction.FORWARD else self.active

    def turn(self, active_id: str) -> None:
        """Record these roles; channels as recorded change their direction with them."""
        if self.active.id != active_id:
            self.is_turned = not self.is_turned
            self.recorded = turned(self.recorded)

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
            era=src.log.era,
            options=OPTIONS | ({"Using_Gtid": "Slave_Pos"} if self.has_gtid_channels else {}),
        )
        if is_running:
            channel.io = channel.sql = "Yes"
        dst.channels[name] = channel
        return channel

    def connect_both_ways(self) -> FakeWorld:
        """Both channels between a1 and b1, nothing written yet."""
        self.connect("a1", "b1")
        self.connect("b1", "a1")
        return self

    def classic(self) -> FakeWorld:
        """Both channels between a1 and b1, some history, samples and a record of it."""
        self.connect_both_ways()
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
        if statement is None and shape.get("kind", "dml") == "dml":
            shape.setdefault("shape", SHAPES[uid % len(SHAPES)])
        return Txn(uid, self.node(node).server_id, text, **shape)  # type: ignore[arg-type]

    def write(self, node: str, statement: str | None = None, **shape: object) -> Txn:
        """Commit a new transaction on that node's cluster, or on a node that writes alone there."""
        where = self.node(node)
        if where.bypasses_replication:
            return self.write_local(node, statement, **shape)
        txn = self.txn(node, statement, **shape)
        self.cluster_of(where).commit(txn)
        return txn

    def write_times(self, times: int, node: str, statement: str | None = None, *, ticks: bool = False) -> None:
        """So many transactions, alike but for their numbers; where it `ticks`, each moves before the next."""
        for _ in range(times):
            self.write(node, statement)
            if ticks:
                self.tick()

    def write_local(self, node: str, statement: str | None = None, **shape: object) -> Txn:
        """A node-local write."""
        txn = self.txn(node, statement, is_local=True, **shape)
        self.cluster_of(self.node(node)).write_local(self.node(node), txn)
        return txn

    def kill(self, node: str, *, reach: Reach = Reach.DOWN, is_expelled: bool = True) -> None:
        """The node stops answering; expelled from its cluster or (hung, cut from us) still a member."""
        victim = self.node(node)
        victim.reach = reach
        if is_expelled:
            victim.is_member = False
            self.cluster_of(victim).conf_id += 1
        for channel in victim.channels.values():
            channel.io = "Connecting" if channel.io != "No" and reach is not Reach.HUNG else channel.io

    def kill_side(self, cluster: FakeCluster) -> None:
        """All its nodes stop answering."""
        for node in cluster.nodes:
            self.kill(node.name)

    def reset_log(self, node: str) -> None:
        """RESET MASTER: its log begins anew, and so do the GTIDs that it gives by itself."""
        self.node(node).log.reset()
        self.node(node).gtid_seq = 0

    def restart(self, node: str) -> None:
        """The node rejoins by IST, if it was expelled, or applies what waited for it; its channels go on by themselves.

        One that hung and was expelled reads first what came meanwhile, and its SQL thread meets the expulsion with it.
        """
        back = self.node(node)
        is_thawed, back.reach = back.reach is Reach.HUNG, Reach.UP
        if not back.is_member:
            for channel in back.channels.values() if is_thawed else ():
                read(self, back, channel)
                if channel.pending and channel.sql == "Yes" and not channel.bypasses_replication:
                    channel.stop_on_expulsion()
            back.is_member = True
            self.cluster_of(back).conf_id += 1
        self.cluster_of(back).catch_up(back)

    def start_server(self, node: str) -> None:
        """A killed node starts: run-time settings are as in its file, channels run, its log goes on in a new file.

        The recovery run before it, which asks InnoDB for the position, opens a file of its own.
        """
        back = self.node(node)
        back.started_s = self.clock.time_s
        back.variables |= {"read_only": back.read_only_in_file, "wsrep_on": "ON"}
        back.log.reopen()
        back.log.reopen()
        for channel in back.channels.values():
            channel.begin()
        self.restart(node)

    def crash(self, node: str, groups: int, *, starts: bool) -> None:
        """Killed and back at once, what its channels say of themselves so many groups behind its data.

        With `starts` they take up there by themselves.
        """
        back = self.node(node)
        self.clock.time_s += 2.0
        back.started_s = self.clock.time_s
        for channel in back.channels.values():
            channel.fall_back(groups)
            if not starts:
                channel.io = channel.sql = "No"
        self.tick()

    def remember(self) -> None:
        """One tick of the monitor: samples of every live node, and where the channels stand."""
        self._keep_left_pointed()
        self.recorded = [r for d in Direction if (r := self._record(d)) is not None]
        self._keep_standing()
        for node in (n for n in self.nodes if n.is_up):
            self.journal.add(self._sample(node))
        self.clock.time_s += 1.0

    def _record(self, direction: Direction) -> RecordedChannel | None:
        facts = self.facts()
        found, holding = facts.countable_holders(direction), {h.replica.node.id for h in facts.holders(direction)}
        old = next((r for r in self.recorded if r.direction is direction), None)
        left_on = frozenset(i for i in (old.left_on if old else ()) if i in holding or not facts.node(i).is_up)
        if len(found) != 1 or not found[0].channel.is_running:  # as the monitor's record
            return replace(old, left_on=left_on) if old is not None else None
        holder = found[0]
        now_s = self.clock.now_s()
        if old is not None and not facts.node(old.replica_node_id).is_up:
            self.stray_since_s[old.replica_node_id] = now_s
        return RecordedChannel(direction, holder.replica.node.id, holder.source.id, holder.channel, now_s, left_on)

    def _keep_left_pointed(self) -> None:
        """A channel that began by itself is to be cleaned (backend/monitoring/recording/stray_channels.py)."""
        for old, node, is_running in self._stray_channels():
            since_s = self.stray_since_s.get(node.ref.id)
            if is_running and since_s is not None and node.started_s >= since_s:
                del self.stray_since_s[node.ref.id]
                self.recorded = [
                    replace(r, left_on=r.left_on | {node.ref.id}) if r.direction is old.direction else r
                    for r in self.recorded
                ]

    def _keep_standing(self) -> None:
        """Marks of what stands beside the record, none of what is gone (as above)."""
        now_s = self.clock.now_s()
        for old, node, _ in self._stray_channels():
            if node.ref.id not in old.left_on:
                self.stray_since_s.setdefault(node.ref.id, now_s)
        on_record = {r.replica_node_id for r in self.recorded}
        for fake in self.nodes:
            since_s = self.stray_since_s.get(fake.ref.id, now_s)
            is_gone = not fake.channels and now_s - since_s > UNDERWAY_S
            is_on_record = fake.ref.id in on_record and any(c.is_running for c in fake.channels.values())
            if fake.is_up and (is_gone or is_on_record):
                self.stray_since_s.pop(fake.ref.id, None)

    def _stray_channels(self) -> list[tuple[RecordedChannel, FakeNode, bool]]:
        """Of every direction on record: its record, each other node that holds a channel, and whether that runs."""
        facts = self.facts()
        return [
            (old, self.node(holder.replica.node.name), holder.channel.is_running)
            for old in self.recorded
            for holder in facts.holders(old.direction)
            if holder.replica.node.id != old.replica_node_id
        ]

    def _sample(self, node: FakeNode) -> FakeCheckpoint:
        cluster, end = self.cluster_of(node), node.log.end
        last = node.log.placed[-1] if node.log.placed else None
        is_group = last is not None and last.end == end and last.xid is not None and not last.txn.is_local
        exact = is_group and last is not None and (last.xid or 0) <= cluster.seqno
        seqno = last.xid if exact and last is not None and last.xid is not None else cluster.seqno
        return FakeCheckpoint(node.ref.id, cluster.uuid, end, seqno, self.clock.now_s(), exact)

    # -- facts

    def facts(self, active_id: str | None = None) -> LinkFacts:
        """The link as one look at all nodes shows it, under the roles of the record or those given."""
        now_s = self.clock.now_s()
        is_other = active_id is not None and active_id != self.active.id
        clusters = (self.standby, self.active) if is_other else (self.active, self.standby)
        active, standby = (c.facts(now_s, self.forgotten_ids) for c in clusters)
        recorded = tuple(turned(self.recorded) if is_other else self.recorded)
        return LinkFacts(LINK_ID, "dc1-dc2", active, standby, CHANNEL, recorded, now_s, self.divergence, self.a.id)

    def node_facts(self, node: FakeNode) -> NodeFacts:
        """One node now."""
        return self.cluster_of(node).facts_of(node, self.clock.now_s())

    # -- going on

    def tick(self) -> None:
        """A moment passes: the workload writes, channels carry, and the number of carriers is watched."""
        self.ticks += 1
        if self.has_workload:
            self._work()
        for node in self.nodes:
            for channel in node.channels.values():
                if node.is_up and node.is_member:
                    carry(self, node, channel)
        self._watch()
        if self.on_tick is not None:
            self.on_tick()

    def _work(self) -> None:
        for cluster, every in ((self.a, 3), (self.b, 8)):
            live = [node for node in cluster.live if node.takes_writes]
            if live and self.ticks % every == 1:
                self.write(live[self.ticks % len(live)].name)

    def converge(self) -> None:
        """Stop writing and let everything arrive."""
        self.has_workload, self.backlog = False, 0
        for _ in range(6):
            self.tick()

    def _watch(self) -> None:
        for direction in Direction:
            cluster = self.receiving_cluster(direction)
            found = [n.name for n in cluster.nodes for c in n.channels.values() if n.is_member and c.is_running]
            if len(found) > 1:
                self.second_seen.append(f"{direction}: {', '.join(found)}")

    # -- changing

    def execute(self, node: FakeNode, sql: str, by: object = None) -> list[str]:
        """Let a changing statement take effect; returns warnings, raises NodeError as the server would."""
        if sql.startswith(ROWS):
            return apply_rows(self, node, sql)
        if sql.startswith(DEFINITION):
            return change_definition(self, node, sql)
        statement = parse_change(sql)
        warnings = EFFECTS[statement.verb](self, node, statement)
        self.executed.append(Executed(node.name, sql, statement.verb, by))
        self._watch()
        self.tick()
        return warnings

    def stream(self, direction: Direction) -> list[int]:
        """Transactions written in a direction's source cluster, in order (node-local ones left out)."""
        source = self.source_cluster(direction)
        return [e.txn.uid for e in source.history if e.txn.server_id in source.server_ids]

    def received(self, direction: Direction) -> list[int]:
        """Those of them the receiving cluster holds, in its order."""
        source, history = self.source_cluster(direction), self.receiving_cluster(direction).history
        ids, written = source.server_ids, source.uids
        return [e.txn.uid for e in history if e.txn.server_id in ids and e.txn.uid in written]

    def faults(self, *, is_ended: bool = False) -> list[str]:
        """Lost, doubled or misordered transactions, in words; [] where every one stands once on both sides.

        Where replication `is_ended`, what was written last has not arrived, and nothing before it is missing.
        """
        found = []
        for direction in Direction:
            sent, got = self.stream(direction), self.received(direction)
            if (sent[: len(got)] if is_ended else sent) != got:
                found.append(f"{direction}: lost {sorted(set(sent) - set(got))}, order kept {sorted(got) == got}")
        for cluster in (self.a, self.b):
            if cluster.doubled:
                found.append(f"{cluster.name}: doubled {cluster.doubled}")
        return found + self.second_seen


def turned(recorded: list[RecordedChannel]) -> list[RecordedChannel]:
    """The same channels, each in the other direction."""
    return [replace(record, direction=record.direction.other) for record in recorded]

"""Two clusters of three nodes with their channels; every transaction can be followed one by one.

Nothing moves automatically: `tick` writes (where a workload is on) and lets running channels carry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count

from backend.core.facts.origins import told_apart
from backend.core.link_facts import Divergence, LinkFacts, RecordedChannel, UnsafePeriod
from backend.core.topology import Direction, NodeFacts, Reach
from tests.fakes.channel import OPTIONS, FakeChannel
from tests.fakes.cluster import FakeCluster, FakeNode
from tests.fakes.copies import copied
from tests.fakes.effects import EFFECTS, apply_rows, change_definition
from tests.fakes.journal import FakeJournal
from tests.fakes.monitor import remember, turned
from tests.fakes.replication import carry, read
from tests.fakes.rows import CHANGE_PREFIX as DEFINITION
from tests.fakes.rows import PREFIX as ROWS
from tests.fakes.rows import FakeTables
from tests.fakes.servers import FakeServers
from tests.fakes.statements import parse_change
from tests.fakes.transactions import SHAPES, Txn

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
    by: object = None


@dataclass(slots=True)
class FakeWorld(FakeServers):
    """The servers, the journal and the clock. `second_seen` fills as soon as one direction is carried twice, `held`
    where a commit would wait for a replica that is not there.

    `is_turned`: b is the active side, as the console's record has it; `divergence` is that record's, too.
    `by_foreign`: what channels that are not ours delivered; `skipped`: what a person let a channel pass over, or
    threw away with a log that it had not read.
    """

    journal: FakeJournal = field(default_factory=FakeJournal)
    executed: list[Executed] = field(default_factory=list)
    second_seen: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    recorded: list[RecordedChannel] = field(default_factory=list)
    unsafe_periods: tuple[UnsafePeriod, ...] = ()
    stray_since_s: dict[str, float] = field(default_factory=dict)
    """Nodes (ids) whose channel a run pointed, and when; those it started since are not among them."""
    has_workload: bool = False
    backlog: int = 0
    by_foreign: set[int] = field(default_factory=set)
    skipped: set[int] = field(default_factory=set)
    forgotten_ids: set[str] = field(default_factory=set)
    on_tick: Callable[[], None] | None = None
    divergence: Divergence | None = None
    next_uid: count[int] = field(default_factory=lambda: count(1))
    ticks: int = 0
    next_connection: count[int] = field(default_factory=lambda: count(101))

    tables: dict[str, FakeTables] = field(init=False)
    overwritten: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        FakeServers.__post_init__(self)  # super() fails in a dataclass with slots
        self.tables = {self.a.id: FakeTables(), self.b.id: FakeTables()}
        self.clock.on_sleep = self.tick

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

    @classmethod
    def classic(cls, *, has_gtid_mode: bool = False, has_gtid_channels: bool = False) -> FakeWorld:
        """Another each time, built once: with history, and nothing else that differs from a new one."""
        return _classic(cls, has_gtid_mode, has_gtid_channels)()

    def with_history(self) -> FakeWorld:
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

    def write_times(
        self, times: int, node: str, statement: str | None = None, *, ticks: bool = False, remembers: bool = False
    ) -> None:
        """So many transactions, alike but for their numbers.

        Where it `ticks`, each moves before the next; where it `remembers`, the monitor also looks after each.
        """
        for _ in range(times):
            self.write(node, statement)
            if ticks or remembers:
                self.tick()
            if remembers:
                self.remember()

    def write_as(self, server_id: int, node: str) -> Txn:
        """A third server's transaction comes in through a channel of that node."""
        txn = replace(self.txn(node), server_id=server_id)
        self.cluster_of(self.node(node)).commit(txn, through=node)
        return txn

    def feed(self, node: str, server_id: int | None = 900, *, name: str = "third", host: str = "10.9.9.9") -> None:
        """Set up a channel from a server outside; `write_as` delivers what it brings."""
        channel = self.connect(self.opposite(self.node(node)).nodes[0].name, node, name=name)
        channel.source, channel.source_server_id, channel.is_detached = (host, 3306), server_id, True

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
        """RESET MASTER: its log is reset, and so are the GTIDs that it assigns."""
        self.node(node).log.reset()
        self.node(node).gtid_seq = 0

    def restart(self, node: str) -> None:
        """The node rejoins by IST, if it was expelled, or applies what waited for it; its channels go on automatically.

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

        With `starts` they take up there automatically.
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
        remember(self)

    # -- facts

    def facts(self, active_id: str | None = None) -> LinkFacts:
        """The link as one look at all nodes shows it, under the roles of the record or those given."""
        now_s = self.clock.now_s()
        is_other = active_id is not None and active_id != self.active.id
        clusters = (self.standby, self.active) if is_other else (self.active, self.standby)
        active, standby = told_apart(*(c.facts(now_s, self.forgotten_ids) for c in clusters))
        recorded = tuple(turned(self.recorded) if is_other else self.recorded)
        facts = LinkFacts(LINK_ID, "dc1-dc2", active, standby, CHANNEL, recorded, now_s, self.divergence, self.a.id)
        return replace(facts, unsafe_periods=self.unsafe_periods)

    def node_facts(self, node: FakeNode) -> NodeFacts:
        """One node now."""
        return self.cluster_of(node).facts_of(node, self.clock.now_s())

    def answer(self, node: FakeNode, sql: str) -> list[dict[str, object]] | None:
        """What only servers of another family are asked; None where MariaDB is asked the same."""
        del node, sql
        return None

    def translated(self, sql: str) -> str:
        """A statement of another family in MariaDB's words."""
        return sql

    # -- going on

    def tick(self) -> None:
        """A moment passes: the workload writes, channels carry, and the number of carriers is watched."""
        self.ticks += 1
        if self.has_workload:
            self._work()
        for node in self.nodes:
            for channel in node.channels.values():
                if node.is_up and node.is_member and not channel.is_detached:
                    carry(self, node, channel)
        self._watch()
        self._acknowledge()
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

    def _acknowledge(self) -> None:
        """Count the semi-synchronous replicas of each node; a commit of one that waits for none is held."""
        for node in self.nodes:
            if "rpl_semi_sync_master_timeout" not in node.variables:
                continue
            others = [other for other in self.opposite(node).nodes if other.is_up]
            acknowledging = [n for n in others if n.variables.get("rpl_semi_sync_slave_enabled") == "ON"]
            channels = [c for n in acknowledging for c in n.channels.values() if c.source == node.ref.address]
            clients = sum(channel.io == "Yes" for channel in channels)
            is_on = node.variables.get("rpl_semi_sync_master_enabled")
            node.variables["rpl_semi_sync_master_clients"] = str(clients)
            node.variables["rpl_semi_sync_master_status"] = is_on or ""
            node.variables["rpl_semi_sync_master_wait_sessions"] = "0"
            if is_on == "ON" and not clients and node.is_up:
                self.held.append(node.name)

    def _watch(self) -> None:
        for direction in Direction:
            cluster = self.receiving_cluster(direction)
            found = [
                n.name
                for n in cluster.nodes
                for c in n.channels.values()
                if n.is_member and c.is_running and not c.is_detached
            ]
            if len(found) > 1:
                self.second_seen.append(f"{direction}: {', '.join(found)}")

    # -- changing

    def execute(self, node: FakeNode, sql: str, by: object = None) -> list[str]:
        """Let a changing statement take effect; returns warnings, raises NodeError as the server would."""
        if sql.startswith(ROWS):
            return apply_rows(self, node, sql)
        if sql.startswith(DEFINITION):
            return change_definition(self, node, sql)
        statement = parse_change(self.translated(sql))
        warnings = EFFECTS[statement.verb](self, node, statement)
        self.executed.append(Executed(node.name, sql, statement.verb, by))
        self._watch()
        self.tick()
        return warnings

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


@cache
def _classic(kind: type[FakeWorld], has_gtid_mode: bool, has_gtid_channels: bool) -> Callable[[], FakeWorld]:
    return copied(lambda: kind(has_gtid_mode, has_gtid_channels).with_history())

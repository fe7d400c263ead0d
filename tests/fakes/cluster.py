"""Nodes and clusters in memory: what one node commits stands in every live member's own log."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field, replace

from backend.core.positions import FilePosition, MariadbGtid, MariadbGtidSet
from backend.core.topology import (
    BinlogFacts,
    ClusterFacts,
    LogReader,
    NodeEvent,
    NodeFacts,
    NodeRef,
    Reach,
    RecordedServer,
    WsrepFacts,
)
from tests.fakes.channel import FakeChannel
from tests.fakes.clock import START_S
from tests.fakes.log import FakeLog
from tests.fakes.settings import HEALTHY
from tests.fakes.transactions import WRITTEN, Dress, Relogging, Txn

VARIABLES = HEALTHY | {
    "wsrep_gtid_mode": "OFF",
    "read_only": "OFF",
    "event_scheduler": "OFF",
    "wsrep_reject_queries": "NONE",
    "gtid_strict_mode": "OFF",
    "auto_increment_increment": "6",
    "rpl_semi_sync_master_enabled": "OFF",
    "rpl_semi_sync_slave_enabled": "OFF",
}


PROVIDER_OPTIONS = {
    "evs.inactive_timeout": "PT15S",
    "evs.send_window": "4",
    "evs.suspect_timeout": "PT5S",
    "evs.user_send_window": "2",
    "gcache.size": "128M",
    "gcs.fc_limit": "16",
}


@dataclass(frozen=True, slots=True)
class Committed:
    """One entry of a cluster's history; `by`: as the node logs it through which it came, named `through`."""

    txn: Txn
    seqno: int
    gtid: MariadbGtid | None
    through: str = ""
    by: Relogging = WRITTEN

    def logged_on(self, node: str) -> Relogging:
        """The other nodes' appliers log it again."""
        return self.by if node == self.through else replace(self.by, hops=self.by.hops + 1)


@dataclass(slots=True)
class FakeNode:
    """One server. `is_member`: the Primary Component counts it, seen or not. `who` overrides what it says it is,
    `unsaid` it does not say. `unseen_filters`: of the channel's name alone, shown once it stands. `not_innodb`: its
    tables that are not InnoDB, and their engines. `stored_late`: what `slave_pos` lacks until it is waited for.
    """

    ref: NodeRef
    server_id: int
    log: FakeLog
    reach: Reach = Reach.UP
    is_member: bool = True
    cluster_status: str = "Primary"
    local_state: int = 4
    variables: dict[str, str] = field(default_factory=dict)
    channels: dict[str, FakeChannel] = field(default_factory=dict)
    are_channels_readable: bool = True
    probes: dict[tuple[str, str], str] = field(default_factory=dict)
    written: int = 0
    local_xid: int = 4
    gtid_seq: int = 0
    slave_pos: MariadbGtidSet = field(default_factory=MariadbGtidSet)
    stored_late: tuple[MariadbGtid, ...] = ()
    version: str = "10.11.19-MariaDB-log"
    started_s: float = START_S - 1000
    who: dict[str, str] = field(default_factory=dict)
    unsaid: str = ""
    unseen_filters: dict[str, str] = field(default_factory=dict)
    read_only_in_file: str = "OFF"
    not_innodb: dict[str, str] = field(default_factory=dict)
    probe_objects: set[str] = field(default_factory=lambda: {"DATABASE", "TABLE"})
    options: dict[str, str] = field(default_factory=lambda: dict(PROVIDER_OPTIONS))
    events: list[NodeEvent] = field(default_factory=list)
    readers: tuple[LogReader, ...] | None = ()

    @property
    def name(self) -> str:
        """Registered name."""
        return self.ref.name

    @property
    def is_up(self) -> bool:
        """Whether it answers (and works)."""
        return self.reach is Reach.UP

    @property
    def identity(self) -> dict[str, str]:
        """What tells it from its neighbours; host name and port do not: all stand on one machine."""
        address = {"hostname": "lab", "port": str(self.ref.port)}
        parts = address | {"wsrep_node_name": self.name, "datadir": f"/lab/{self.name}/data/"} | self.who
        return {part: text for part, text in parts.items() if part != self.unsaid}

    @property
    def bypasses_replication(self) -> bool:
        """Whether what a new session of it writes stays there (wsrep_on=OFF)."""
        return self.variables.get("wsrep_on") == "OFF"

    @property
    def takes_writes(self) -> bool:
        """Whether an application could write here."""
        return self.variables.get("read_only") != "ON"


class FakeCluster:
    """Three nodes with one counter; `history` is what it committed, `uids` the same as a set.

    `swapped` are pairs that one of its nodes committed in the other order. `unregistered` names nodes that the console
    does not know, or not any more; `apart` those that are a Primary Component of their own.
    """

    def __init__(
        self,
        key: str,
        hosts: str,
        first_server_id: int,
        *,
        first_seqno: int,
        has_gtid_mode: bool,
        is_one_server_id: bool = False,
    ) -> None:
        self.id, self.name = f"c_{key}", f"cluster-{key}"
        self.uuid = f"{ord(key):08x}-0000-0000-0000-000000000001"
        self.recorded_uuid: str | None = self.uuid
        self.seqno = first_seqno
        self.conf_id = 3
        self.has_gtid_mode = has_gtid_mode
        self.history: list[Committed] = []
        self.uids: set[int] = set()
        self.doubled: list[int] = []
        self.swapped: list[tuple[int, int]] = []
        self.domain = ord(key)
        self.recorded_servers: dict[str, RecordedServer] = {}
        self.unregistered: set[str] = set()
        self.apart: set[str] = set()
        ids = [first_server_id + (0 if is_one_server_id else i) for i in (1, 2, 3)]
        self.nodes = [self._node(key, hosts, i, server_id) for i, server_id in enumerate(ids, start=1)]

    def _node(self, key: str, hosts: str, i: int, server_id: int) -> FakeNode:
        dress = Dress(gtid_bytes=42 + 2 * (i % 2), query_bytes=92 + 16 * (i % 2), table_id=30 + i)
        log = FakeLog(number=i * 7, server_id=server_id, dress=dress)
        step = {"auto_increment_offset": str(server_id % 10 + (3 if key == "b" else 0))}
        mode = {"wsrep_gtid_mode": "ON" if self.has_gtid_mode else "OFF", "wsrep_gtid_domain_id": str(self.domain)}
        ref = NodeRef(f"n_{key}{i}", f"{key}{i}", f"{hosts}.{i}", 3306, self.id)
        return FakeNode(ref, server_id, log, variables=VARIABLES | step | mode)

    @property
    def server_ids(self) -> tuple[int, ...]:
        """Of all nodes."""
        return tuple(dict.fromkeys(node.server_id for node in self.nodes))

    @property
    def registered(self) -> list[FakeNode]:
        """Nodes that the console knows."""
        return [node for node in self.nodes if node.name not in self.unregistered]

    @property
    def live(self) -> list[FakeNode]:
        """Nodes that work."""
        return [node for node in self.nodes if node.is_up and node.is_member]

    def node_at(self, address: tuple[str, int]) -> FakeNode | None:
        """The node that listens there."""
        return next((n for n in self.nodes if n.ref.address == address), None)

    def commit(self, txn: Txn, gtid: MariadbGtid | None = None, *, through: str = "", by: Relogging = WRITTEN) -> None:
        """Commit on the whole cluster; a transaction it has already is noted as doubled.

        It came `through` a node: that of its server_id where none is named.
        """
        if txn.uid in self.uids:
            self.doubled.append(txn.uid)
            return
        self._certify(txn, gtid, through, by)
        for node in self.live:
            self.catch_up(node)

    def commit_swapped(self, first: Txn, second: Txn, swapping: FakeNode) -> None:
        """Two at once; `swapping`, a node with repl.commit_order below 3, commits them in the other order."""
        entries = [self._certify(txn, None, "", WRITTEN) for txn in (first, second)]
        self.swapped.append((first.uid, second.uid))
        if swapping in self.live:
            for entry in reversed(entries):
                self._log(swapping, entry)
            swapping.written = len(self.history)
        for node in self.live:
            self.catch_up(node)

    def _certify(self, txn: Txn, gtid: MariadbGtid | None, through: str, by: Relogging) -> Committed:
        self.seqno += 1
        self.uids.add(txn.uid)
        if self.has_gtid_mode and gtid is None:
            gtid = MariadbGtid(self.domain, self.server_ids[0], len(self.history) + 1)
        through = through or next((n.name for n in self.nodes if n.server_id == txn.server_id), "")
        self.history.append(Committed(txn, self.seqno, gtid, through, by))
        return self.history[-1]

    def catch_up(self, node: FakeNode) -> None:
        """Write what the node still lacks into its own log, as it numbers GTIDs itself."""
        for entry in self.history[node.written :]:
            self._log(node, entry)
        node.written = len(self.history)

    def _log(self, node: FakeNode, entry: Committed) -> None:
        gtid = entry.gtid or MariadbGtid(0, entry.txn.server_id, node.gtid_seq + 1)
        node.gtid_seq = max(node.gtid_seq, gtid.seq_no)
        node.log.append(entry.txn, entry.seqno, gtid, entry.logged_on(node.name))
        if gtid.domain not in (0, self.domain):
            node.slave_pos = MariadbGtidSet.of([*node.slave_pos, gtid])
        _probe(node, entry.txn)

    def bootstrap_anew(self, *, without: int = 0) -> None:
        """All nodes were killed, one began a new history, the others joined it; its last transactions it never had."""
        self.uuid = f"{int(self.uuid[:8], 16) + 0x1000:08x}{self.uuid[8:]}"
        self.seqno = 0
        for _ in range(without):
            self.uids.discard(self.history.pop().txn.uid)
        for node in self.nodes:
            for _ in range(without):
                node.log.lose_last()
            node.log.reopen()
            node.written = len(self.history)

    def write_local(self, node: FakeNode, txn: Txn, gtid: MariadbGtid | None = None, by: Relogging = WRITTEN) -> None:
        """A write with wsrep_on=OFF: in this node's log only, with a small Xid that is no seqno."""
        node.local_xid += 1
        gtid = gtid or MariadbGtid(0, node.server_id, node.gtid_seq + 1)
        node.gtid_seq = max(node.gtid_seq, gtid.seq_no)
        node.log.append(txn, node.local_xid, gtid, by)

    def facts(self, now_s: float, forgotten: Container[str] = ()) -> ClusterFacts:
        """One look at all nodes; `forgotten` are ids of nodes whose server_id was forgotten.

        That of a node that was removed is still known.
        """
        return ClusterFacts(
            id=self.id,
            name=self.name,
            site=self.name,
            nodes=tuple(self.facts_of(n, now_s) for n in self.registered),
            recorded_state_uuid=self.recorded_uuid,
            known_server_ids={n.ref.id: n.server_id for n in self.nodes if n.ref.id not in forgotten},
            recorded_servers=self.recorded_servers,
        )

    def facts_of(self, node: FakeNode, now_s: float) -> NodeFacts:
        """What one poll learns."""
        if not node.is_up:
            return NodeFacts(node.ref, now_s, node.reach, error="no answer")
        last = self.history[node.written - 1].seqno if node.written else self.seqno
        identity, end = node.identity, node.log.end
        return NodeFacts(
            node.ref,
            now_s,
            Reach.UP,
            flavor="mariadb",
            version=node.version,
            server_id=node.server_id,
            hostname=identity.get("hostname"),
            variables={**_binlog_state(node), **node.variables, **identity, "gtid_slave_pos": str(node.slave_pos)},
            wsrep=self._wsrep(node, last),
            channels=tuple(c.facts() for c in node.channels.values()) if node.are_channels_readable else None,
            binlog=BinlogFacts(end.file, end.offset, tuple(node.log.files())),
            clock_offset_s=0.0,
            uptime_s=int(now_s - node.started_s),
            probe_ms=0.4,
            log_readers=node.readers,
        )

    def _wsrep(self, node: FakeNode, last: int) -> WsrepFacts | None:
        """With wsrep_on=OFF a server does not list its state."""
        if node.bypasses_replication:
            return None
        synced, is_apart = node.local_state == 4, node.name in self.apart
        members = [n for n in self.nodes if n.is_member and (n.name in self.apart) == is_apart]
        return WsrepFacts(
            cluster_status=node.cluster_status,
            state="Synced" if synced else "Donor/Desynced",
            local_state=node.local_state,
            ready=node.cluster_status == "Primary",
            connected=True,
            cluster_size=len(members),
            state_uuid=self.uuid,
            local_state_uuid=self.uuid,
            last_committed=last,
            conf_id=1 if is_apart else self.conf_id,
            incoming_addresses=tuple(f"{host}:{port}" for host, port in (n.ref.address for n in members)),
            local_index=members.index(node) if node in members else None,
        )


def _binlog_state(node: FakeNode) -> dict[str, str]:
    """What ever stood in its log, by domain and server_id; MySQL does not tell."""
    if node.log.dress.is_mysql or node.unsaid == "gtid_binlog_state":
        return {}
    parts = (f"{domain}-{server_id}-{number}" for (domain, server_id), number in sorted(node.log.state.items()))
    return {"gtid_binlog_state": ",".join(parts)}


def _probe(node: FakeNode, txn: Txn) -> None:
    if txn.statement.startswith("PROBE "):
        _, link_id, direction, token = txn.statement.split(" ")
        node.probes[link_id, direction] = token


def position_text(position: FilePosition) -> str:
    """For messages."""
    return f"{position.file}:{position.offset}"


def events_shown(node: FakeNode) -> list[dict[str, object]]:
    """The rows of mysql.event."""
    return [
        {"db": e.schema, "name": e.name, "definer": e.definer, "status": e.status, "originator": e.originator}
        for e in node.events
    ]

"""Frozen facts about servers and clusters, each with the time it was observed.

`None` always means *unknown*; an unknown fact never passes a check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from backend.core.connection_names import is_same_name
from backend.core.positions import FilePosition, PositionError


class Direction(StrEnum):
    """The direction in which a channel replicates within a link."""

    FORWARD = "forward"
    REVERSE = "reverse"

    @property
    def other(self) -> Direction:
        """The opposite direction."""
        return Direction.REVERSE if self is Direction.FORWARD else Direction.FORWARD


class Reach(StrEnum):
    """How a node answered the last poll; *hung* is not *down*: the node may still write."""

    UP = "up"
    DOWN = "down"
    HUNG = "hung"
    REFUSED = "refused"
    UNKNOWN = "unknown"


TLS_REFUSED = "TLS refused"
"""What the error of a node begins with whose certificate the console did not accept, or that offers no TLS."""


@dataclass(frozen=True, slots=True)
class AcceptedServer:
    """A server family and release series that was never tried, with which an administrator accepts plans in writing.

    It holds for one cluster. `at_s` is Unix time.
    """

    flavor: str
    series: str
    text: str
    by: str
    at_s: float


@dataclass(frozen=True, slots=True)
class NodeRef:
    """A registered node: its identity, its address, and what is accepted of its cluster's servers."""

    id: str
    name: str
    host: str
    port: int
    cluster_id: str
    accepted: AcceptedServer | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Host and port, as a channel names its source."""
        return self.host, self.port


NODE_NOT_READY = 1047
"""WSREP has not yet prepared node: the SQL thread stops with it when its node is expelled (observed after a thaw)."""
INTERRUPTED = frozenset({1317, 1927})
"""ER_QUERY_INTERRUPTED and ER_CONNECTION_KILLED: a KILL, or a schema change of a neighbour that went before."""
READ_ONLY_TRANSACTION = 1792
"""The SQL thread was started while tx_read_only was ON: it keeps the global value of its start (measured on 11.8)."""
PASSING_ERRORS = frozenset({0, NODE_NOT_READY, 1205, 1213, READ_ONLY_TRANSACTION}) | INTERRUPTED
"""Errors of the SQL thread that do not concern its transaction: none, an expelled node, a lock wait, a deadlock, a
thread that may not write, and an interruption."""

DUPLICATE_KEY, ROW_NOT_FOUND = 1062, 1032
"""ER_DUP_ENTRY: another row has a unique value of this one. ER_KEY_NOT_FOUND: the row to change does not exist."""
ROW_ERRORS = frozenset({DUPLICATE_KEY, ROW_NOT_FOUND})
"""Errors of which the row can be shown (`channel_errors`)."""


AUTO_POSITION = "Auto_Position"
"""Of `using_gtid`: the other values are those of MariaDB's column."""
_WAITS = ("Slave has read all relay log", "Replica has read all relay log")
"""What the SQL thread says at the end of its log, in MariaDB and in MySQL."""


@dataclass(frozen=True, slots=True)
class ChannelFacts:
    """One replication connection as its replica node reports it (SHOW ALL SLAVES STATUS).

    `options` holds every setting that must survive a move, under the server's own column
    names (TLS, delay, retry, heartbeat, filters, GTID mode). `retrieved_gtids`: what MySQL received, as it shows it.
    """

    name: str
    source_host: str
    source_port: int
    source_user: str
    io_running: str
    sql_running: str
    read_file: str
    read_offset: int
    relay_file: str
    relay_offset: int
    exec_file: str
    exec_offset: int
    lag_s: int | None
    io_errno: int
    io_error: str
    sql_errno: int
    sql_error: str
    using_gtid: str
    ignore_server_ids: tuple[int, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    sql_state: str = ""
    source_server_id: int | None = None
    retrieved_gtids: str = ""

    @property
    def source_address(self) -> tuple[str, int]:
        """Host and port of its configured source."""
        return self.source_host, self.source_port

    @property
    def uses_auto_position(self) -> bool:
        """Whether its place is what the replica has executed, as a set of GTIDs: SOURCE_AUTO_POSITION=1."""
        return self.using_gtid == AUTO_POSITION

    @property
    def is_running(self) -> bool:
        """Whether any thread runs or tries to: with `Connecting` the channel will apply as soon as it can."""
        return self.io_running != "No" or self.sql_running != "No"

    @property
    def has_stopped_thread(self) -> bool:
        """Whether a thread is stopped that only START SLAVE starts again."""
        return "No" in (self.io_running, self.sql_running)

    @property
    def is_relay_drained(self) -> bool:
        """Whether everything read was also executed."""
        return (self.read_file, self.read_offset) == (self.exec_file, self.exec_offset)

    @property
    def is_applied_out(self) -> bool:
        """Whether the SQL thread has nothing left that it could apply.

        A source that fails in the middle of a group leaves a part of it in the relay log: the read position then stays
        ahead of the executed one, and the thread waits at the log's end.
        """
        waits = self.sql_running == "Yes" and self.sql_state.startswith(_WAITS)
        return self.is_relay_drained or (self.io_running != "Yes" and waits)

    @property
    def exec_position(self) -> FilePosition | None:
        """End of the last executed group, as a position in the source's log; None before the first."""
        return _position(self.exec_file, self.exec_offset)

    @property
    def read_position(self) -> FilePosition | None:
        """End of the last event read from the source, as a position in the source's log."""
        return _position(self.read_file, self.read_offset)


def _position(file: str, offset: int) -> FilePosition | None:
    try:
        return FilePosition(file, offset)
    except PositionError:
        return None


@dataclass(frozen=True, slots=True)
class WriteSetCounters:
    """Write-sets since the server started, those that it replicated itself and those that it received."""

    replicated: int
    replicated_bytes: int
    received: int
    received_bytes: int


@dataclass(frozen=True, slots=True)
class WsrepFacts:
    """Galera's own status of a node.

    `incoming_addresses` are those of all members in their order, as each member states its own (`AUTO` or empty where
    it states none); `local_index` is this node's place among them. `write_sets` counts what the server replicated and
    received since its start; `cached_downto` is the oldest write-set in its gcache, None before one. `cert_failures`
    counts its own transactions that lost against a write of another node, since its start.
    """

    cluster_status: str
    state: str
    local_state: int
    ready: bool
    connected: bool
    cluster_size: int
    state_uuid: str
    local_state_uuid: str
    last_committed: int
    conf_id: int
    recv_queue: int = 0
    flow_control_paused_ns: int = 0
    desync_count: int = 0
    incoming_addresses: tuple[str, ...] = ()
    local_index: int | None = None
    write_sets: WriteSetCounters | None = None
    cached_downto: int | None = None
    cert_failures: int | None = None


@dataclass(frozen=True, slots=True)
class BinlogFacts:
    """The end of a node's binary log, and its retained files (name, size in bytes)."""

    file: str
    offset: int
    files: tuple[tuple[str, int], ...] = ()

    @property
    def end(self) -> FilePosition:
        """Current end of the binlog, always the end of a group."""
        return FilePosition(self.file, self.offset)

    @property
    def first_file(self) -> str | None:
        """Oldest retained file; None where the list could not be read."""
        return self.files[0][0] if self.files else None


@dataclass(frozen=True, slots=True)
class LogReader:
    """A session that has read a node's binary log for a while, as the node's process list shows it.

    `host` is where its connection comes from: of one through a proxy, the proxy.
    """

    id: int
    user: str
    host: str


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """Everything that one poll read of one node; `observed_at_s` is the console's Unix time.

    `variables` has some status, too, under its own names: of semi-synchronous replication (`facts.semi_sync`), and
    `wsrep_provider_version`.
    """

    node: NodeRef
    observed_at_s: float
    reach: Reach
    error: str = ""
    flavor: str | None = None
    version: str | None = None
    server_id: int | None = None
    hostname: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    wsrep: WsrepFacts | None = None
    channels: tuple[ChannelFacts, ...] | None = None
    binlog: BinlogFacts | None = None
    clock_offset_s: float | None = None
    uptime_s: int | None = None
    probe_ms: float | None = None
    log_readers: tuple[LogReader, ...] | None = None

    @property
    def is_up(self) -> bool:
        """Whether the node answered the poll."""
        return self.reach is Reach.UP

    def variable(self, name: str) -> str | None:
        """A global variable as text, None where unknown."""
        return self.variables.get(name)

    def channel(self, name: str) -> ChannelFacts | None:
        """The connection of that name as the server compares names, None where absent or unknown."""
        return next((c for c in self.channels or () if is_same_name(c.name, name)), None)


@dataclass(frozen=True, slots=True)
class NodeEvent:
    """One event on one node; `originator` is the server_id of the node that made it or changed its status last."""

    schema: str
    name: str
    definer: str
    status: str
    originator: int

    @property
    def key(self) -> tuple[str, str]:
        """Schema and name."""
        return self.schema, self.name

    @property
    def shown(self) -> str:
        """As people write it."""
        return f"{self.schema}.{self.name}"


EventsByNode = Mapping[str, tuple[NodeEvent, ...]]
"""By node id; a node that is not in it was not read."""


@dataclass(frozen=True, slots=True)
class RecordedServer:
    """The server that was first observed at a node's address, or confirmed since (`facts.server_identity`)."""

    server: str
    server_id: int


@dataclass(frozen=True, slots=True)
class PartedHalf:
    """A half of a cluster that was split, and the nodes (ids) that may hold what it wrote of its own.

    `seqno` is the highest one seen of it while it was apart, `common_seqno` the one up to which all halves certainly
    held the same. None is unknown.
    """

    nodes: tuple[str, ...]
    seqno: int | None = None
    common_seqno: int | None = None

    @property
    def wrote_nothing(self) -> bool:
        """Whether it certainly committed nothing of its own."""
        return self.seqno is not None and self.common_seqno is not None and self.seqno <= self.common_seqno


@dataclass(frozen=True, slots=True)
class LogMark:
    """Which binary log a node had in one start of its server: its file then, and when that was begun."""

    file: str
    created_s: int
    started_at_s: float


@dataclass(frozen=True, slots=True)
class SeenTogether:
    """Up to which seqno nodes of a cluster held one history: each node's counter when it was last seen in one view
    with each other node, by their ids.

    `differs_since_s`: since when its members have reported different views. `parted`: the halves that it had; kept
    until all nodes are proven to hold what one of them holds (`facts.lineages`). Until then `logs` has the logs by
    which a copied node is known, and `is_mixed` says whether nodes of several halves were seen in one component.
    `addresses`: of nodes that are away; one that is registered anew has another id and the same data.
    """

    state_uuid: str
    seqnos: Mapping[str, Mapping[str, int]]
    differs_since_s: float | None = None
    parted: tuple[PartedHalf, ...] = ()
    logs: Mapping[str, LogMark] = field(default_factory=dict)
    is_mixed: bool = False
    addresses: Mapping[str, tuple[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """A registered cluster with the facts of its nodes.

    `recorded_state_uuid` is the state UUID at registration, or the one accepted since; `known_server_ids` are all ids
    that its nodes ever had, so that the id of a node that is down still guards against loops. `recorded_servers` are
    the servers known by node id. `logged_origins` are domain and server_id of what was once seen in its logs;
    `former_server_ids` are those of its own writes that no node has (`facts.origins`).
    """

    id: str
    name: str
    site: str
    nodes: tuple[NodeFacts, ...]
    recorded_state_uuid: str | None
    known_server_ids: Mapping[str, int] = field(default_factory=dict)
    recorded_servers: Mapping[str, RecordedServer] = field(default_factory=dict)
    logged_origins: frozenset[tuple[int, int]] = frozenset()
    former_server_ids: tuple[int, ...] = ()
    seen_together: SeenTogether | None = None

    def node(self, node_id: str) -> NodeFacts:
        """Facts of one node; KeyError where it is not of this cluster."""
        for facts in self.nodes:
            if facts.node.id == node_id:
                return facts
        raise KeyError(node_id)

    def node_at(self, address: tuple[str, int]) -> NodeFacts | None:
        """The registered node listening at that address."""
        return next((n for n in self.nodes if n.node.address == address), None)

    @property
    def server_ids(self) -> tuple[int, ...]:
        """All server ids of this cluster, sorted, also of nodes that are down and of what it logged under others."""
        live = {n.server_id for n in self.nodes if n.server_id is not None}
        return tuple(sorted(live | set(self.known_server_ids.values()) | set(self.former_server_ids)))

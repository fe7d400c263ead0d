"""The core's ports as small protocols; the gateway and the fakes implement them.

Sessions are split by what they may do: a `NodeReader` cannot change anything, only a `NodeWriter` can.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from backend.core.known_groups import AppliedPlace
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.positions import FilePosition, Seqno
from backend.core.topology import ClusterFacts, NodeFacts, NodeRef

Row = Mapping[str, object]
T = TypeVar("T")


ER_ERROR_WHEN_EXECUTING_COMMAND = 1220
"""SHOW BINLOG EVENTS of a file that no longer exists, or from a place where no event begins."""


class NodeError(Exception):
    """A node could not be queried, or refused; `code` is the server's error number or 0.

    `indeterminate` marks a changing statement whose outcome is unknown (connection lost or timed out while it ran):
    observe it in a new connection, never send it again without that.
    """

    def __init__(self, node: str, message: str, *, code: int = 0, indeterminate: bool = False) -> None:
        super().__init__(f"{node}: {message}")
        self.node = node
        self.message = message
        self.code = code
        self.indeterminate = indeterminate


class RowConflictError(NodeError):
    """A row was not as a transaction expects it; `ordinal` is the statement's index, nothing was changed."""

    def __init__(self, node: str, message: str, *, ordinal: int, code: int = 0) -> None:
        super().__init__(node, message, code=code)
        self.ordinal = ordinal


@dataclass(frozen=True, slots=True)
class RowStatement:
    """One change of exactly one row; `check` counts its row image afterwards, `expected` is that count (None: any)."""

    sql: str
    check: str
    expected: int | None
    operation: str


@dataclass(frozen=True, slots=True)
class SchemaStatement:
    """One change of a definition; it is sent where none of its effect shows, and is done where all of it does.

    `parts` counts how much of its effect shows: `before` of it before, `after` of it afterwards; `must_be_none` counts
    what forbids the change. All three are reading statements.
    """

    sql: str
    settings: str
    default_schema: str
    parts: str
    before: int
    after: int
    must_be_none: str


class NodeReader(Protocol):
    """A read-only session on one node, bounded in time."""

    node: NodeRef

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Run one reading statement, rows as mappings by column name; raises NodeError."""
        ...

    def close(self) -> None:
        """End the session."""
        ...


class NodeWriter(Protocol):
    """A session that may change replication on one node."""

    node: NodeRef

    def identity(self) -> Mapping[str, str]:
        """`server_id`, the parts of `facts.server_identity` and `connection_id` of this session; it waits briefly."""
        ...

    def execute(self, sql: str, *, secrets: Mapping[str, str], timeout_s: float) -> Sequence[str]:
        """Send one changing statement with `{{secret:NAME}}` placeholders filled in; returns its warnings."""
        ...

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Read back on the same session."""
        ...

    def apply_transaction(self, statements: Sequence[RowStatement], *, marker: str, timeout_s: float) -> None:
        """Change rows in one transaction, all or none, with `marker` (a row of hawser.probe) in it.

        Each statement must find exactly one row and read back as expected. Raises RowConflictError where one does not
        (rolled back), else NodeError; `indeterminate` where the commit's answer was lost.
        """
        ...

    def apply_schema_change(self, change: SchemaStatement, *, marker: str, timeout_s: float) -> None:
        """Change a definition unless it is changed already, then write `marker`; raises as `apply_transaction` does."""
        ...

    def kill_session(self, connection_id: int) -> bool:
        """Kill an earlier worker's session; True once it is no longer in the process list."""
        ...

    def close(self) -> None:
        """End the session."""
        ...


class Clock(Protocol):
    """The core's clock."""

    def now_s(self) -> float:
        """Unix time."""
        ...

    def monotonic_s(self) -> float:
        """Monotonic time, for durations."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class Checkpoint(Protocol):
    """One journalled sample of a node's binlog end.

    `seqno` is a hint, which the search verifies; `exact`: the group that ends there has this seqno.
    """

    @property
    def position(self) -> FilePosition: ...
    @property
    def seqno(self) -> int: ...
    @property
    def observed_at_s(self) -> float: ...
    @property
    def exact(self) -> bool: ...


class Journal(Protocol):
    """Samples of binlog ends, stored while the link was healthy."""

    def checkpoint_before(self, node_id: str, seqno: Seqno) -> Checkpoint | None:
        """Latest sample of that node, under that state UUID, at or before `seqno`."""
        ...

    def checkpoint_at_age(self, node_id: str, state_uuid: str, age_s: float) -> Checkpoint | None:
        """Latest sample of that node at least `age_s` seconds older than its newest one."""
        ...

    def checkpoint_at(self, node_id: str, state_uuid: str, position: FilePosition) -> Checkpoint | None:
        """Latest *exact* sample of that node at or before `position` in its own log.

        A hint is not enough: its seqno was read after its position and may be beyond it.
        """
        ...

    def furthest(self, node_id: str) -> Checkpoint | None:
        """The sample of that node with the highest position in its log, exact or not, under any state UUID.

        A log that ends before that position was reset.
        """
        ...

    def first_of_history(self, node_id: str, state_uuid: str) -> Checkpoint | None:
        """Earliest sample of that node since it came under that state UUID from another one.

        None where no other one was observed, or once a reset of the log was observed since.
        """
        ...

    def seqno_at(self, node_id: str, state_uuid: str, position: FilePosition) -> int | None:
        """The exact seqno of the group that ends at `position` on that node, where sampled.

        None once a reset of the log was observed: another group may end there now.
        """
        ...


class Gateway(Protocol):
    """The access of a run to the servers."""

    def reader(self, node_id: str) -> NodeReader:
        """A pooled reading session; raises NodeError."""
        ...

    def writer(self, node_id: str) -> NodeWriter:
        """A new changing session; raises NodeError."""
        ...

    def open_ahead(self, node_ids: Sequence[str]) -> Mapping[str, NodeWriter]:
        """Open all reading sessions, and a new changing one on each of these nodes, in parallel; returns the latter.

        One that cannot be opened now is left out, and is opened again by the statement that needs it.
        """
        ...

    def try_writes(self, node_ids: Sequence[str]) -> Mapping[str, int]:
        """Try to write with an account without write privileges, on all nodes in parallel.

        The server's error number by node id, 0 for none: a fenced server answers 1290 before it checks grants. Raises
        NodeError where one does not answer.
        """
        ...

    def observe_node(self, node_id: str) -> NodeFacts:
        """Poll one node now; an unreachable node is a fact, not an error."""
        ...

    def observe_nodes(self, node_ids: Sequence[str]) -> Mapping[str, NodeFacts]:
        """Poll these nodes now, in parallel, each as `observe_node` does."""
        ...

    def observe_cluster(self, cluster_id: str) -> ClusterFacts:
        """Poll every node of one cluster of the link now, concurrently; LookupError where it is not one of them."""
        ...

    def written_at(self, node_id: str, begins: FilePosition) -> int | None:
        """When the transaction that begins there was written, by the clock of the server that wrote it (Unix time).

        It is the same in the log of every node that has it. None where nothing begins there; raises NodeError.
        """
        ...

    def at_once(self, calls: Sequence[Callable[[], T]]) -> Sequence[T]:
        """The results of calls that use sessions of different nodes and nothing else, made in parallel."""
        ...

    def observe_link(self, *, is_patient: bool = False, of: Collection[str] = ()) -> LinkFacts:
        """Poll every node of the link now, concurrently; if patient, even nodes that hung at the last poll.

        With `of`, only those whose id, or whose cluster's, is in it; the others are shown as unknown.
        """
        ...


class Console(Protocol):
    """What a run reads and changes in the console's database, and its webhooks; every call may be repeated."""

    def knows_run(self, run_id: str) -> bool:
        """Whether that run is recorded."""
        ...

    def other_run_on(self, cluster_id: str) -> str | None:
        """Another unfinished run of a link of that cluster, in a sentence; None where there is none."""
        ...

    def unapplied_behind(self, executed: FilePosition, place: AppliedPlace | None) -> int | None:
        """How many transactions were read on the active side after what the forward channel applied; never waits.

        `place` is what its relay log tells of `executed`. None where no count is known.
        """
        ...

    def set_roles(self, active_cluster_id: str, standby_cluster_id: str) -> None:
        """Set the link's roles; the recorded channels change their direction with them."""
        ...

    def record_divergence(self, divergence: Divergence) -> None:
        """Store the divergence point, and refuse the lost side as a source until it is reconciled."""
        ...

    def reconcile(self, lost_cluster_id: str, state_uuid: str | None) -> None:
        """Record that the lost side, with this state UUID, may be a source again."""
        ...

    def accept_state_uuid(self, cluster_id: str, state_uuid: str) -> None:
        """Record this state UUID for the cluster."""
        ...

    def attach(self, lost_cluster_id: str) -> None:
        """Record the end of the failover: the side's channels replicate, and any plan may move them."""
        ...

    def open_maintenance(self, params: Mapping[str, Any]) -> bool:
        """Record the maintenance of a node by this run, once; False where it was ended or another one is open."""
        ...

    def allow_stop(self, last_seqno: int, logs: Sequence[tuple[str, int]]) -> bool:
        """Record that the node, with this seqno and these binary logs, may be stopped; False where that was ended."""
        ...

    def call_hook(self, hook_id: str, key: str) -> HookResponse:
        """Call a link's webhook; `key` identifies the call, so that a repeated one differs from a new one."""
        ...


@dataclass(frozen=True, slots=True)
class HookResponse:
    """How a webhook answered: whether the call was delivered, and a sentence for the statement log."""

    is_ok: bool
    sentence: str
    facts: Mapping[str, object] = field(default_factory=dict)

"""What the core needs from outside, as small protocols; the gateway and the fakes implement them.

Roles are split by power: a `NodeReader` cannot change anything, only a `NodeWriter` can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from backend.core.link_facts import Divergence, LinkFacts
from backend.core.positions import FilePosition, Seqno
from backend.core.topology import NodeFacts, NodeRef

Row = Mapping[str, object]


class NodeError(Exception):
    """A node could not be asked, or refused; `code` is the server's error number or 0.

    `indeterminate` marks a changing statement whose outcome is not known (connection lost
    or timed out while it ran): observe by a new connection, never send again blindly.
    """

    def __init__(self, node: str, message: str, *, code: int = 0, indeterminate: bool = False) -> None:
        super().__init__(f"{node}: {message}")
        self.node = node
        self.message = message
        self.code = code
        self.indeterminate = indeterminate


class RowConflictError(NodeError):
    """A row was not as a transaction expects it; `ordinal` is the statement's place, nothing was changed."""

    def __init__(self, node: str, message: str, *, ordinal: int, code: int = 0) -> None:
        super().__init__(node, message, code=code)
        self.ordinal = ordinal


@dataclass(frozen=True, slots=True)
class RowStatement:
    """One change of exactly one row; `check` counts its image afterwards, `expected` says how many (None: any)."""

    sql: str
    check: str
    expected: int | None
    operation: str


@dataclass(frozen=True, slots=True)
class SchemaStatement:
    """One change of a definition, sent where none of its effect stands, and known as done where all of it does.

    `parts` counts what stands of it: `before` of it before, `after` of it afterwards; `must_be_none` counts what
    forbids it. All three are reading statements.
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
        """`server_id`, the parts of `core.identity`, `state_uuid` and `connection_id` of this very session."""
        ...

    def execute(self, sql: str, *, secrets: Mapping[str, str], timeout_s: float) -> Sequence[str]:
        """Send one changing statement, `{{secret:NAME}}` marks filled in; returns its warnings."""
        ...

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Read back on the same session."""
        ...

    def apply_transaction(self, statements: Sequence[RowStatement], *, marker: str, timeout_s: float) -> None:
        """Change rows in one transaction, all or none, with `marker` (a row of hawser.probe) in it.

        Each statement must find exactly one row and read back as it says. Raises RowConflictError where
        one does not (rolled back), NodeError else; `indeterminate` where the commit's answer was lost.
        """
        ...

    def apply_schema_change(self, change: SchemaStatement, *, marker: str, timeout_s: float) -> None:
        """Change a definition unless that stands already, then write `marker`; raises as `apply_transaction` does."""
        ...

    def kill_session(self, connection_id: int) -> bool:
        """Kill a predecessor's session; True once it is gone from the process list."""
        ...

    def close(self) -> None:
        """End the session."""
        ...


class Clock(Protocol):
    """Time as the core sees it."""

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

    `seqno` is a hint, which the search verifies; `exact`: the group that ends there carried it.
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
    """Samples kept while all was well."""

    def checkpoint_before(self, node_id: str, seqno: Seqno) -> Checkpoint | None:
        """Latest sample of that node, in that incarnation, at or before `seqno`."""
        ...

    def checkpoint_at_age(self, node_id: str, state_uuid: str, age_s: float) -> Checkpoint | None:
        """Latest sample of that node at least `age_s` seconds older than its newest one."""
        ...

    def checkpoint_at(self, node_id: str, state_uuid: str, position: FilePosition) -> Checkpoint | None:
        """Latest *exact* sample of that node at or before `position` in its own log.

        A hint will not do: its seqno was read after its position and may lie beyond it.
        """
        ...

    def furthest(self, node_id: str) -> Checkpoint | None:
        """The sample of that node furthest on in its log, exact or not, under whatever state UUID.

        A log that ends before it began anew.
        """
        ...

    def seqno_at(self, node_id: str, state_uuid: str, position: FilePosition) -> int | None:
        """The exact seqno of the group that ends at `position` on that node, where sampled.

        None once the log was seen to begin anew: another group may end there now.
        """
        ...


class Gateway(Protocol):
    """Everything a run reaches servers through."""

    def reader(self, node_id: str) -> NodeReader:
        """A pooled reading session; raises NodeError."""
        ...

    def writer(self, node_id: str) -> NodeWriter:
        """A fresh changing session; raises NodeError."""
        ...

    def try_write(self, node_id: str) -> int:
        """Try to write with an account that may write nothing; the server's error number, 0 for none.

        A closed server answers 1290 before it looks at grants. Raises NodeError where it does not answer.
        """
        ...

    def observe_node(self, node_id: str) -> NodeFacts:
        """Poll one node now; an unreachable node is a fact, not an error."""
        ...

    def observe_link(self, *, is_patient: bool = False) -> LinkFacts:
        """Poll every node of the link now, concurrently; patiently even those that hung when last asked."""
        ...


class Console(Protocol):
    """What a run asks and changes in the console's own record, and whom it tells; every call may be repeated."""

    def knows_run(self, run_id: str) -> bool:
        """Whether the record holds that run."""
        ...

    def unapplied_behind(self, executed: FilePosition) -> int | None:
        """How many transactions were seen on the active side behind that place of the forward channel.

        None where the last look was at another place of it, or could not count.
        """
        ...

    def set_roles(self, active_cluster_id: str, standby_cluster_id: str) -> None:
        """Make these the link's roles; channels as recorded change their direction with them."""
        ...

    def record_divergence(self, divergence: Divergence) -> None:
        """Keep where the histories part, and refuse the lost side as a source until it is reconciled."""
        ...

    def reconcile(self, lost_cluster_id: str, state_uuid: str | None) -> None:
        """The lost side is whole again, in this incarnation: it may be a source."""
        ...

    def accept_state_uuid(self, cluster_id: str, state_uuid: str) -> None:
        """That side's history is this one from now on."""
        ...

    def attach(self, lost_cluster_id: str) -> None:
        """Its channels carry: the failover is over, and any plan may move them."""
        ...

    def call_hook(self, hook_id: str, key: str) -> HookResponse:
        """Call a link's webhook; `key` names the call, so that a repeated one is told from a new one."""
        ...


@dataclass(frozen=True, slots=True)
class HookResponse:
    """How a webhook answered: whether it took the call, and a sentence for the record."""

    is_ok: bool
    sentence: str
    facts: Mapping[str, object] = field(default_factory=dict)

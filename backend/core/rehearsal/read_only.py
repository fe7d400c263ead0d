"""Ports that cannot change anything: a step that tries to ends the walk there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from backend.core.known_groups import AppliedPlace
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.ports import Clock, Gateway, HookResponse, NodeReader, NodeWriter, Row, RowStatement, SchemaStatement
from backend.core.positions import FilePosition
from backend.core.topology import ClusterFacts, NodeFacts, NodeRef

T = TypeVar("T")


class FirstWriteError(Exception):
    """The walk has reached a step that would change something."""


@dataclass(frozen=True, slots=True)
class ReadOnlyGateway:
    """Implements `Gateway`; its sessions cannot change anything."""

    inner: Gateway

    def reader(self, node_id: str) -> NodeReader:
        """The inner reader: it cannot change anything."""
        return self.inner.reader(node_id)

    def writer(self, node_id: str) -> ReadOnlyWriter:
        """A session that can be opened, read and closed."""
        return ReadOnlyWriter(self.inner.writer(node_id))

    def open_ahead(self, node_ids: Sequence[str]) -> Mapping[str, ReadOnlyWriter]:
        """Sessions that can be opened, read and closed."""
        return {node_id: ReadOnlyWriter(writer) for node_id, writer in self.inner.open_ahead(node_ids).items()}

    def try_writes(self, node_ids: Sequence[str]) -> NoReturn:
        """Refused: even a write that must fail is a write."""
        raise FirstWriteError("a run would try a write here")

    def observe_node(self, node_id: str) -> NodeFacts:
        """The inner gateway's facts."""
        return self.inner.observe_node(node_id)

    def observe_nodes(self, node_ids: Sequence[str]) -> Mapping[str, NodeFacts]:
        """The inner gateway's facts."""
        return self.inner.observe_nodes(node_ids)

    def observe_cluster(self, cluster_id: str) -> ClusterFacts:
        """The inner gateway's facts."""
        return self.inner.observe_cluster(cluster_id)

    def written_at(self, node_id: str, begins: FilePosition) -> int | None:
        """As the inner gateway reads it."""
        return self.inner.written_at(node_id, begins)

    def at_once(self, calls: Sequence[Callable[[], T]]) -> Sequence[T]:
        """Their sessions cannot change anything."""
        return self.inner.at_once(calls)

    def observe_link(self, *, is_patient: bool = False, of: Collection[str] = ()) -> LinkFacts:
        """The inner gateway's facts."""
        return self.inner.observe_link(is_patient=is_patient, of=of)


class ReadOnlyWriter:
    """Implements `NodeWriter`, but refuses every write."""

    def __init__(self, inner: NodeWriter) -> None:
        self._inner = inner
        self.node: NodeRef = inner.node

    def identity(self) -> Mapping[str, str]:
        """The identity of the server that this session reached."""
        return self._inner.identity()

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Run one reading statement."""
        return self._inner.query(sql, timeout_s=timeout_s)

    def execute(self, sql: str, *, secrets: Mapping[str, str], timeout_s: float) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would send a statement here")

    def apply_transaction(self, statements: Sequence[RowStatement], *, marker: str, timeout_s: float) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would change rows here")

    def apply_schema_change(self, change: SchemaStatement, *, marker: str, timeout_s: float) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would change a definition here")

    def kill_session(self, connection_id: int) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would end a session here")

    def close(self) -> None:
        """End the session."""
        self._inner.close()


class ReadOnlyConsole:
    """Implements `Console` but stores nothing; webhooks are not called."""

    def knows_run(self, run_id: str) -> bool:
        """True: the rehearsed plan has checked this already."""
        return True

    def other_run_on(self, cluster_id: str) -> str | None:
        """None: the rehearsed plan has checked this already."""
        return None

    def unapplied_behind(self, executed: FilePosition, place: AppliedPlace | None) -> int | None:
        """None: a rehearsal drains nothing that could be counted afterwards."""
        return None

    def set_roles(self, active_cluster_id: str, standby_cluster_id: str) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would swap the roles here")

    def record_divergence(self, divergence: Divergence) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would record the divergence here")

    def reconcile(self, lost_cluster_id: str, state_uuid: str | None) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would reconcile the lost side here")

    def accept_state_uuid(self, cluster_id: str, state_uuid: str) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would record the new state UUID here")

    def attach(self, lost_cluster_id: str) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would end the failover here")

    def open_maintenance(self, params: Mapping[str, Any]) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would record a maintenance here")

    def allow_stop(self, last_seqno: int, logs: Sequence[tuple[str, int]]) -> NoReturn:
        """Refused: ends the walk."""
        raise FirstWriteError("a run would allow a stop here")

    def call_hook(self, hook_id: str, key: str) -> HookResponse:
        """A rehearsal must not drain a proxy."""
        return HookResponse(is_ok=True, sentence="not called in a rehearsal")


@dataclass(slots=True)
class BudgetClock:
    """Implements `Clock`; once the budget is used up every wait ends at its next observation."""

    inner: Clock
    budget_s: float
    _ends_s: float = field(init=False)

    def __post_init__(self) -> None:
        self._ends_s = self.inner.monotonic_s() + self.budget_s

    def now_s(self) -> float:
        """Unix time."""
        return self.inner.now_s()

    def monotonic_s(self) -> float:
        """Monotonic time, which jumps ahead once the budget is used up."""
        now = self.inner.monotonic_s()
        return now if now < self._ends_s else now + 1e9

    def sleep(self, seconds: float) -> None:
        """Wait."""
        self.inner.sleep(seconds)

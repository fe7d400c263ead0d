"""Ports with the power to change cut off: who reaches for it ends the walk there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from backend.core.link_facts import Divergence, LinkFacts
from backend.core.ports import Clock, Gateway, HookResponse, NodeReader, NodeWriter, Row, RowStatement, SchemaStatement
from backend.core.positions import FilePosition
from backend.core.topology import NodeFacts, NodeRef


class FirstWriteError(Exception):
    """The walk is where something would be changed."""


@dataclass(frozen=True, slots=True)
class ReadOnlyGateway:
    """Implements `Gateway`; its sessions cannot change anything."""

    inner: Gateway

    def reader(self, node_id: str) -> NodeReader:
        """As it is: a reader cannot change anything."""
        return self.inner.reader(node_id)

    def writer(self, node_id: str) -> ReadOnlyWriter:
        """A session that can be opened, asked and closed."""
        return ReadOnlyWriter(self.inner.writer(node_id))

    def try_write(self, node_id: str) -> NoReturn:
        """Even a write that must fail is one."""
        raise FirstWriteError("a write would be tried here")

    def observe_node(self, node_id: str) -> NodeFacts:
        """As it is."""
        return self.inner.observe_node(node_id)

    def observe_link(self, *, is_patient: bool = False) -> LinkFacts:
        """As it is."""
        return self.inner.observe_link(is_patient=is_patient)


class ReadOnlyWriter:
    """Implements `NodeWriter` without the power to write."""

    def __init__(self, inner: NodeWriter) -> None:
        self._inner = inner
        self.node: NodeRef = inner.node

    def identity(self) -> Mapping[str, str]:
        """Which server this session reached."""
        return self._inner.identity()

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Read."""
        return self._inner.query(sql, timeout_s=timeout_s)

    def execute(self, sql: str, *, secrets: Mapping[str, str], timeout_s: float) -> NoReturn:
        """Never."""
        raise FirstWriteError("a statement would be sent here")

    def apply_transaction(self, statements: Sequence[RowStatement], *, marker: str, timeout_s: float) -> NoReturn:
        """Never."""
        raise FirstWriteError("rows would be changed here")

    def apply_schema_change(self, change: SchemaStatement, *, marker: str, timeout_s: float) -> NoReturn:
        """Never."""
        raise FirstWriteError("a definition would be changed here")

    def kill_session(self, connection_id: int) -> NoReturn:
        """Never."""
        raise FirstWriteError("a session would be ended here")

    def close(self) -> None:
        """End the session."""
        self._inner.close()


class ReadOnlyConsole:
    """Implements `Console` without a record; webhooks are not called."""

    def knows_run(self, run_id: str) -> bool:
        """The plan that is rehearsed has asked the record."""
        return True

    def unapplied_behind(self, executed: FilePosition) -> int | None:
        """A rehearsal drains nothing that could be counted after."""
        return None

    def set_roles(self, active_cluster_id: str, standby_cluster_id: str) -> NoReturn:
        """Never."""
        raise FirstWriteError("the roles would be swapped here")

    def record_divergence(self, divergence: Divergence) -> NoReturn:
        """Never."""
        raise FirstWriteError("the divergence would be recorded here")

    def reconcile(self, lost_cluster_id: str, state_uuid: str | None) -> NoReturn:
        """Never."""
        raise FirstWriteError("the lost side would be taken back here")

    def accept_state_uuid(self, cluster_id: str, state_uuid: str) -> NoReturn:
        """Never."""
        raise FirstWriteError("the new history would be recorded here")

    def attach(self, lost_cluster_id: str) -> NoReturn:
        """Never."""
        raise FirstWriteError("the failover would be over here")

    def call_hook(self, hook_id: str, key: str) -> HookResponse:
        """A rehearsal must not drain a proxy."""
        return HookResponse(is_ok=True, sentence="not called in a rehearsal")


@dataclass(slots=True)
class BudgetClock:
    """Implements `Clock`; once the budget is used up every waiting ends at its next look."""

    inner: Clock
    budget_s: float
    _ends_s: float = field(init=False)

    def __post_init__(self) -> None:
        self._ends_s = self.inner.monotonic_s() + self.budget_s

    def now_s(self) -> float:
        """Unix time."""
        return self.inner.now_s()

    def monotonic_s(self) -> float:
        """Monotonic time, which leaps once the budget is used up."""
        now = self.inner.monotonic_s()
        return now if now < self._ends_s else now + 1e9

    def sleep(self, seconds: float) -> None:
        """Wait."""
        self.inner.sleep(seconds)

"""Polls many nodes each tick, with one thread and one connection for each node.

A tick starts a poll on every idle node and collects the results at the deadline. A node whose
poll is still running long after its budget counts as hung; nothing waits for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.core.dialects import DialectError, dialect_of
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.topology import NodeFacts
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.connection.session import Session
from backend.gateway.polling.binlog_tail import BinlogTail
from backend.gateway.polling.journal_sample import Sample, take_sample
from backend.gateway.polling.parallel import hung_facts
from backend.gateway.polling.poll import poll_node

HUNG_AFTER_S = 2.0
REFUSED_PAUSE_S = 5.0
"""The interval between attempts with refused credentials, so that no account gets locked."""


@dataclass(frozen=True, slots=True)
class Polled:
    """The newest facts of one node."""

    facts: NodeFacts
    sample: Sample | None
    tail: BinlogTail

    @property
    def tells_its_end(self) -> bool:
        """Whether all of its log was read; a node that responds may have written more since."""
        return self.tail.is_current or not self.facts.is_up


class NodePoller:
    """One node, polled from a thread of its own."""

    def __init__(self, access: NodeAccess, start: FilePosition | None = None) -> None:
        self.access = access
        self._session = Session(access.ref.name, access.monitor, read_only=True, read_s=access.answers_s, joins=True)
        self._tail = BinlogTail(start)
        self._wanted = threading.Event()
        self._changed = threading.Condition()
        self._latest: Polled | None = None
        self._busy_since: float | None = None
        self._paused_until = 0.0
        self._closed = False
        self._thread = threading.Thread(target=self._loop, daemon=True, name=f"poll-{access.ref.name}")
        self._thread.start()

    def trigger(self) -> None:
        """Start a poll where none is running."""
        with self._changed:
            if self._busy_since is None and time.monotonic() >= self._paused_until:
                self._busy_since = time.monotonic()
                self._wanted.set()

    def collect(self, deadline: float) -> Polled | None:
        """The newest result; waits for the running poll until `deadline` (monotonic)."""
        with self._changed:
            self._changed.wait_for(lambda: self._busy_since is None, max(0.0, deadline - time.monotonic()))
            since = self._busy_since
            if since is not None and time.monotonic() - since > max(HUNG_AFTER_S, self._session.read_s):
                waited = time.monotonic() - since
                return Polled(hung_facts(self.access, f"no response for {waited:.0f} s"), None, self._tail)
            return self._latest

    @property
    def read_until(self) -> FilePosition | None:
        """How far its log was read; None before the first read."""
        return self._tail.cursor

    def close(self) -> None:
        """End the thread after its poll; it never outlives the process."""
        self._closed = True
        self._wanted.set()

    def _loop(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._closed:
                self._session.close()
                return
            polled = self._poll()
            with self._changed:
                self._latest = polled
                self._busy_since = None
                self._changed.notify_all()

    def _poll(self) -> Polled:
        facts = poll_node(self._session, self.access.ref)
        if facts.probe_ms is not None:
            self._session.set_distance(facts.probe_ms)
        if facts.reach.value == "refused":
            self._paused_until = time.monotonic() + REFUSED_PAUSE_S
        sample = None
        if facts.is_up:
            try:
                dialect = dialect_of(facts)
                sample = take_sample(self._session, dialect, facts, self._tail)
            except (NodeError, DialectError, KeyError, IndexError, ValueError):
                self._tail.is_current = False  # whatever a server shows: without this thread its node is hung for good
        return Polled(facts, sample, self._tail)


class PollerSet:
    """All nodes of the console."""

    def __init__(self) -> None:
        self._pollers: dict[str, NodePoller] = {}

    def set_nodes(self, accesses: Sequence[NodeAccess], starts: Mapping[str, FilePosition] | None = None) -> None:
        """Poll exactly these nodes; a changed address or account restarts its poller where its log was read last."""
        wanted = {access.ref.id: access for access in accesses}
        begins = dict(starts or {})
        for node_id, poller in list(self._pollers.items()):
            if wanted.get(node_id) != poller.access:
                poller.close()
                del self._pollers[node_id]
                if poller.read_until is not None:
                    begins[node_id] = poller.read_until
        for node_id, access in wanted.items():
            if node_id not in self._pollers:
                self._pollers[node_id] = NodePoller(access, begins.get(node_id))

    def tick(self, wait_s: float) -> dict[str, Polled]:
        """Poll all nodes, wait up to `wait_s` in total, and return the newest facts by node id."""
        deadline = time.monotonic() + wait_s
        for poller in self._pollers.values():
            poller.trigger()
        found = {node_id: poller.collect(deadline) for node_id, poller in self._pollers.items()}
        return {node_id: polled for node_id, polled in found.items() if polled is not None}

    def close(self) -> None:
        """Stop all pollers."""
        for poller in self._pollers.values():
            poller.close()
        self._pollers.clear()

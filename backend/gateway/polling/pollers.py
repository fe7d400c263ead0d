"""Polls many nodes each tick: one thread waits for all answers, and a few make the polls that have to wait.

A node whose poll is still running long after its budget counts as hung; nothing waits for it. How many threads there
are does not depend on how many nodes there are (docs/explanation/decisions).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping, Sequence

from backend.core.positions import FilePosition
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.node_poller import NodePoller, Polled
from backend.gateway.polling.poll_loop import PollLoop
from backend.gateway.polling.workers import Work, Workers

__all__ = ["Polled", "PollerSet"]
WAITING_THREADS = 16
"""For nodes that responded last time, and as many for those that did not: a lost site does not delay the other."""


class PollerSet:
    """All nodes of the console."""

    def __init__(self) -> None:
        self._pollers: dict[str, NodePoller] = {}
        self._loop = PollLoop()
        self._workers = Workers("poll", WAITING_THREADS)
        self._retries = Workers("poll-silent", WAITING_THREADS)
        self._changed = threading.Condition()
        self._awaited: set[NodePoller] = set()

    def set_nodes(self, accesses: Sequence[NodeAccess], starts: Mapping[str, FilePosition] | None = None) -> None:
        """Poll exactly these nodes; a changed address or account restarts its poller where its log was read last."""
        wanted = {access.ref.id: access for access in accesses}
        begins = dict(starts or {})
        for node_id, poller in list(self._pollers.items()):
            if wanted.get(node_id) != poller.access:
                self._loop.post(poller.close)
                self._loop.wake()
                del self._pollers[node_id]
                if poller.read_until is not None:
                    begins[node_id] = poller.read_until
        for node_id, access in wanted.items():
            if node_id not in self._pollers:
                begin = begins.get(node_id)
                self._pollers[node_id] = NodePoller(access, self._loop, self._submit, self._on_done, begin)

    def tick(self, wait_s: float, changing: Collection[str] = ()) -> dict[str, Polled]:
        """Poll all nodes, wait up to `wait_s` in total, and return the newest facts by node id.

        A poll that was running before, or of a node that was silent, is not waited for. `changing`: ids of nodes on
        whose channels a statement of a run is under way; of those that are not read, the last known ones are kept.
        """
        deadline = time.monotonic() + wait_s
        begun = [poller for poller in self._pollers.values() if poller.begin()]
        with self._changed:
            for poller in begun:
                poller.changes = poller.access.ref.id in changing
            self._awaited = {poller for poller in begun if not poller.is_silent}
        for poller in begun:
            self._loop.post(poller.start)
        if begun:
            self._loop.wake()
        with self._changed:
            self._changed.wait_for(lambda: not self._awaited, max(0.0, deadline - time.monotonic()))
            self._awaited = set()
        found = {node_id: poller.seen() for node_id, poller in self._pollers.items()}
        return {node_id: polled for node_id, polled in found.items() if polled is not None}

    def close(self) -> None:
        """Stop all pollers."""
        for poller in self._pollers.values():
            self._loop.post(poller.close)
        self._pollers.clear()
        self._loop.close()
        self._workers.close()
        self._retries.close()

    def _submit(self, work: Work, was_silent: bool) -> None:
        (self._retries if was_silent else self._workers).submit(work)

    def _on_done(self, poller: NodePoller) -> None:
        with self._changed:
            self._awaited.discard(poller)
            if not self._awaited:
                self._changed.notify_all()

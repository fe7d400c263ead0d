"""The monitor's journal in memory: samples taken each second by the monitor's own poller."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from backend.core.positions import FilePosition, Seqno
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.journal_sample import Sample
from backend.gateway.polling.pollers import PollerSet

TICK_S = 1.0


class MemoryJournal:
    """Implements `ports.Journal` over samples in the order they were taken."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []

    def checkpoint_before(self, node_id: str, seqno: Seqno) -> Sample | None:
        """Latest sample of that node, in that incarnation, at or before `seqno`."""
        return self._latest(node_id, lambda s: s.state_uuid == seqno.state_uuid and s.seqno <= seqno.number)

    def checkpoint_at_age(self, node_id: str, state_uuid: str, age_s: float) -> Sample | None:
        """Latest sample at least `age_s` seconds older than the node's newest."""
        newest = self._latest(node_id, lambda s: s.state_uuid == state_uuid)
        if newest is None:
            return None
        return self._latest(node_id, lambda s: s.observed_at_s <= newest.observed_at_s - age_s)

    def checkpoint_at(self, node_id: str, state_uuid: str, position: FilePosition) -> Sample | None:
        """Latest exact sample at or before `position`."""
        return self._latest(node_id, lambda s: s.exact and s.state_uuid == state_uuid and s.position <= position)

    def furthest(self, node_id: str) -> Sample | None:
        """The sample furthest on in the node's log."""
        known = [s for s in self.samples if s.node_id == node_id]
        return max(known, key=lambda s: (s.position.number, s.position.offset), default=None)

    def first_of_history(self, node_id: str, state_uuid: str) -> Sample | None:
        """None: no cluster is bootstrapped again in a measurement."""
        return None

    def seqno_at(self, node_id: str, state_uuid: str, position: FilePosition) -> int | None:
        """The exact seqno of the group that ends at `position`."""
        found = self._latest(node_id, lambda s: s.exact and s.state_uuid == state_uuid and s.position == position)
        return found.seqno if found else None

    def _latest(self, node_id: str, wanted: Callable[[Sample], bool]) -> Sample | None:
        return next((s for s in reversed(self.samples) if s.node_id == node_id and wanted(s)), None)


class NoJournal(MemoryJournal):
    """A journal that was never kept: what a cold search has."""


class Sampling:
    """Polls the nodes each second, as the monitor does, while the block runs."""

    def __init__(self, journal: MemoryJournal, nodes: Sequence[NodeAccess]) -> None:
        self._journal = journal
        self._nodes = nodes
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> Sampling:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _work(self) -> None:
        pollers = PollerSet()
        pollers.set_nodes(self._nodes)
        while not self._over.is_set():
            started = time.monotonic()
            for polled in pollers.tick(TICK_S * 0.8).values():
                if polled.sample is not None and polled.sample not in self._journal.samples[-8:]:
                    self._journal.samples.append(polled.sample)
            self._over.wait(max(0.0, started + TICK_S - time.monotonic()))
        pollers.close()

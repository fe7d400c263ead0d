"""The facts that this monitor polled, debounced, and which of them it may store."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from backend.core.link_state.debounce import MISSES_BEFORE_DOWN, debounce
from backend.core.topology import NodeFacts


class ObservedNodes:
    """By node id.

    A node that was just taken over is stored from the next poll on: the facts from before may be older than those which
    its former owner stored.
    """

    def __init__(self) -> None:
        self.facts: dict[str, NodeFacts] = {}
        self._polled: Mapping[str, NodeFacts] = {}
        self._busy: set[str] = set()
        self._wanted: frozenset[str] = frozenset()
        self._misses: dict[str, int] = {}
        self._awaited: dict[str, int] = {}

    def observe(self, polled: Mapping[str, NodeFacts]) -> None:
        """Take the results of a tick; of a poll that takes longer than that, it is the result of the poll before."""
        self._busy = {node_id for node_id, facts in polled.items() if facts is self._polled.get(node_id)}
        self._polled = polled
        for node_id in polled.keys() - self._busy:
            self._debounce(node_id, polled[node_id])

    def _debounce(self, node_id: str, seen: NodeFacts) -> None:
        before = self.facts.get(node_id)
        facts, misses = debounce(before, seen, self._misses.get(node_id, 0))
        self._misses[node_id] = misses
        if before is None and 0 < misses < MISSES_BEFORE_DOWN:
            return  # for its former owner it may have been up: one missed poll is not a lost node
        self.facts[node_id] = facts
        if facts is not before and node_id in self._awaited:
            self._awaited[node_id] -= 1
            if not self._awaited[node_id]:
                del self._awaited[node_id]

    def await_results(self, node_ids: Collection[str]) -> None:
        """From now on these nodes are stored after a poll that begins later."""
        running = self._busy | (self._wanted - self._polled.keys())
        self._awaited |= {node_id: 2 if node_id in running else 1 for node_id in node_ids}

    def storable(self, node_ids: Collection[str]) -> dict[str, NodeFacts]:
        """The facts of these nodes, as far as they were polled since this monitor owns them."""
        return {n: self.facts[n] for n in node_ids if n in self.facts and n not in self._awaited}

    def keep_only(self, node_ids: Collection[str]) -> None:
        """From now on these nodes are polled; the others are forgotten."""
        self._wanted = frozenset(node_ids)
        self.facts = {node_id: facts for node_id, facts in self.facts.items() if node_id in node_ids}
        self._misses = {node_id: misses for node_id, misses in self._misses.items() if node_id in node_ids}
        self._awaited = {node_id: polls for node_id, polls in self._awaited.items() if node_id in node_ids}

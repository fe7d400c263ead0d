"""Sessions of an earlier worker that could not be ended. Their statements may still run: their nodes are left alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from backend.core.link_facts import LinkFacts
from backend.core.ports import Gateway, NodeError, NodeReader, NodeWriter
from backend.core.positions import FilePosition
from backend.core.runner.reconnect import end_session, retry_once
from backend.core.topology import ClusterFacts, NodeFacts

T = TypeVar("T")
MAX_LOST_WORKERS = 3
"""After one more worker in a row the run itself is the likely cause: it needs an operator instead of another worker."""


def end_sessions(gateway: Gateway, sessions: Iterable[tuple[str, str, int]]) -> dict[str, NodeError]:
    """End each session (node's id and name, connection id); returns what kept one from ending, by node id."""
    left = {}
    for node_id, node, connection_id in sessions:
        try:
            if not retry_once(lambda: end_session(gateway, node_id, connection_id)):  # noqa: B023 - asked at once
                left[node_id] = NodeError(node, f"session {connection_id} does not end")
        except NodeError as error:
            left[node_id] = error
    return left


@dataclass(frozen=True, slots=True)
class QuarantineGateway:
    """A gateway that opens no session on nodes where such a session may be open, and says why; implements `Gateway`."""

    gateway: Gateway
    errors: Mapping[str, NodeError]

    def reader(self, node_id: str) -> NodeReader:
        """Read the facts of another node."""
        return self._towards(node_id).reader(node_id)

    def writer(self, node_id: str) -> NodeWriter:
        """Open a session on another node."""
        return self._towards(node_id).writer(node_id)

    def open_ahead(self, node_ids: Sequence[str]) -> Mapping[str, NodeWriter]:
        """Open sessions on other nodes."""
        return self.gateway.open_ahead([node_id for node_id in node_ids if node_id not in self.errors])

    def try_writes(self, node_ids: Sequence[str]) -> Mapping[str, int]:
        """Try to write where each is another node."""
        for node_id in node_ids:
            self._towards(node_id)
        return self.gateway.try_writes(node_ids)

    def observe_node(self, node_id: str) -> NodeFacts:
        """Observe another node: an observation of this one would not be conclusive."""
        return self._towards(node_id).observe_node(node_id)

    def observe_nodes(self, node_ids: Sequence[str]) -> Mapping[str, NodeFacts]:
        """Observe them where each is another node."""
        for node_id in node_ids:
            self._towards(node_id)
        return self.gateway.observe_nodes(node_ids)

    def observe_cluster(self, cluster_id: str) -> ClusterFacts:
        """Observe all nodes of a cluster; nothing is decided from one alone."""
        return self.gateway.observe_cluster(cluster_id)

    def written_at(self, node_id: str, begins: FilePosition) -> int | None:
        """Read it where that is another node."""
        return self._towards(node_id).written_at(node_id, begins)

    def at_once(self, calls: Sequence[Callable[[], T]]) -> Sequence[T]:
        """Their sessions were opened before."""
        return self.gateway.at_once(calls)

    def observe_link(self, *, is_patient: bool = False, of: Collection[str] = ()) -> LinkFacts:
        """Observe all nodes; nothing is decided from one alone."""
        return self.gateway.observe_link(is_patient=is_patient, of=of)

    def _towards(self, node_id: str) -> Gateway:
        error = self.errors.get(node_id)
        if error is not None:
            raise NodeError(error.node, f"a statement of an earlier worker may still run there ({error.message})")
        return self.gateway

"""Simulates the loss of one cluster, so that a failover can be rehearsed while both clusters are up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeVar

from backend.core.link_facts import LinkFacts
from backend.core.ports import Gateway, NodeError, NodeReader, NodeWriter
from backend.core.positions import FilePosition
from backend.core.rehearsal.read_only import FirstWriteError
from backend.core.topology import ChannelFacts, ClusterFacts, NodeFacts, NodeRef, Reach

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SimulatedLossGateway:
    """Implements `Gateway` as if these nodes, all of one cluster, were down."""

    inner: Gateway
    lost: tuple[NodeRef, ...]

    def reader(self, node_id: str) -> NodeReader:
        """Refused on the lost side."""
        self._refuse(node_id)
        return self.inner.reader(node_id)

    def writer(self, node_id: str) -> NodeWriter:
        """Refused on the lost side."""
        self._refuse(node_id)
        return self.inner.writer(node_id)

    def open_ahead(self, node_ids: Sequence[str]) -> Mapping[str, NodeWriter]:
        """None on the lost side."""
        return self.inner.open_ahead([node_id for node_id in node_ids if not self._is_lost(node_id)])

    def try_writes(self, node_ids: Sequence[str]) -> NoReturn:
        """Refused: a rehearsal tries no write."""
        raise FirstWriteError("a run would try a write here")

    def observe_node(self, node_id: str) -> NodeFacts:
        """The node's facts as if it were lost, or as if its source were."""
        seen = self.inner.observe_node(node_id)
        return _gone(seen) if self._is_lost(node_id) else _cut(seen, {ref.address for ref in self.lost})

    def observe_nodes(self, node_ids: Sequence[str]) -> Mapping[str, NodeFacts]:
        """Each as `observe_node` says."""
        return {node_id: self.observe_node(node_id) for node_id in node_ids}

    def observe_cluster(self, cluster_id: str) -> ClusterFacts:
        """The cluster's facts as if it were lost, or as if its sources were."""
        return self._as_lost(self.inner.observe_cluster(cluster_id))

    def written_at(self, node_id: str, begins: FilePosition) -> int | None:
        """As the inner gateway reads it; nothing of the lost side."""
        return None if self._is_lost(node_id) else self.inner.written_at(node_id, begins)

    def at_once(self, calls: Sequence[Callable[[], T]]) -> Sequence[T]:
        """Their sessions are of nodes that are not lost."""
        return self.inner.at_once(calls)

    def observe_link(self, *, is_patient: bool = False, of: Collection[str] = ()) -> LinkFacts:
        """The link's facts as if the cluster were lost."""
        return with_cluster_lost(self.inner.observe_link(is_patient=is_patient, of=of), self.lost[0].cluster_id)

    def _as_lost(self, cluster: ClusterFacts) -> ClusterFacts:
        addresses = {ref.address for ref in self.lost}
        nodes = (_gone(one) if self._is_lost(one.node.id) else _cut(one, addresses) for one in cluster.nodes)
        return replace(cluster, nodes=tuple(nodes))

    def _is_lost(self, node_id: str) -> bool:
        return any(ref.id == node_id for ref in self.lost)

    def _refuse(self, node_id: str) -> None:
        if self._is_lost(node_id):
            raise NodeError(node_id, _SIMULATED)


_SIMULATED = "treated as lost in this rehearsal"


def with_cluster_lost(link: LinkFacts, cluster_id: str) -> LinkFacts:
    """The link's facts with every node of one cluster down, and channels from it unable to connect."""
    lost = link.active if link.active.id == cluster_id else link.standby
    addresses = {node.node.address for node in lost.nodes}
    gone = tuple(_gone(node) for node in lost.nodes)

    def side(cluster: ClusterFacts) -> ClusterFacts:
        if cluster.id == cluster_id:
            return replace(cluster, nodes=gone)
        return replace(cluster, nodes=tuple(_cut(node, addresses) for node in cluster.nodes))

    return replace(link, active=side(link.active), standby=side(link.standby))


def _gone(node: NodeFacts) -> NodeFacts:
    return NodeFacts(node.node, node.observed_at_s, Reach.DOWN, error=_SIMULATED)


def _cut(node: NodeFacts, addresses: set[tuple[str, int]]) -> NodeFacts:
    channels = node.channels
    if channels is None:
        return node
    return replace(node, channels=tuple(_unfed(c) if c.source_address in addresses else c for c in channels))


def _unfed(channel: ChannelFacts) -> ChannelFacts:
    if channel.io_running == "No":
        return channel
    connection_error: dict[str, Any] = {"io_errno": 2003, "io_error": _SIMULATED, "lag_s": None}
    return replace(channel, io_running="Connecting", **connection_error)

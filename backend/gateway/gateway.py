"""The gateway through which a run or a lookup reaches one link's servers; implements `ports.Gateway`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TypeVar

from backend.core.dialects.known_defects import may_end_when_read
from backend.core.facts.channel_ends import foreign_addresses
from backend.core.facts.origins import told_apart
from backend.core.link_facts import Divergence, LinkFacts, RecordedChannel
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.topology import ClusterFacts, NodeFacts, NodeRef, Reach
from backend.gateway.binlog_dump import place_at
from backend.gateway.connection.endpoint import ClusterAccess, LinkAccess, NodeAccess
from backend.gateway.connection.login import try_write
from backend.gateway.parallel_reads import side_by_side
from backend.gateway.polling.parallel import SessionPool, observe_all, observe_once
from backend.gateway.reader import Deadline, Reader
from backend.gateway.writer import Writer

T = TypeVar("T")
NodesAt = Callable[[Collection[tuple[str, int]]], tuple[NodeRef, ...]]
"""The registered nodes at some addresses."""


def cluster_facts(shape: ClusterAccess, seen: Mapping[str, NodeFacts]) -> ClusterFacts:
    """A registered cluster with the facts of its nodes."""
    return ClusterFacts(
        id=shape.id,
        name=shape.name,
        site=shape.site,
        nodes=tuple(seen[access.ref.id] for access in shape.nodes),
        recorded_state_uuid=shape.recorded_state_uuid,
        known_server_ids=shape.known_server_ids,
        recorded_servers=shape.recorded_servers,
        logged_origins=shape.logged_origins,
    )


def link_facts(
    shape: LinkAccess,
    seen: Mapping[str, NodeFacts],
    recorded: Sequence[RecordedChannel],
    divergence: Divergence | None,
    at_s: float,
    nodes_at: NodesAt = lambda _addresses: (),
) -> LinkFacts:
    """A registered link with the facts of its nodes and the records of its channels and divergence."""
    active, standby = told_apart(cluster_facts(shape.active, seen), cluster_facts(shape.standby, seen))
    return LinkFacts(
        id=shape.id,
        name=shape.name,
        active=active,
        standby=standby,
        channel_name=shape.channel_name,
        recorded=tuple(recorded),
        observed_at_s=at_s,
        divergence=divergence,
        home_cluster_id=shape.home_cluster_id,
        elsewhere=nodes_at(foreign_addresses(active, standby)),
        writes_on_both_sides=shape.writes_on_both_sides,
        proven_within_s=shape.proven_within_s,
    )


def _opened(reader: Reader) -> Reader:
    reader.open()
    return reader


class NodeGateway:
    """Stores one reader per node and thread (the driver allows no sharing) and the polls' sessions; writers are new.

    `hung`: ids of nodes for which the first poll does not wait long either. `with_records` adds what is stored of the
    link's sides. `changing`: ids of nodes on whose channels a statement of a run is under way.
    """

    def __init__(
        self,
        shape: LinkAccess,
        recorded: Callable[[], Sequence[RecordedChannel]] = tuple,
        divergence: Callable[[], Divergence | None] = lambda: None,
        *,
        pages_until: Deadline | None = None,
        hung: frozenset[str] = frozenset(),
        nodes_at: NodesAt = lambda _addresses: (),
        with_records: Callable[[LinkFacts], LinkFacts] = lambda link: link,
        changing: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self.shape = shape
        self._recorded = recorded
        self._divergence = divergence
        self._nodes_at = nodes_at
        self._pages_until = pages_until
        self._access = {access.ref.id: access for access in shape.nodes}
        self._readers: dict[tuple[str, int], Reader] = {}
        self._polls = SessionPool()
        self._polled: dict[str, tuple[float, NodeFacts]] = {}
        self._lock = threading.Lock()
        self._hung = hung
        self._with_records = with_records
        self._changing = changing

    def access(self, node_id: str) -> NodeAccess:
        """The node's registration; KeyError where it is not in this link."""
        return self._access[node_id]

    def reader(self, node_id: str) -> Reader:
        """This thread's reading session on the node."""
        access = self.access(node_id)
        key = (node_id, threading.get_ident())
        with self._lock:
            if key not in self._readers:
                self._readers[key] = Reader(access.ref, access.monitor, pages_until=self._pages_until)
            return self._readers[key]

    def writer(self, node_id: str) -> Writer:
        """A new changing session; raises NodeError where none can be opened."""
        access = self.access(node_id)
        return Writer(access.ref, access.operator)

    def open_ahead(self, node_ids: Sequence[str]) -> Mapping[str, Writer]:
        """Open this thread's reading sessions, and new changing ones, in parallel; not on nodes that hung just now."""
        reached = [node_id for node_id in self._access if node_id not in self._hung]
        openings: list[Callable[[], Reader | Writer]] = [partial(_opened, self.reader(node_id)) for node_id in reached]
        openings += [partial(self.writer, node_id) for node_id in reached if node_id in node_ids]

        def tried(opening: Callable[[], Reader | Writer]) -> Reader | Writer | None:
            try:
                return opening()
            except NodeError:
                return None  # opened again by the statement that needs it, which says why it cannot

        found = side_by_side(tried, openings)
        return {session.node.id: session for session in found if isinstance(session, Writer)}

    def try_writes(self, node_ids: Sequence[str]) -> Mapping[str, int]:
        """The error numbers of writes by the monitor account, which may not write; raises NodeError."""

        def tried(node_id: str) -> int:
            access = self.access(node_id)
            return try_write(access.ref.name, access.monitor)

        return dict(zip(node_ids, side_by_side(tried, node_ids), strict=True))

    def observe_node(self, node_id: str) -> NodeFacts:
        """Poll one node now."""
        began_s = time.monotonic()
        facts = observe_once(self.access(node_id), self._polls, changing=self.under_change([node_id]))
        self._polled[node_id] = began_s, facts
        return facts

    def observe_nodes(self, node_ids: Sequence[str]) -> Mapping[str, NodeFacts]:
        """Poll these nodes now, concurrently."""
        return self._poll_all([self.access(node_id) for node_id in node_ids])

    def _poll_all(self, accesses: Sequence[NodeAccess], impatient: Collection[str] = ()) -> dict[str, NodeFacts]:
        began_s = time.monotonic()
        changing = self.under_change([access.ref.id for access in accesses])
        seen = observe_all(accesses, impatient=impatient, sessions=self._polls, changing=changing)
        self._polled |= {node_id: (began_s, facts) for node_id, facts in seen.items()}
        return seen

    def under_change(self, node_ids: Collection[str]) -> Collection[str]:
        """Those whose channels change; not asked for once all are known to run a release that bears to be read."""
        known = [self._polled[node_id][1] for node_id in node_ids if node_id in self._polled]
        is_safe = len(known) == len(node_ids) and not any(may_end_when_read(facts.version) for facts in known)
        return () if is_safe else self._changing()

    def facts_of(self, node_ids: Collection[str], *, max_age_s: float) -> Mapping[str, NodeFacts]:
        """The facts of these nodes; those polled so short a time ago are not polled again."""
        since_s = time.monotonic() - max_age_s
        known = {n: self._polled[n][1] for n in node_ids if n in self._polled and self._polled[n][0] >= since_s}
        return known | self._poll_all([self.access(n) for n in node_ids if n not in known], self._hung)

    def observe_cluster(self, cluster_id: str) -> ClusterFacts:
        """Poll every node of one cluster now, concurrently; LookupError where it is not one of the link's."""
        shape = next((one for one in (self.shape.active, self.shape.standby) if one.id == cluster_id), None)
        if shape is None:
            raise LookupError(f"{cluster_id!r} is no cluster of {self.shape.name}")
        return cluster_facts(shape, self._poll_all(shape.nodes, self._hung))

    def written_at(self, node_id: str, begins: FilePosition) -> int | None:
        """By the dump protocol, with the monitor account; raises NodeError."""
        access = self.access(node_id)
        return place_at(access.ref.name, access.monitor, begins, read_s=access.answers_s).at_s

    def at_once(self, calls: Sequence[Callable[[], T]]) -> Sequence[T]:
        """A thread for each call."""
        return side_by_side(lambda call: call(), calls)

    def observe_link(self, *, is_patient: bool = False, of: Collection[str] = ()) -> LinkFacts:
        """Poll every node of the link now, concurrently; one that hung last time does not delay an impatient poll.

        With `of`, only those whose id, or whose cluster's, is in it; the others are shown as unknown.
        """
        started, nodes = time.time(), self.shape.nodes
        meant = [one for one in nodes if not of or {one.ref.id, one.ref.cluster_id} & set(of)]
        seen = self._poll_all(meant, () if is_patient else self._hung)
        hung = {node_id for node_id, facts in seen.items() if facts.reach is Reach.HUNG}
        self._hung = self._hung - seen.keys() | hung
        unpolled = {one.ref.id: NodeFacts(one.ref, started, Reach.UNKNOWN, error="not polled") for one in nodes}
        seen = unpolled | seen
        link = link_facts(self.shape, seen, self._recorded(), self._divergence(), started, self._nodes_at)
        return self._with_records(link)

    def close(self) -> None:
        """End all reading sessions; the caller closes writers."""
        with self._lock:
            readers, self._readers = list(self._readers.values()), {}
        for reader in readers:
            reader.close()
        self._polls.close()

"""Stores a tick's results for nodes: their state, their journal samples, and events for changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from backend.clusters.models import Cluster, Node
from backend.clusters.versions import links_joining
from backend.common.events import services as events
from backend.common.moving_rows import insert_rows, update_rows
from backend.core.facts.origins import logged_origins
from backend.core.facts.serialization import node_to_json
from backend.core.facts.server_identity import observed_server, remembered_server_ids
from backend.core.link_state.channels import reach_phrase
from backend.core.topology import ClusterFacts, NodeFacts, Reach
from backend.gateway.polling.journal_sample import Sample
from backend.monitoring.journal import retention_level
from backend.monitoring.models import Checkpoint, NodeState
from backend.monitoring.recording.node_rows import NodeRows, put_facts
from backend.monitoring.times import from_unix

_MOMENT = timedelta(seconds=5)
_MOVES = ["reach", "since", "read_at", "missed_at", "observed_at", "moved"]
_SYNCED = 4
_SEVERITY = {Reach.UP: "ok", Reach.DOWN: "blocker", Reach.HUNG: "blocker", Reach.REFUSED: "warning"}


def store_nodes(
    facts: Mapping[str, NodeFacts],
    now: datetime,
    *,
    broken_off: Collection[str] = (),
    rows: NodeRows | None = None,
    marks_read: bool = True,
) -> None:
    """Upsert every node's state; a changed reach raises an event on each link of its cluster.

    `broken_off`: ids of nodes whose binlog was not read to its end in this poll; they count as last read before it.
    `rows`: what this monitor remembers of the rows. Without `marks_read` no binlog was read. What was observed before
    the stored facts, a moment ago, is left out: a run stored those at its end.
    """
    rows = rows or NodeRows()
    known = rows.read(list(facts))
    fresh: list[NodeState] = []
    whole: list[NodeState] = []
    moved: list[NodeState] = []
    for node_id, seen in facts.items():
        state = known.get(node_id)
        if state is None:
            state = NodeState(node_id=node_id, reach=seen.reach.value, since=now)
            fresh.append(state)
            rows.keep(state)
        elif timedelta() < state.observed_at - from_unix(seen.observed_at_s) < _MOMENT:
            continue
        elif state.reach != seen.reach.value:
            _raise_reach(seen)
            state.reach, state.since = seen.reach.value, now
        if marks_read:
            _mark_read(state, seen, now, is_whole=node_id not in broken_off)
        is_whole = put_facts(state, node_to_json(seen), from_unix(seen.observed_at_s))
        if node_id in known:
            (whole if is_whole else moved).append(state)
    NodeState.objects.bulk_create(fresh)
    update_rows(NodeState, whole, [*_MOVES, "base"])
    update_rows(NodeState, moved, _MOVES)


def _mark_read(state: NodeState, seen: NodeFacts, now: datetime, *, is_whole: bool) -> None:
    """Store when the node was last read: `since` changes with every reach, also between two unreachable states."""
    wsrep = seen.wsrep
    # The binlog is followed under the same condition: a donor or a cut-off node does not show its cluster's writes.
    is_in_step = wsrep is not None and wsrep.cluster_status == "Primary" and wsrep.local_state == _SYNCED
    if is_whole and seen.is_up and is_in_step:
        state.read_at, state.missed_at = from_unix(seen.observed_at_s), None
    elif state.missed_at is None:
        state.missed_at = now


def _raise_reach(seen: NodeFacts) -> None:
    word = "is reachable again" if seen.is_up else reach_phrase(seen.reach)
    reason = f": {seen.error}" if seen.error and not seen.is_up else ""
    for link in links_joining([seen.node.cluster_id]):
        events.raised(
            link_id=link.id,
            kind=f"node.{seen.reach.value}",
            severity=_SEVERITY.get(seen.reach, "unknown"),
            message=f"{seen.node.name} {word}{reason}.",
            subject=seen.node.name,
        )


@dataclass(frozen=True, slots=True)
class _CheckpointRow:
    """The columns of a `Checkpoint` that is not stored yet."""

    node_id: str
    state_uuid: str
    file: str
    offset: int
    seqno: int
    exact: bool
    retention_level: int
    observed_at: datetime
    is_void: bool = False


def store_samples(samples: Iterable[Sample], last_kept: dict[str, datetime]) -> None:
    """Store the journal samples of this tick; `last_kept` has the time of each node's previous one."""
    rows = []
    for sample in samples:
        moment = from_unix(sample.observed_at_s)
        rows.append(
            _CheckpointRow(
                node_id=sample.node_id,
                state_uuid=sample.state_uuid,
                file=sample.position.file,
                offset=sample.position.offset,
                seqno=sample.seqno,
                exact=sample.exact,
                retention_level=retention_level(last_kept.get(sample.node_id), moment),
                observed_at=moment,
            )
        )
        last_kept[sample.node_id] = moment
    insert_rows(Checkpoint, rows)


def remember_identity(cluster: Cluster, facts: Mapping[str, NodeFacts]) -> None:
    """Store every server_id ever observed (a lost node's still prevents loops) and the first state UUID."""
    seen = [facts[node.id] for node in cluster.nodes.all() if node.id in facts and facts[node.id].is_up]
    ids = {one.node.id: one.server_id for one in seen if one.server_id is not None}
    primary = (one.wsrep for one in seen if one.wsrep is not None and one.wsrep.cluster_status == "Primary")
    first = next((wsrep.state_uuid for wsrep in primary), None) if cluster.state_uuid is None else None
    if first is None and ids.items() <= cluster.known_server_ids.items():
        return
    row = Cluster.objects.select_for_update().get(pk=cluster.pk)  # a person may have added or removed a node
    recorded = {node.id: node.server_id for node in cluster.nodes.all()}
    row.known_server_ids = remembered_server_ids(row.known_server_ids, ids, recorded)
    row.state_uuid = row.state_uuid or first
    row.save(update_fields=["known_server_ids", "state_uuid"])
    cluster.known_server_ids, cluster.state_uuid = row.known_server_ids, row.state_uuid


def remember_origins(cluster: Cluster, seen: ClusterFacts) -> None:
    """Store whose transactions stand in the cluster's logs: a node that is rebuilt begins its log anew.

    What the cluster logged under an id that no node has is one of its own server_ids.
    """
    origins = {f"{domain}-{server_id}" for domain, server_id in logged_origins(seen)}
    former = {f"logged as {server_id}": server_id for server_id in seen.former_server_ids}
    if origins <= set(cluster.logged_origins or ()) and former.items() <= cluster.known_server_ids.items():
        return
    row = Cluster.objects.select_for_update().get(pk=cluster.pk)
    row.logged_origins = sorted(origins.union(row.logged_origins or ()))
    row.known_server_ids = {**row.known_server_ids, **former}
    row.save(update_fields=["logged_origins", "known_server_ids"])
    cluster.logged_origins, cluster.known_server_ids = row.logged_origins, row.known_server_ids


def remember_servers(cluster: Cluster, facts: Mapping[str, NodeFacts]) -> None:
    """Store the server that is first observed at each node, as a member of the cluster; a later one is confirmed."""
    for node in cluster.nodes.all():
        seen = facts.get(node.id)
        observed = None if node.server or seen is None else observed_server(seen)
        if observed is None or seen is None or seen.wsrep is None or seen.wsrep.state_uuid != cluster.state_uuid:
            continue
        node.server, node.server_id = observed.server, observed.server_id
        Node.objects.filter(pk=node.pk, server="").update(server=node.server, server_id=node.server_id)

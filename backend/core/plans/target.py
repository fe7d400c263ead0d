"""The pair of nodes for the channels, and the current state of each direction."""

from __future__ import annotations

from collections.abc import Iterable

from backend.core.checks.context import Move, Pair
from backend.core.facts.channel_faults import FaultPlace, reading_fault, stops_again
from backend.core.facts.log_continuity import reads_another_log
from backend.core.facts.semi_sync import semi_sync_of
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.topology import ClusterFacts, Direction, NodeFacts, Reach

SYNCED = 4


class TargetError(ValueError):
    """An option names a node of the wrong side; `field` is that option."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def is_fit(node: NodeFacts) -> bool:
    """Whether a node could hold a channel at all: up, Primary, Synced."""
    wsrep = node.wsrep
    return (
        node.reach is Reach.UP
        and wsrep is not None
        and wsrep.cluster_status == "Primary"
        and wsrep.local_state == SYNCED
        and wsrep.ready
    )


def current_holder(link: LinkFacts, direction: Direction) -> ChannelHolder | None:
    """The current channel: the recorded one where it is observed, else the only possible one.

    Where the recorded node is unreachable, a stopped channel elsewhere is a stray one, and so is any channel on a node
    that it was moved away from. From a lost side that is not reconciled every channel is a stray one.
    """
    if link.is_invalidated(direction):
        return None
    holders = link.countable_holders(direction)
    recorded = link.recorded_channel(direction)
    if recorded is not None:
        for holder in holders:
            if holder.replica.node.id == recorded.replica_node_id:
                return holder
        if not link.node(recorded.replica_node_id).is_up:
            holders = tuple(h for h in holders if h.channel.is_running)
    return holders[0] if len(holders) == 1 else None


def current_pair(link: LinkFacts) -> tuple[str | None, str | None]:
    """Node ids (active, standby) of the forward channel, else of the reverse one; None if unknown."""
    for direction in Direction:
        source, replica = _joined(link, direction)
        if source or replica:
            return (source, replica) if direction is Direction.FORWARD else (replica, source)
    return None, None


def _joined(link: LinkFacts, direction: Direction) -> tuple[str | None, str | None]:
    holder = current_holder(link, direction)
    if holder is not None:
        return holder.source.id, holder.replica.node.id
    recorded = link.recorded_channel(direction)
    return (recorded.source_node_id, recorded.replica_node_id) if recorded else (None, None)


def choose_pair(link: LinkFacts, source_node: str | None, replica_node: str | None) -> Pair:
    """The requested pair, else the present node of each side while it is fit, else the first fit one.

    A node on which a channel stopped reading is replaced by another one where that one would not stop on it again, and
    one whose commits wait for a lost replica by any other: no read there sees what its cluster has committed.
    Raises TargetError for a node of the wrong side; the checks refuse an unfit choice.
    """
    now_active, now_standby = (None if _must_be_left(link, node_id) else node_id for node_id in current_pair(link))
    return Pair(
        _choose(link.active, source_node, now_active, "source_node"),
        _choose(link.standby, replica_node, now_standby, "replica_node"),
    )


def _must_be_left(link: LinkFacts, node_id: str | None) -> bool:
    """Whether nothing can be proven there, or a channel would stop there again for a cause that lies at that node."""
    semi_sync = None if node_id is None else semi_sync_of(link.node(node_id))
    if semi_sync is not None and semi_sync.holds_commits and semi_sync.sessions:
        return True  # its appliers stand, and a causal read waits for them (observed on MariaDB 10.11.19)
    return any(
        _faulty_end(link, holder, direction) == node_id
        for direction in Direction
        if (holder := current_holder(link, direction)) is not None
    )


def _faulty_end(link: LinkFacts, holder: ChannelHolder, direction: Direction) -> str | None:
    """The node (id) at which the cause lies, None where there is none or it may lie at either."""
    fault = reading_fault(holder.channel, is_of_another_log=reads_another_log(link, direction))
    source, replica = link.node(holder.source.id), holder.replica
    ends = source.node.id, replica.node.id
    if fault is None or not stops_again(fault, ends, source, replica, has_new_position=False):
        return None
    return ends[fault.place is FaultPlace.REPLICA]


def _choose(cluster: ClusterFacts, wanted: str | None, present: str | None, field: str) -> str:
    ids = [facts.node.id for facts in cluster.nodes]
    if wanted is not None:
        if wanted not in ids:
            raise TargetError(field, f"{wanted} is not a node of {cluster.name}")
        return wanted
    if present in ids and is_fit(cluster.node(present)):
        return present
    fit = [facts.node.id for facts in candidates(cluster)]
    return fit[0] if fit else (present if present in ids else ids[0])


def candidates(cluster: ClusterFacts) -> list[NodeFacts]:
    """Fit nodes, best first: no channel of any kind on them yet, then by name."""
    fit: Iterable[NodeFacts] = (facts for facts in cluster.nodes if is_fit(facts))
    return sorted(fit, key=lambda facts: (bool(facts.channels), facts.node.name))


def is_reforming(link: LinkFacts) -> bool:
    """Whether a side has nodes that answer and none of them is fit: for a moment so after a member's death.

    Its survivors are neither Primary nor Synced until they have agreed on a new membership without it.
    """
    sides = (link.active, link.standby)
    return any(any(facts.is_up for facts in side.nodes) and not candidates(side) for side in sides)


def moves_for(link: LinkFacts, pair: Pair) -> tuple[Move, ...]:
    """Both directions of the move onto `pair`."""
    return tuple(_move(link, pair, direction) for direction in Direction)


def _move(link: LinkFacts, pair: Pair, direction: Direction) -> Move:
    ids = (pair.active_node_id, pair.standby_node_id)
    source_id, replica_id = ids if direction is Direction.FORWARD else ids[::-1]
    holder = current_holder(link, direction)
    recorded = link.recorded_channel(direction)
    strays = tuple(h for h in link.holders(direction) if holder is None or h != holder)
    old_source, old_replica = _joined(link, direction)
    return Move(
        direction=direction,
        source=link.node(source_id),
        replica=link.node(replica_id),
        holder=holder,
        channel=holder.channel if holder else (recorded.channel if recorded else None),
        old_source_id=old_source,
        old_replica_id=old_replica,
        strays=strays,
        is_old_source_up=old_source is None or link.node(old_source).is_up,
    )


def is_stationary(move: Move) -> bool:
    """Whether the receiving side can no longer apply more, as far as it is observed.

    True where the replica is down, its SQL thread is stopped, or everything read is applied and nothing more arrives.
    A hung source sends nothing, although the I/O thread shows Yes until its timeout. If the source resumes, the run
    proves the position again and finds that it moved.
    """
    if move.holder is None:
        return True
    channel = move.holder.channel
    is_fed = channel.io_running == "Yes" and move.is_old_source_up
    return channel.sql_running == "No" or (not is_fed and channel.is_applied_out)


def needs_drain(link: LinkFacts, move: Move) -> bool:
    """Whether the relay log holds unapplied groups whose source is down: these are applied first."""
    if move.holder is None or move.old_source_id is None:
        return False
    channel = move.holder.channel
    source_gone = not link.node(move.old_source_id).is_up
    return source_gone and channel.sql_running == "Yes" and not channel.is_applied_out

"""One direction of a link: its current channel, and its stray channels.

Two channels in one direction apply every transaction twice. The channel that the console recorded last is the
current one; every other is a stray channel, running or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.core.facts.channel_faults import Fault, FaultKind, applying_fault, reading_fault, stops_again
from backend.core.findings import Finding, Severity
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.link_state.clusters import is_primary
from backend.core.positions import FilePosition
from backend.core.topology import PASSING_ERRORS, ChannelFacts, ClusterFacts, Direction, NodeFacts, Reach


class ChannelState(StrEnum):
    """The state of a channel."""

    RUNNING = "running"
    STOPPED = "stopped"
    BROKEN = "broken"
    UNKNOWN = "unknown"
    STRAY = "stray"


@dataclass(frozen=True, slots=True)
class ChannelView:
    """A channel as observed now, or as last recorded where its replica cannot be queried (`recorded`).

    `waits_for_position`: its position in its source's old log when that log was reset. `continuity`: why it is not
    proven that its source still has the log that it has read.
    """

    direction: Direction
    state: ChannelState
    reason: str
    source_node_id: str
    replica_node_id: str
    channel: ChannelFacts
    observed_at_s: float
    recorded: bool = False
    waits_for_position: FilePosition | None = None
    continuity: Finding | None = None

    @property
    def is_stray(self) -> bool:
        """Whether the channel must be removed: another channel replicates its direction."""
        return self.state is ChannelState.STRAY

    @property
    def is_stopped_by_data(self) -> bool:
        """Whether a transaction failed: it was applied before a crash already, or the data of the sides differs."""
        errno = self.channel.sql_errno
        return self.state is ChannelState.BROKEN and not self.recorded and errno not in PASSING_ERRORS

    @property
    def is_stopped_without_failure(self) -> bool:
        """Whether a thread is stopped and no transaction failed: START SLAVE may be enough."""
        is_seen = self.state in (ChannelState.STOPPED, ChannelState.BROKEN) and not self.recorded
        is_over = self.channel.has_stopped_thread and self.channel.sql_errno in PASSING_ERRORS
        return is_seen and is_over and self.waits_for_position is None and self.continuity is None

    @property
    def has_unreadable_relay_log(self) -> bool:
        """Whether applying stopped on the relay log itself: no transaction failed."""
        fault = applying_fault(self.channel)
        return self.is_stopped_by_data and fault is not None and fault.kind is FaultKind.RELAY_LOG_NOT_READ

    @property
    def reading_fault(self) -> Fault | None:
        """Why it does not read, as far as it was observed now."""
        is_seen = self.state is ChannelState.BROKEN and not self.recorded
        is_other = self.continuity is not None and self.continuity.severity is Severity.BLOCKER
        is_of_another_log = is_other or self.waits_for_position is not None
        return reading_fault(self.channel, is_of_another_log=is_of_another_log) if is_seen else None

    def stops_again(self, link: LinkFacts) -> bool | None:
        """Whether START SLAVE would meet the fault of reading again; None if unknown, False where there is none."""
        fault, ends = self.reading_fault, (self.source_node_id, self.replica_node_id)
        if fault is None:
            return False
        source, replica = map(link.node, ends)
        return stops_again(fault, ends, source, replica, has_new_position=False)

    @property
    def lag_s(self) -> int | None:
        """The lag that the server reports, only while both threads run: otherwise it reports 0 or NULL."""
        both = self.channel.io_running == "Yes" and self.channel.sql_running == "Yes"
        return self.channel.lag_s if both and not self.recorded else None


@dataclass(frozen=True, slots=True)
class DirectionView:
    """The current channel of a direction (None: none is observed or recorded), and the stray channels."""

    direction: Direction
    channel: ChannelView | None
    strays: tuple[ChannelView, ...] = ()


def view_direction(link: LinkFacts, direction: Direction) -> DirectionView:
    """Find the current channel of one direction; a direction from an invalidated side has none."""
    holders = link.holders(direction)
    if link.is_invalidated(direction):
        return DirectionView(direction, None, tuple(_stray(h) for h in holders))
    rightful = _rightful(link, direction, link.countable_holders(direction))
    strays = tuple(_stray(h) for h in holders if h != rightful)
    if rightful is not None:
        return DirectionView(direction, _live(link, rightful), strays)
    return DirectionView(direction, _from_record(link, direction), strays)


def _rightful(link: LinkFacts, direction: Direction, holders: Sequence[ChannelHolder]) -> ChannelHolder | None:
    record = link.recorded_channel(direction)
    if record is not None:
        same = [h for h in holders if h.replica.node.id == record.replica_node_id]
        if same:
            return next((h for h in same if h.source.id == record.source_node_id), same[0])
        has_moved = len(holders) == 1 and holders[0].channel.is_running
        if _may_still_hold(link.node(record.replica_node_id)) and not has_moved:
            return None
    if len(holders) == 1:
        return holders[0]
    running = [h for h in holders if h.channel.is_running]
    return running[0] if len(running) == 1 else None


def _may_still_hold(replica: NodeFacts) -> bool:
    return not replica.is_up or replica.channels is None


def _live(link: LinkFacts, holder: ChannelHolder) -> ChannelView:
    state, reason = _judge(holder, link.node(holder.source.id))
    return ChannelView(
        direction=holder.direction,
        state=state,
        reason=reason,
        source_node_id=holder.source.id,
        replica_node_id=holder.replica.node.id,
        channel=holder.channel,
        observed_at_s=holder.replica.observed_at_s,
    )


def _stray(holder: ChannelHolder) -> ChannelView:
    doing = "runs" if holder.channel.is_running else "is configured"
    return ChannelView(
        direction=holder.direction,
        state=ChannelState.STRAY,
        reason=f"a stray channel from {holder.source.name} {doing} on {holder.replica.node.name}",
        source_node_id=holder.source.id,
        replica_node_id=holder.replica.node.id,
        channel=holder.channel,
        observed_at_s=holder.replica.observed_at_s,
    )


def _judge(holder: ChannelHolder, source: NodeFacts) -> tuple[ChannelState, str]:
    """The channel's state. Its thread flags alone prove nothing, so the source's state counts, too."""
    channel, replica = holder.channel, holder.replica.node.name
    fault = _thread_fault(channel, replica, source)
    if fault is not None:
        return fault
    if source.reach in (Reach.DOWN, Reach.HUNG):
        return ChannelState.BROKEN, f"its source {source.node.name} {reach_phrase(source.reach)}"
    if source.is_up and not is_primary(source):
        return ChannelState.BROKEN, f"its source {source.node.name} is non-Primary"
    if not is_primary(holder.replica):
        return ChannelState.BROKEN, f"its replica {replica} is non-Primary"
    return ChannelState.RUNNING, ""


def _thread_fault(channel: ChannelFacts, replica: str, source: NodeFacts) -> tuple[ChannelState, str] | None:
    if channel.sql_running == "No" and channel.sql_errno:
        reason = f"applying stopped on {replica} with error {channel.sql_errno}: {channel.sql_error}"
        return ChannelState.BROKEN, reason
    if channel.io_running == "No" and channel.io_errno:
        reason = f"{replica} stopped reading with error {channel.io_errno}: {channel.io_error}"
        return ChannelState.BROKEN, reason
    if "No" in (channel.io_running, channel.sql_running):
        return ChannelState.STOPPED, f"the channel is stopped on {replica}"
    if channel.io_running != "Yes" and channel.io_errno:
        reason = f"{replica} cannot connect to {source.node.name} (error {channel.io_errno})"
        return ChannelState.BROKEN, reason
    return None


def _from_record(link: LinkFacts, direction: Direction) -> ChannelView | None:
    """The channel as last recorded, as long as its replica cannot show that it was removed."""
    record = link.recorded_channel(direction)
    if record is None:
        return None
    replica = link.node(record.replica_node_id)
    if not _may_still_hold(replica):
        return None
    is_silent = not replica.is_up
    is_gone = is_silent and (replica.reach is Reach.DOWN or _is_dropped(link.receiving_cluster(direction)))
    phrase = reach_phrase(replica.reach) if is_silent else "does not report its channels now (it may be stopping one)"
    return ChannelView(
        direction=direction,
        state=ChannelState.BROKEN if is_gone else ChannelState.UNKNOWN,
        reason=f"its replica {replica.node.name} {phrase}",
        source_node_id=record.source_node_id,
        replica_node_id=record.replica_node_id,
        channel=record.channel,
        observed_at_s=record.observed_at_s,
        recorded=True,
    )


def _is_dropped(cluster: ClusterFacts) -> bool:
    """Whether the members that respond form the whole cluster: a node that does not respond can commit nothing."""
    members = [n for n in cluster.nodes if is_primary(n)]
    sizes = {n.wsrep.cluster_size for n in members if n.wsrep is not None}
    return bool(members) and sizes == {len(members)}


def reach_phrase(reach: Reach) -> str:
    """What a sentence says of a node's reachability."""
    return {
        Reach.UP: "is responding",
        Reach.DOWN: "is down",
        Reach.HUNG: "is not responding",
        Reach.REFUSED: "refuses the console's login",
        Reach.UNKNOWN: "is unreachable from the console",
    }[reach]

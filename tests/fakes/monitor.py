"""What the monitor keeps of a `FakeWorld`: samples of its nodes, channels on record, and channels beside the record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from backend.core.link_facts import LogRecord, RecordedChannel
from backend.core.topology import Direction
from tests.fakes.cluster import FakeNode
from tests.fakes.journal import FakeCheckpoint

if TYPE_CHECKING:
    from tests.fakes.world import FakeWorld

UNDERWAY_S = 60


def remember(world: FakeWorld) -> None:
    """One tick of the monitor: samples of every live node, and where the channels stand."""
    _keep_left_pointed(world)
    world.recorded = [r for d in Direction if (r := _record(world, d)) is not None]
    _keep_standing(world)
    for node in (n for n in world.nodes if n.is_up):
        world.journal.add(sample(world, node))
    world.clock.time_s += 1.0


def compare_logs(world: FakeWorld) -> None:
    """The monitor has compared the logs of the recorded sources since their servers' present start."""
    world.recorded = [replace(r, log=_log_of(world, r)) for r in world.recorded]


def _log_of(world: FakeWorld, record: RecordedChannel) -> LogRecord:
    facts = world.facts().node(record.source_node_id)
    end, wsrep = world.node(record.source_node_id).log.end, facts.wsrep
    uuid, seqno = ("", 0) if wsrep is None else (wsrep.state_uuid, wsrep.last_committed)
    start_s = facts.observed_at_s - (facts.uptime_s or 0)
    return LogRecord(uuid, seqno, end.file, 0, None, end.offset, None, None, start_s, facts.observed_at_s)


def _record(world: FakeWorld, direction: Direction) -> RecordedChannel | None:
    facts = world.facts()
    found, holding = facts.countable_holders(direction), {h.replica.node.id for h in facts.holders(direction)}
    old = next((r for r in world.recorded if r.direction is direction), None)
    left_on = frozenset(i for i in (old.left_on if old else ()) if i in holding or not facts.node(i).is_up)
    if len(found) != 1 or not found[0].channel.is_running:  # as the monitor's record
        return replace(old, left_on=left_on) if old is not None else None
    holder = found[0]
    now_s = world.clock.now_s()
    if old is not None and not facts.node(old.replica_node_id).is_up:
        world.stray_since_s[old.replica_node_id] = now_s
    return RecordedChannel(direction, holder.replica.node.id, holder.source.id, holder.channel, now_s, left_on)


def _keep_left_pointed(world: FakeWorld) -> None:
    """A channel that began automatically is to be cleaned (backend/monitoring/recording/stray_channels.py)."""
    for old, node, is_running in _stray_channels(world):
        since_s = world.stray_since_s.get(node.ref.id)
        if is_running and since_s is not None and node.started_s >= since_s:
            del world.stray_since_s[node.ref.id]
            world.recorded = [
                replace(r, left_on=r.left_on | {node.ref.id}) if r.direction is old.direction else r
                for r in world.recorded
            ]


def _keep_standing(world: FakeWorld) -> None:
    """Marks of what stands beside the record, none of what was removed (as above)."""
    now_s = world.clock.now_s()
    for old, node, _ in _stray_channels(world):
        if node.ref.id not in old.left_on:
            world.stray_since_s.setdefault(node.ref.id, now_s)
    on_record = {r.replica_node_id for r in world.recorded}
    for fake in world.nodes:
        since_s = world.stray_since_s.get(fake.ref.id, now_s)
        is_gone = not fake.channels and now_s - since_s > UNDERWAY_S
        is_on_record = fake.ref.id in on_record and any(c.is_running for c in fake.channels.values())
        if fake.is_up and (is_gone or is_on_record):
            world.stray_since_s.pop(fake.ref.id, None)


def _stray_channels(world: FakeWorld) -> list[tuple[RecordedChannel, FakeNode, bool]]:
    """Of every direction on record: its record, each other node that holds a channel, and whether that runs."""
    facts = world.facts()
    return [
        (old, world.node(holder.replica.node.name), holder.channel.is_running)
        for old in world.recorded
        for holder in facts.holders(old.direction)
        if holder.replica.node.id != old.replica_node_id
    ]


def sample(world: FakeWorld, node: FakeNode) -> FakeCheckpoint:
    """What the journal keeps of a node: the end of its log, and the seqno there."""
    cluster, end = world.cluster_of(node), node.log.end
    last = node.log.placed[-1] if node.log.placed else None
    is_group = last is not None and last.end == end and last.xid is not None and not last.txn.is_local
    exact = is_group and last is not None and (last.xid or 0) <= cluster.seqno
    seqno = last.xid if exact and last is not None and last.xid is not None else cluster.seqno
    return FakeCheckpoint(node.ref.id, cluster.uuid, end, seqno, world.clock.now_s(), exact)


def turned(recorded: list[RecordedChannel]) -> list[RecordedChannel]:
    """The same channels, each in the other direction."""
    return [replace(record, direction=record.direction.other) for record in recorded]

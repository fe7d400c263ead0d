"""A running channel's moment: it reads from its source and applies what it may."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition, MariadbGtid, MariadbGtidSet
from backend.core.topology import Reach
from tests.fakes.channel import FakeChannel
from tests.fakes.cluster import FakeNode
from tests.fakes.gtid_start import Beginning, beginning
from tests.fakes.log import FakeLog, Placed
from tests.fakes.transactions import Relogging

if TYPE_CHECKING:
    from tests.fakes.world import FakeWorld

NET_TIMEOUT_S = 10.0
"""slave_net_timeout: so long a channel calls itself connected to a source that stopped responding."""


def carry(world: FakeWorld, node: FakeNode, channel: FakeChannel) -> None:
    """Both threads do what they can now."""
    if channel.io != "No":
        read(world, node, channel)
    if channel.sql == "Yes":
        ready = channel.pending[: max(0, len(channel.pending) - world.backlog)]
        for placed in ready:
            if placed.txn.uid in channel.had:
                channel.stop_on_duplicate()
                break
            if channel.is_foreign:
                world.by_foreign.add(placed.txn.uid)
            if placed.txn.uid in channel.skips:
                _pass_over(world, node, placed)
            else:
                _apply(world, node, channel, placed)
            channel.applied(placed)
        if not channel.pending and not channel.is_cut_off and channel.read is not None:
            channel.position = channel.read
            _count(node, channel.passed.values())
            channel.passed.clear()


def read(world: FakeWorld, node: FakeNode, channel: FakeChannel) -> None:
    """The I/O thread alone does what it can now."""
    source = world.opposite(node).node_at(channel.source)
    if channel.takes_place and source is not None and source.is_up:
        _resolve_start(node, source, channel)
    if _may_read(source, channel, world.clock.time_s):
        assert source is not None
        if channel.era != source.log.era:
            _throw_away(world, node, source, channel)
        _receive(world, node, source, channel)


def _apply(world: FakeWorld, node: FakeNode, channel: FakeChannel, placed: Placed) -> None:
    """Committed on the whole cluster, or by a thread that writes alone on this node; counted as applied here."""
    cluster = world.cluster_of(node)
    if channel.bypasses_replication:
        cluster.write_local(node, placed.txn, placed.gtid, relogged(node, placed))
    else:
        cluster.commit(placed.txn, placed.gtid, through=node.name, by=relogged(node, placed))
    if placed.gtid is not None:
        _count(node, [placed.gtid])


def relogged(node: FakeNode, placed: Placed) -> Relogging:
    """As the channel's applier logs what it got; `replicate_annotate_row_events=OFF` asks for no text."""
    wants_text = node.variables.get("replicate_annotate_row_events") != "OFF"
    return Relogging(placed.by.hops + 1, placed.by.has_text and wants_text)


def _count(node: FakeNode, gtids: Iterable[MariadbGtid]) -> None:
    """gtid_slave_pos of each one's domain is that one, whatever it was."""
    last = {gtid.domain: gtid for gtid in (*node.slave_pos, *gtids)}
    node.slave_pos = MariadbGtidSet(tuple(last[domain] for domain in sorted(last)))


def _pass_over(world: FakeWorld, node: FakeNode, placed: Placed) -> None:
    """sql_slave_skip_counter: nothing is committed, and only this node's own GTID position moves."""
    world.skipped.add(placed.txn.uid)
    if placed.gtid is not None and placed.gtid.domain == world.opposite(node).domain:
        node.slave_pos = MariadbGtidSet.of([*node.slave_pos, placed.gtid])


def _resolve_start(node: FakeNode, source: FakeNode, channel: FakeChannel) -> None:
    """The source reads from the first group that a GTID position does not hold, or refuses the position."""
    found = _by_set(node, source) if node.log.dress.is_mysql else _by_position(node, source)
    missing = (p for p in source.log.placed if found and found.sends(p))
    first = next(missing, None)
    start = first.start if first else source.log.end
    if found is None or not source.log.reaches(start):
        channel.io, channel.io_error = "No", "1236: requested GTID is not in the binlog"
        return
    channel.position = channel.read = start
    channel.beginning = found
    channel.is_unplaced = channel.takes_place = False


def _by_position(node: FakeNode, source: FakeNode) -> Beginning | None:
    return beginning(source.log, node.slave_pos, source.slave_pos, source.server_id)


def _by_set(node: FakeNode, source: FakeNode) -> Beginning | None:
    """The source refuses where it purged what the replica has not executed (1236, MySQL 9.7.4)."""
    executed = frozenset(node.log.executed())
    return Beginning(executed=executed) if source.log.purged() <= executed else None


def _may_read(source: FakeNode | None, channel: FakeChannel, now_s: float) -> bool:
    """Connect, or stay so, at a place that the source's log has."""
    if channel.io == "No" or _is_still_held(source, channel, now_s):
        return False
    if source is None or not source.is_up:
        channel.io, channel.io_error = "Connecting", "error connecting to master"
        return False
    if channel.io == "Connecting":
        channel.open_relay()
    elif channel.era != source.log.era and not _outlives(source.log, channel):
        return False
    channel.io, channel.io_error, channel.is_cut_off = "Yes", "", False
    channel.source_server_id, channel.heard_s = source.server_id, now_s
    assert channel.read is not None
    if not source.log.reaches(channel.read):
        channel.io, channel.io_error = "No", "1236: could not find first log file, or impossible position"
        return False
    return True


def _throw_away(world: FakeWorld, node: FakeNode, source: FakeNode, channel: FakeChannel) -> None:
    """It goes on in a log that was reset under it: what it had not read of the old one never comes."""
    received = world.cluster_of(node).uids | {placed.txn.uid for placed in channel.pending}
    world.skipped |= {placed.txn.uid for placed in source.log.forgotten} - received
    channel.era, channel.beginning = source.log.era, Beginning()


def _receive(world: FakeWorld, node: FakeNode, source: FakeNode, channel: FakeChannel) -> None:
    start = channel.read
    assert start is not None
    for placed in _after(source.log.placed, start):
        if placed.start < start:
            channel.io, channel.io_error = "No", "1236: bogus data in log event"
            return
        if not channel.beginning.meets(source.log, placed):
            channel.io, channel.io_error = "No", "1236: requested GTID is not in the binlog"
            return
        if not channel.beginning.sends(placed):
            continue
        is_own = node.log.dress.is_mysql and placed.txn.server_id in world.cluster_of(node).server_ids
        if placed.txn.server_id in channel.ignore or (is_own and placed.gtid in node.log.executed()):
            channel.ignore_group(placed)
        else:
            channel.receive(placed, dress=source.log.dress)
    channel.read = source.log.end


def _outlives(log: FakeLog, channel: FakeChannel) -> bool:
    """Whether a connection that was there before RESET MASTER goes on: it waits until the new file of the same name is
    as long as its place in the old one, or goes over to the next, and says nothing of what it left out (10.11.19).
    """
    start = channel.read
    assert start is not None
    sizes = dict(log.files())
    if log.end.file == start.file and log.end < start:
        return False
    if start.offset > sizes.get(start.file, start.offset):
        channel.read = FilePosition(next(file for file in sizes if file > start.file), FIRST_EVENT_OFFSET)
    channel.open_relay()
    return True


def _is_still_held(source: FakeNode | None, channel: FakeChannel, now_s: float) -> bool:
    """A hung source's kernel keeps its connections: nothing comes, and nothing is said of it for a while."""
    is_hung = source is not None and source.reach is Reach.HUNG
    return is_hung and channel.io == "Yes" and now_s - channel.heard_s < NET_TIMEOUT_S


def _after(placed: list[Placed], position: FilePosition) -> list[Placed]:
    found: list[Placed] = []
    for one in reversed(placed):
        if one.end <= position:
            break
        found.append(one)
    return found[::-1]

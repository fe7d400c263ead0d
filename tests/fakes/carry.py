"""A running channel's moment: it reads from its source and applies what it may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.positions import FilePosition, MariadbGtidSet
from tests.fakes.channel import FakeChannel
from tests.fakes.cluster import FakeNode
from tests.fakes.log import Placed

if TYPE_CHECKING:
    from tests.fakes.world import FakeWorld


def carry(world: FakeWorld, node: FakeNode, channel: FakeChannel) -> None:
    """Both threads do what they can now."""
    source = world.opposite(node).node_at(channel.source)
    if channel.io != "No":
        if channel.is_unplaced and source is not None and source.is_up:
            _place(node, source, channel)
        _receive(source, channel)
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
                world.cluster_of(node).commit(placed.txn, placed.gtid)
            channel.applied(placed)
        if not channel.pending and not channel.is_cut_off and channel.read is not None:
            channel.position = channel.read


def _pass_over(world: FakeWorld, node: FakeNode, placed: Placed) -> None:
    """sql_slave_skip_counter: nothing is committed, and only this node's own GTID position moves."""
    world.skipped.add(placed.txn.uid)
    if placed.gtid is not None and placed.gtid.domain == world.opposite(node).domain:
        node.slave_pos = MariadbGtidSet.of([*node.slave_pos, placed.gtid])


def _place(node: FakeNode, source: FakeNode, channel: FakeChannel) -> None:
    """A source sends from the first group that a GTID position does not hold; one ahead of it is refused."""
    reached = {gtid.domain: gtid.seq_no for gtid in node.slave_pos}
    last = {p.gtid.domain: p.gtid.seq_no for p in source.log.placed if p.gtid}
    if any(seq > last.get(domain, 0) for domain, seq in reached.items()):
        channel.io, channel.io_error = "No", "1236: requested GTID is not in the binlog"
        return
    missing = (p for p in source.log.placed if p.gtid and p.gtid.seq_no > reached.get(p.gtid.domain, 0))
    first = next(missing, None)
    channel.position = channel.read = first.start if first else source.log.end
    channel.is_unplaced = False


def _receive(source: FakeNode | None, channel: FakeChannel) -> None:
    if channel.io == "No":
        return
    if source is None or not source.is_up:
        channel.io, channel.io_error = "Connecting", "error connecting to master"
        return
    if channel.io == "Connecting":
        channel.open_relay()
    channel.io, channel.io_error, channel.is_cut_off = "Yes", "", False
    channel.source_server_id = source.server_id
    read = channel.read
    assert read is not None
    if read.file not in {name for name, _ in source.log.files()}:
        channel.io, channel.io_error = "No", "1236: could not find first log file"
        return
    for placed in _after(source.log.placed, read):
        if placed.start < read:
            channel.io, channel.io_error = "No", "1236: position within a group"
            return
        if placed.txn.server_id in channel.ignore:
            channel.skip_to(placed.end)
        else:
            channel.receive(placed, dress=source.log.dress)
    channel.skip_to(source.log.end)


def _after(placed: list[Placed], position: FilePosition) -> list[Placed]:
    found: list[Placed] = []
    for one in reversed(placed):
        if one.end <= position:
            break
        found.append(one)
    return found[::-1]

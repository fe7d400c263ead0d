"""What happens to servers without us: losses, returns, and other people's statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.topology import Reach
from tests.fakes.channel import FakeChannel
from tests.fakes.cluster import FakeCluster, FakeNode

if TYPE_CHECKING:
    from tests.sim.console import Bench


def kill(bench: Bench, node: FakeNode, *, is_hung: bool) -> None:
    """Killed and expelled, or hung and still counted. What a killed server was doing ends with it."""
    if node.is_up:
        for session in bench.sessions.values():
            if session.node is node and not is_hung:
                session.in_flight = None
        bench.world.kill(node.name, reach=Reach.HUNG if is_hung else Reach.DOWN, is_expelled=not is_hung)
        bench.meddle(node.name, "lost")


def lose_site(bench: Bench, side: FakeCluster) -> None:
    """All its nodes at once."""
    for node in side.nodes:
        kill(bench, node, is_hung=False)


def bring_back(
    bench: Bench, node: FakeNode, *, starts_channels: bool, behind: int = 0, breaks_relay_log: bool = False
) -> None:
    """It rejoins; its channels start automatically unless skip_slave_start is set.

    One that was killed may know so many groups less of itself than it had applied, or find its relay log broken.
    """
    if node.is_up:
        return
    is_started = node.reach is Reach.DOWN
    if is_started:
        node.started_s = bench.world.clock.time_s
    for channel in node.channels.values():
        channel.fall_back(behind if is_started else 0)
        channel.has_broken_relay_log |= is_started and breaks_relay_log
        if not starts_channels:
            channel.io = channel.sql = "No"
        elif is_started:
            channel.begin()
        channel.is_foreign = channel.is_running
    bench.world.restart(node.name)
    bench.meddle(node.name, "returned")
    if bench.world.active is not bench.world.cluster_of(node) and node.takes_writes:
        bench.opened_by_others.add(node.name)


def _channel(node: FakeNode) -> FakeChannel | None:
    return next(iter(node.channels.values()), None) if node.is_up else None


def stop_slave(bench: Bench, node: FakeNode, *, threads: str) -> None:
    """STOP SLAVE, or one thread."""
    channel = _channel(node)
    if channel is not None and channel.is_running:
        channel.io = "No" if threads in ("both", "io") else channel.io
        channel.sql = "No" if threads in ("both", "sql") else channel.sql
        bench.meddle(node.name, "stopped")


def stop_silently(bench: Bench, node: FakeNode) -> None:
    """The SQL thread ends without an error, as during a neighbour's state transfer; it reads on."""
    channel = _channel(node)
    if channel is not None and channel.sql != "No":
        channel.sql = "No"
        bench.meddle(node.name, "stopped silently")


def start_slave(bench: Bench, node: FakeNode) -> None:
    """START SLAVE on whatever stands there."""
    channel = _channel(node)
    if channel is not None and (channel.io, channel.sql) != ("Yes", "Yes"):
        channel.io, channel.sql = "Connecting", "Yes"
        channel.is_foreign = True
        bench.meddle(node.name, "started")


def change_elsewhere(bench: Bench, node: FakeNode) -> None:
    """CHANGE MASTER to a server that is not registered."""
    channel = _channel(node)
    if channel is not None and not channel.is_running:
        channel.source = ("10.9.9.9", 3306)
        bench.meddle(node.name, "pointed elsewhere")


def second_channel(bench: Bench, node: FakeNode, source: FakeNode, *, is_running: bool) -> None:
    """A second channel of the same direction, set up by hand at the right place."""
    is_possible = not node.channels and node.is_up and source.is_up and not source.log.forgotten
    if not is_possible or bench.world.has_gtid_channels:
        return
    world = bench.world
    got = set(bench.ledger.received(world.cluster_of(source)))
    position = source.log.start
    for placed in source.log.placed:
        if placed.txn.server_id in world.cluster_of(source).server_ids and placed.txn.uid not in got:
            break
        position = max(position, placed.end)
    channel = world.connect(source.name, node.name, is_running=is_running)
    channel.position = channel.read = position
    channel.is_foreign = True
    bench.meddle(node.name, "second channel")


def set_read_only(bench: Bench, node: FakeNode, *, is_on: bool) -> None:
    """SET GLOBAL read_only by hand."""
    if node.is_up:
        node.variables["read_only"] = "ON" if is_on else "OFF"
        bench.meddle(node.name, "read_only")
        (bench.opened_by_others.discard if is_on else bench.opened_by_others.add)(node.name)


def purge(bench: Bench, node: FakeNode) -> None:
    """Its oldest log goes, unless a connected replica still reads it: PURGE BINARY LOGS spares that one."""
    world = bench.world
    read = {
        channel.read.file
        for replica in world.nodes
        for channel in replica.channels.values()
        if replica.is_up and channel.io == "Yes" and channel.read
        if world.opposite(replica).node_at(channel.source) is node
    }
    if node.log.files()[0][0] not in read:
        node.log.purge(1)


def reset_master(bench: Bench, node: FakeNode) -> None:
    """Its binary log is reset."""
    if node.is_up:
        bench.world.reset_log(node.name)
        bench.meddle(node.name, "reset master")

"""What makes logs hard to read, or their history another one; each as one thing that happens to a world.

What orders differ, and where none can:

- A channel's parallel applier commits in its source's order in every `slave_parallel_mode`; only in GTID mode do
  groups of different domains overtake each other (https://mariadb.com/kb/en/parallel-replication/). With
  `wsrep_gtid_mode` all that a cluster replicates is of one domain (reference: galera-facts 4), so what overtakes is a
  node-local write of the source: `parallel`.
- Galera's appliers commit in the order of seqnos on every node, unless a node is started with `repl.commit_order`
  below 3 (https://mariadb.com/docs/reference/mdb/wsrep_provider_options/repl.commit_order/): `swapped`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from backend.core.positions import MariadbGtidSet
from tests.fakes.channel import FakeChannel
from tests.fakes.cluster import FakeCluster, FakeNode
from tests.fakes.replication import relogged
from tests.fakes.world import FakeWorld

A_NODES, B_NODES = ("a1", "a2", "a3"), ("b1", "b2", "b3")
NODES = st.sampled_from(A_NODES + B_NODES)
SAME = "INSERT INTO audit VALUES (NOW())"

Op = tuple[str, ...]
_RUN_LENGTHS = st.sampled_from(("2", "4", "9", "14"))
CLEAR_OPS = st.one_of(
    st.tuples(st.just("lag"), st.sampled_from(("0", "1", "2", "5"))),
    st.tuples(st.just("repeat"), st.sampled_from(A_NODES + B_NODES[:1]), _RUN_LENGTHS),
    st.tuples(st.just("big"), st.sampled_from(A_NODES + B_NODES[:1]), st.sampled_from(("120", "120", "700"))),
    st.tuples(st.just("compressed"), NODES),
    st.tuples(st.just("encrypted"), NODES),
)
"""Each leaves a place that can be told."""
RICH_OPS = st.one_of(
    st.just(("remember",)),
    CLEAR_OPS,
    CLEAR_OPS,
    st.tuples(st.just("errant"), NODES, st.sampled_from(("cut", "cut", "as_other", "skipped", "skipped"))),
    st.tuples(st.just("late"), NODES, st.sampled_from(("kept", "renumbered")), st.sampled_from(("alike", "own"))),
    st.tuples(st.just("parallel"), st.sampled_from(("b1", "a1")), st.sampled_from("012")),
)
SPOILING_OPS = st.one_of(
    st.tuples(st.just("reset"), NODES),
    st.tuples(
        st.just("uuid"),
        st.sampled_from("ab"),
        st.sampled_from(("3", "12", "60", "1000")),
        st.sampled_from(("", "seen")),
    ),
    st.tuples(st.just("unknown"), NODES),
    st.tuples(st.just("disorder"), st.sampled_from(("b1", "a1"))),
    st.tuples(st.just("swapped"), NODES, NODES),
    st.tuples(st.just("failed_ddl"), st.sampled_from(("b1", "a1"))),
)


def apply_rich(world: FakeWorld, what: str, *more: str) -> None:
    """One of them."""
    _EFFECTS[what](world, *more)


def _repeat(world: FakeWorld, where: str, times: str) -> None:
    for _ in range(int(times)):
        world.write(where, SAME)


def _lag(world: FakeWorld, groups: str) -> None:
    """From now on what a channel read last waits in its relay log, so many groups of it."""
    world.backlog = int(groups)


def _big(world: FakeWorld, where: str, row_events: str) -> None:
    world.write(where, row_events=int(row_events))


def _compressed(world: FakeWorld, where: str) -> None:
    world.write(where, is_compressed=True)


def _encrypted(world: FakeWorld, where: str) -> None:
    world.node(where).log.rotate()
    world.node(where).log.put_event("Start_encryption")


def _errant(world: FakeWorld, where: str, how: str) -> None:
    """A write that its whole cluster has and the other side does not get.

    The channel to the other side stands (`cut`), it ignores the server_id under which `mariadb-binlog | mariadb`
    brought the write in (`as_other`), or a person lets it pass over the write (`skipped`).
    """
    node = world.node(where)
    other, txn = world.opposite(node), world.txn(where)
    if how == "as_other":
        txn = replace(txn, server_id=other.nodes[0].server_id)
    world.cluster_of(node).commit(txn)
    for channel in (channel for receiver in other.nodes for channel in receiver.channels.values()):
        if how == "cut":
            channel.io = "No"
        elif how == "skipped":
            channel.skips.add(txn.uid)


def _late(world: FakeWorld, where: str, number: str, looks: str) -> None:
    """What a person let the other side pass over, brought in behind what came after it: `mariadb-binlog | mariadb`.

    The server_id comes with it, and its GTID (`kept`) unless that side numbers its own writes (`renumbered`). It is
    passed over and brought in at once: of two that are alike no log tells which one is still missing.
    """
    node, statement = world.node(where), SAME if looks == "alike" else None
    cluster, other = world.cluster_of(node), world.opposite(node)
    channels = [channel for receiver in other.live for channel in receiver.channels.values()]
    if world.backlog or not any(_carries(cluster, channel) for channel in channels):
        return
    txn, gtid = world.txn(where, statement), None
    cluster.commit(txn)
    if number == "kept":
        gtid = cluster.history[-1].gtid
    for channel in channels:
        channel.skips.add(txn.uid)
    following = world.write(where, statement)
    world.tick()
    if following.uid in other.uids:
        other.commit(txn, gtid)


def _carries(source: FakeCluster, channel: FakeChannel) -> bool:
    node = source.node_at(channel.source)
    return channel.io == channel.sql == "Yes" and node is not None and node.is_up and node.is_member


def _parallel(world: FakeWorld, where: str, left: str) -> None:
    """A node-local write of the source is committed before groups of its cluster, of which some are still at work."""
    node = world.node(where)
    for channel in node.channels.values():
        source = world.opposite(node).node_at(channel.source)
        if source is not None and source.is_up and node.is_up and node.is_member and channel.uses_gtid:
            world.write(source.name)
            world.write_local(source.name)
            _overtake(world, node, channel, int(left))


def _overtake(world: FakeWorld, node: FakeNode, channel: FakeChannel, left: int) -> None:
    world.backlog, before = 10**6, world.backlog
    world.tick()  # it receives
    world.backlog = before
    if channel.sql != "Yes":
        return
    domain = world.opposite(node).domain
    own = [p for p in channel.pending if p.gtid is not None and p.gtid.domain == domain]
    rest = [p for p in channel.pending if p not in own]
    furthest = channel.position
    for placed in rest + own[: max(0, len(own) - left)]:
        world.cluster_of(node).commit(placed.txn, placed.gtid, through=node.name, by=relogged(node, placed))
        channel.applied(placed)
        furthest = channel.position = max(furthest, channel.position)


def _reset(world: FakeWorld, where: str) -> None:
    world.remember()  # the monitor samples every second: a log it never saw is no log of a registered link
    world.node(where).log.reset()


def _uuid(world: FakeWorld, where: str, back: str, seen: str) -> None:
    """Bootstrapped again: numbers that were given out before are given out again; `seen`: and recorded so.

    All its nodes were down: a channel from it has to connect again.
    """
    cluster = world.a if where == "a" else world.b
    cluster.uuid = f"{world.ticks:08x}-0000-0000-0000-{len(cluster.history):012x}"
    cluster.seqno = max(10, cluster.seqno - int(back))
    if seen:
        cluster.recorded_uuid = cluster.uuid
    for channel in _channels_from(world, cluster):
        channel.io = "Connecting" if channel.io == "Yes" else channel.io


def _channels_from(world: FakeWorld, cluster: FakeCluster) -> list[FakeChannel]:
    return [c for node in world.nodes for c in node.channels.values() if cluster.node_at(c.source) is not None]


def _unknown(world: FakeWorld, where: str) -> None:
    world.node(where).log.put_event("Nobody_knows")


def _disorder(world: FakeWorld, where: str) -> None:
    """What waits is applied from its end, all of it: no server does, and one cut short would show nothing of it."""
    if any(channel.sql != "Yes" for channel in world.node(where).channels.values()):
        return
    for channel in world.node(where).channels.values():
        channel.pending.reverse()
    world.backlog = 0
    world.tick()


def _swapped(world: FakeWorld, where: str, swapping: str) -> None:
    cluster, node = world.cluster_of(world.node(where)), world.node(swapping)
    cluster.commit_swapped(world.txn(where), world.txn(where), node)


def _failed_ddl(world: FakeWorld, where: str) -> None:
    """A DDL fails on the replica, which stops before it, and moves the GTID position of its neighbours past it."""
    node = world.node(where)
    source, own = world.opposite(node), world.cluster_of(node)
    if not source.live or not node.is_up:
        return
    world.tick()
    world.write(source.live[0].name, f"ALTER TABLE missing{world.ticks} ADD c INT", kind="ddl")
    gtid = source.history[-1].gtid
    for channel in node.channels.values():
        channel.sql, channel.sql_errno, channel.sql_error = "No", 1146, "Table doesn't exist"
        for neighbour in own.live if gtid and channel.uses_gtid and not channel.pending else ():
            if neighbour is not node:
                neighbour.slave_pos = MariadbGtidSet.of([*neighbour.slave_pos, gtid])


_EFFECTS: dict[str, Callable[..., None]] = {
    "repeat": _repeat,
    "lag": _lag,
    "big": _big,
    "compressed": _compressed,
    "encrypted": _encrypted,
    "errant": _errant,
    "late": _late,
    "parallel": _parallel,
    "reset": _reset,
    "uuid": _uuid,
    "unknown": _unknown,
    "disorder": _disorder,
    "swapped": _swapped,
    "failed_ddl": _failed_ddl,
}

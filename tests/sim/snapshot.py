"""What a person would compare: who runs what from where, who accepts writes. Positions left out."""

from __future__ import annotations

from dataclasses import dataclass

from tests.fakes.channel import FakeChannel
from tests.fakes.world import FakeWorld

Standing = tuple[tuple[str, int], bool, bool, tuple[int, ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Channels by (node, name), read_only by node, and what a plan onto any pair would rest on."""

    channels: dict[tuple[str, str], Standing]
    read_only: dict[str, str]
    nodes: dict[str, tuple[str, int]]
    tick: int
    at_s: float


def standing(channel: FakeChannel) -> Standing:
    """Source, threads, guard and options of one channel."""
    threads = channel.io != "No", channel.sql != "No"
    return (channel.source, *threads, channel.ignore, tuple(sorted(channel.options.items())))


def snapshot(world: FakeWorld) -> Snapshot:
    """As the servers are now, seen or not."""
    return Snapshot(
        {(n.name, c.name): standing(c) for n in world.nodes for c in n.channels.values()},
        {n.name: n.variables["read_only"] for n in world.nodes},
        {n.name: (n.reach.value, n.server_id) for n in world.nodes},
        world.ticks,
        world.clock.now_s(),
    )

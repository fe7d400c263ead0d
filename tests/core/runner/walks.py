"""Walks of a situation, unbroken and broken, and what stands at their end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from backend.core.plan import Plan
from backend.core.runner import Transition
from backend.core.topology import ChannelFacts
from tests.core.builders.examples import moments
from tests.core.builders.situations import SITUATIONS, Situation
from tests.fakes.driver import Memory, Walker, run_to_end
from tests.fakes.gateway import FakeGateway, Fault
from tests.fakes.world import FakeWorld

MAX_RESUMES = 12
MANY = 10_000
"""More than a walk ever asks."""
EXHAUSTED = [
    s
    for s in SITUATIONS
    if s.name
    in (
        *("source_lost", "both_lost", "move_both", "gtid_move_both", "start_stopped_silently"),
        *("create_channels", "remove_stray_channel", "remove_channels", "remove_channels_and_a_stray"),
        "configure",
    )
]
"""Walked at every single point; the others at points drawn by hypothesis."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a channel stands, but for its position, which moves with the workload."""

    node: str
    source: tuple[str, int]
    user: str
    io: str
    sql: str
    ignore: tuple[int, ...]
    options: tuple[tuple[str, str], ...]


def channel_shapes(world: FakeWorld) -> set[Shape]:
    """All channels on nodes that live."""
    return {_shape(n.name, c.facts()) for n in world.nodes if n.is_up for c in n.channels.values()}


def _shape(node: str, channel: ChannelFacts) -> Shape:
    return Shape(
        node,
        channel.source_address,
        channel.source_user,
        channel.io_running,
        channel.sql_running,
        channel.ignore_server_ids,
        tuple(sorted(channel.options.items())),
    )


def sent_once(world: FakeWorld) -> bool:
    """Whether no statement took effect twice on one node."""
    effects = [(e.node, e.sql) for e in world.executed]
    return len(effects) == len(set(effects))


def drive_to_end(world: FakeWorld, memory: Memory, gateway: FakeGateway) -> int:
    """Successors take over until the run ends; how many it took."""
    for attempt in range(MAX_RESUMES):
        if memory.end is not None:
            return attempt
        Walker(world, gateway, memory).run()
    raise AssertionError("the run does not end")


def assert_verified(world: FakeWorld, memory: Memory, expected: set[Shape]) -> None:
    """The end of every walk that succeeds."""
    assert memory.ended.state == "succeeded", memory.end
    assert channel_shapes(world) == expected
    assert sent_once(world)
    assert world.second_seen == []
    world.converge()
    assert world.faults(is_ended=not expected) == []


@cache
def unbroken(situation: Situation) -> tuple[set[Shape], int, int]:
    """Channels at the end, transitions yielded and statements sent of a walk that nothing disturbs."""
    world, plan = situation.build()
    gateway = FakeGateway(world)
    walker = Walker(world, gateway, Memory(plan))
    walker.run()
    return channel_shapes(world), len(walker.seen), len(gateway.sent)


def walked_with_some(
    situation: Situation, fault: Fault, does_kill_come_late: bool = False
) -> Iterator[tuple[FakeWorld, Memory, FakeGateway]]:
    """One worker's walk for some statements, which meet the fault."""
    first = SITUATIONS.index(situation) + list(Fault).index(fault) + does_kill_come_late
    for sent in moments(unbroken(situation)[2], first, one_in=3):
        world, plan = situation.build()
        gateway = FakeGateway(world, {sent + 1: fault}, does_kill_come_late=does_kill_come_late)
        yield world, run_to_end(world, plan, gateway), gateway


def point_of_no_return(plan: Plan) -> int:
    """Index of the first step that cannot be reverted."""
    return next(step.index for step in plan.steps if step.point_of_no_return)


def asks_to_abort(memory: Memory, at: int) -> tuple[list[bool], object]:
    """A person who asks once, at the given transition."""
    granted: list[bool] = []
    count = 0

    def on_transition(_: Transition) -> None:
        nonlocal count
        count += 1
        if count == at:
            granted.append(memory.request_abort())

    return granted, on_transition


def connecting_is_running(found: set[Shape]) -> set[tuple[object, ...]]:
    """Shapes for comparing before and after: a thread that tries to connect runs."""
    return {(s.node, s.source, s.user, s.io != "No", s.sql, s.ignore, s.options) for s in found}


def assert_restored(world: FakeWorld, before: set[Shape]) -> None:
    """Every channel runs as it did, with every option, and nothing was lost or doubled."""
    assert connecting_is_running(channel_shapes(world)) == connecting_is_running(before)
    assert world.second_seen == []
    for cluster in (world.a, world.b):
        assert cluster.doubled == []

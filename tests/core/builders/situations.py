"""The situations every plan is walked in: what was lost, where to go, and the world as it then stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from backend.core.plan import Plan
from backend.core.topology import Reach
from tests.fakes.copies import copied
from tests.fakes.plans import plan_clean, plan_configure, plan_create, plan_relocate, plan_remove, plan_start, sound
from tests.fakes.world import FakeWorld


@dataclass(frozen=True, slots=True)
class Situation:
    """A world and the plan made in it; `build` may be called any number of times, always with the same result."""

    name: str
    build: Callable[[], tuple[FakeWorld, Plan]]


def _relocate(
    *lost: str,
    source: str | None = None,
    replica: str | None = None,
    more: Callable[[FakeWorld], None] | None = None,
    by_gtid: bool = False,
) -> Callable[[], tuple[FakeWorld, Plan]]:
    @copied
    def build() -> tuple[FakeWorld, Plan]:
        world = FakeWorld.classic(has_gtid_channels=by_gtid)
        for node in lost:
            world.kill(node)
        world.has_workload = True
        for _ in range(3):
            world.tick()
        if more is not None:
            more(world)
        plan = sound(plan_relocate(world, source, replica))
        return world, plan

    return build


def _leftover(world: FakeWorld) -> None:
    world.connect("a1", "b3", is_running=False)


def _backlog(world: FakeWorld) -> None:
    world.backlog = 0
    channel = world.node("b1").channels["link1"]
    channel.sql = "No"
    for _ in range(4):
        world.tick()
    channel.sql = "Yes"
    world.kill("a1")
    world.backlog = 2
    world.has_workload = False
    world.tick()
    world.has_workload = True
    world.backlog = 1


def _half_group(world: FakeWorld) -> None:
    world.node("b1").channels["link1"].is_cut_off = True


def _io_stopped(world: FakeWorld) -> None:
    world.node("b1").channels["link1"].io = "No"


def _all_stopped(world: FakeWorld) -> None:
    for node in ("a1", "b1"):
        channel = world.node(node).channels["link1"]
        channel.io = channel.sql = "No"


def _behind(*, starts: bool) -> Callable[[FakeWorld], None]:
    def crash(world: FakeWorld) -> None:
        world.remember()
        world.crash("b1", 2, starts=starts)

    return crash


def _other_name(world: FakeWorld) -> None:
    channel = world.node("b1").channels.pop("link1")
    channel.name = "old_name"
    world.node("b1").channels["old_name"] = channel


def _strict(world: FakeWorld) -> None:
    for node in world.nodes:
        node.variables["gtid_strict_mode"] = "ON"


@copied
def _clean() -> tuple[FakeWorld, Plan]:
    world = FakeWorld.classic()
    world.connect("a1", "b2", is_running=False)
    plan = sound(plan_clean(world))
    return world, plan


def _remove(more: Callable[[FakeWorld], None] | None = None) -> Callable[[], tuple[FakeWorld, Plan]]:
    """The link is to be retired, under writes."""

    @copied
    def build() -> tuple[FakeWorld, Plan]:
        world = FakeWorld.classic()
        if more is not None:
            more(world)
        world.has_workload = True
        plan = sound(plan_remove(world))
        return world, plan

    return build


@copied
def _create() -> tuple[FakeWorld, Plan]:
    """Both sides hold the same rows; writes begin once they are allowed again."""
    world = FakeWorld.classic()
    world.converge()
    for node in world.nodes:
        node.channels.clear()
    world.recorded.clear()
    for node in world.b.nodes:
        node.probe_objects.clear()
    return world, sound(plan_create(world))


def _start(
    *, io: str = "Yes", sql: str = "No", errno: int = 0, by_gtid: bool = False
) -> Callable[[], tuple[FakeWorld, Plan]]:
    """The forward channel stopped automatically under writes; what waits stands in its relay log or on its source."""

    @copied
    def build() -> tuple[FakeWorld, Plan]:
        world = FakeWorld.classic(has_gtid_channels=by_gtid)
        channel = world.node("b1").channels["link1"]
        channel.io, channel.sql, channel.sql_errno = io, sql, errno
        world.has_workload = True
        for _ in range(6):
            world.tick()
        plan = sound(plan_start(world))
        return world, plan

    return build


@copied
def _configure() -> tuple[FakeWorld, Plan]:
    world = FakeWorld.classic()
    world.has_workload = True
    return world, sound(plan_configure(world))


SITUATIONS = (
    Situation("create_channels", _create),
    Situation("source_lost", _relocate("a1")),
    Situation("source_lost_half_group_read", _relocate("a1", more=_half_group)),
    Situation("replica_lost", _relocate("b1")),
    Situation("both_lost", _relocate("a1", "b1")),
    Situation("move_source", _relocate(source="a2", replica="b1")),
    Situation("move_replica", _relocate(source="a1", replica="b2")),
    Situation("move_both", _relocate(source="a2", replica="b3")),
    Situation("leftover_removed", _relocate(source="a2", replica="b2", more=_leftover)),
    Situation("leftover_on_new_replica", _relocate(source="a2", replica="b3", more=_leftover)),
    Situation("io_thread_stopped", _relocate(source="a2", replica="b2", more=_io_stopped)),
    Situation("all_stopped", _relocate(source="a1", replica="b1", more=_all_stopped)),
    Situation("replica_back_behind_its_data", _relocate(source="a2", replica="b2", more=_behind(starts=True))),
    Situation("replica_back_behind_and_kept", _relocate(source="a1", replica="b1", more=_behind(starts=True))),
    Situation("replica_back_behind_and_still", _relocate(source="a2", replica="b3", more=_behind(starts=False))),
    Situation("connection_renamed", _relocate(source="a2", replica="b1", more=_other_name)),
    Situation("gtid_source_lost", _relocate("a1", by_gtid=True)),
    Situation("gtid_replica_lost", _relocate("b1", by_gtid=True)),
    Situation("gtid_both_lost_strict", _relocate("a1", "b1", more=_strict, by_gtid=True)),
    Situation("gtid_move_both", _relocate(source="a2", replica="b3", by_gtid=True)),
    Situation("start_stopped_silently", _start()),
    Situation("start_both_threads_stopped", _start(io="No")),
    Situation("start_not_reading", _start(io="No", sql="Yes")),
    Situation("start_after_expulsion", _start(errno=1047)),
    Situation("gtid_start_stopped_silently", _start(by_gtid=True)),
    Situation("gtid_start_both_threads_stopped", _start(io="No", by_gtid=True)),
    Situation("configure", _configure),
    Situation("remove_stray_channel", _clean),
    Situation("remove_channels", _remove()),
    Situation("remove_channels_and_a_stray", _remove(_leftover)),
    Situation("remove_channels_io_thread_stopped", _remove(_io_stopped)),
)


def situation(name: str) -> Situation:
    """By name."""
    return next(s for s in SITUATIONS if s.name == name)


HUNG = Reach.HUNG

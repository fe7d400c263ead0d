"""A link whose active side a was lost and failed over to b, as the console's record has it then."""

from __future__ import annotations

from tests.fakes.console import FakeConsole
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway
from tests.fakes.sites import passive, plan_failover
from tests.fakes.world import FakeWorld


def failed_over(*, fences: bool = True) -> FakeWorld:
    """b accepts writes, a is dead and invalidated; `fences` as the failover's plan said."""
    world = passive(FakeWorld.classic())
    world.kill_side(world.a)
    plan = plan_failover(world, options={"fence_on_return": fences})
    memory, console = Memory(plan), FakeConsole()
    Walker(world, FakeGateway(world), memory, console=console).run()
    assert memory.ended.state == "succeeded", memory.end
    world.divergence = console.divergence
    world.turn(world.b.id)
    world.clock.time_s += 60
    return world


def run_fence(world: FakeWorld, memory: Memory, **how: object) -> FakeGateway:
    """One walk of a fence of what returned."""
    gateway = FakeGateway(world, active_id=world.active.id)
    Walker(world, gateway, memory, console=FakeConsole(active=world.active.id), **how).run()  # type: ignore[arg-type]
    return gateway

"""One world: three monitors and what happens to them, and what must hold after every step."""

from __future__ import annotations

from random import Random

from tests.sim.shared_links.monitor import Monitor
from tests.sim.shared_links.world import Actor, World

LIMIT_S = 5.0
GROUPS = [("c_a", "c_b"), ("c_c", "c_d"), ("c_e", "c_f"), ("c_f", "c_g"), ("c_h", "c_i"), ("c_j", "c_k")]


def lived(seed: int, *, seconds: float = 60.0, respects_locks: bool = True, crash_loop: bool = False) -> World:
    """The world after so long; `faults` of it are what did not hold."""
    harm = start_and_freeze if crash_loop else strike
    world = World(Random(seed), list(GROUPS), respects_locks=respects_locks)
    for _ in range(3):
        start(world)
    next_fault = world.random.uniform(5.0, 8.0)
    try:
        while world.now < seconds:
            world.step()
            judge(world)
            if world.now > next_fault:
                next_fault = world.now + harm(world)
    finally:
        world.close()
    return world


def start(world: World) -> None:
    """One more monitor process."""
    world.actors.append(Actor(world, f"m{len(world.actors)}", Monitor(world).run))


def start_and_freeze(world: World) -> float:
    """All but one monitor end, and others start again and again, which freeze after a moment. Returns the next time."""
    for one in world.actors[1:3]:
        _kill(one)
    if world.actors[-1].frozen_until or len(world.actors) == 3:
        start(world)
        return 0.15
    world.actors[-1].frozen_until = world.actors[-1].healthy_since = 1e9
    return 1.5


def _kill(one: Actor) -> None:
    if not one.is_killed:
        one.is_killed, one.wakes_at = True, one.world.now


def strike(world: World) -> float:
    """Something happens to a monitor, to the database or to the registration. Returns when the next thing does."""
    random = world.random
    alive = [one for one in world.actors if not one.is_killed]
    one, until = random.choice(alive), world.now + random.choice((0.5, 1.5, 2.5, 4.0, 8.0))
    what = random.choice(("kill", "freeze", "freeze", "freeze", "cut", "start", "lose", "clock", "link"))
    if what == "kill" and len(alive) > 1:
        _kill(one)
    elif what == "freeze":
        one.frozen_until = max(one.frozen_until, until)
        _is_ill([one], until)
    elif what == "cut":
        one.cut_until = max(one.cut_until, until)
        _is_ill([one], until)
    elif what == "start" and len(alive) < 4:
        start(world)
    elif what == "lose":
        world.lost_until = max(world.lost_until, until)
        _is_ill(world.actors, until)
    elif what == "clock":
        world.ahead += random.choice((0.5, 2.0, 60.0))
        world.unowned_since.clear()
    elif what == "link":
        world.links[:] = GROUPS + ([("c_b", "c_c")] if len(world.links) == len(GROUPS) else [])
    return random.expovariate(1 / 3)


def _is_ill(actors: list[Actor], until: float) -> None:
    for one in actors:
        one.healthy_since = max(one.healthy_since, until)


def judge(world: World) -> None:
    """No link is without an owner for longer than the limit while a monitor works and reaches the database."""
    healthy = [one.healthy_since for one in world.actors if not one.is_killed and one.healthy_since <= world.now]
    works_since = min(healthy, default=world.now)
    for link in GROUPS:
        if _is_owned(world, link):
            world.unowned_since.pop(link, None)
            continue
        since = world.unowned_since.setdefault(link, world.now)
        unowned_s = world.now - max(since, works_since)
        world.longest_unowned_s = max(world.longest_unowned_s, unowned_s)
        if unowned_s > LIMIT_S:
            world.faults.append(f"{link} is without an owner for {unowned_s:.1f} s at {world.now:.1f}")
            world.unowned_since[link] = world.now


def _is_owned(world: World, link: tuple[str, str]) -> bool:
    holders = {world.rows[cluster].holder if cluster in world.rows else "" for cluster in link}
    (holder, *more) = holders
    until, _ = world.processes.get(holder, (0.0, frozenset()))
    return not more and until > world.clock

"""Plans that change the active site, over a `FakeWorld`, as the console's planning makes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.checks.run import Check
from backend.core.orphans.report import OrphanReport
from backend.core.plan import Plan
from backend.core.plans import failover, fence_returned_side, switchover
from backend.core.plans.kind import Options
from backend.core.returned_nodes import FenceRecord, nodes_to_fence, returned_nodes
from tests.fakes.plans import QUIET, FakePlanner, context_of, named_pair, with_events
from tests.fakes.world import FakeWorld


def passive(world: FakeWorld) -> FakeWorld:
    """The standby takes no writes, as it should be."""
    for node in world.b.nodes:
        node.variables["read_only"] = "ON"
    return world


def context_of_switch(world: FakeWorld, **more: Any) -> CheckContext:
    """The context of a switchover; every node tells what runs in it."""
    activity = {node.ref.id: QUIET for node in world.active.nodes if node.is_up}
    return replace(with_events(world, context_of(world)), **({"activity": activity} | more))


def plan_switchover(
    world: FakeWorld, checks: Iterable[Check] | None = None, *, kind: str = switchover.KIND, **more: Any
) -> Plan:
    """A switchover to the standby side."""
    return FakePlanner(world, kind, {}, more, checks=checks).plan()


def plan_failback(world: FakeWorld, **more: Any) -> Plan:
    """A switchover back to the home side."""
    return plan_switchover(world, kind=switchover.FAILBACK, **more)


def plan_failover(
    world: FakeWorld,
    checks: Iterable[Check] | None = None,
    *,
    seen: failover.ObservedLoss | None = None,
    options: Options | None = None,
    **more: Any,
) -> Plan:
    """A failover to the standby side; what does not answer of the other is attested unless `more` says otherwise."""
    gone = frozenset(node.ref.id for node in world.active.nodes if not node.is_up)
    loss = seen or failover.ObservedLoss(3, world.clock.now_s() - 1.0, world.active.seqno)
    held = {"attested_fenced": gone, "accepts_loss": True} | more
    return FakePlanner(world, failover.KIND, options or {}, held, {"observed_loss": loss}, checks).plan()


def plan_fence_returned(world: FakeWorld, known: Mapping[str, FenceRecord] | None = None) -> Plan | None:
    """The plan for what returned of the lost side, as the console makes it automatically; None where nothing is due."""
    link = world.facts()
    returned = returned_nodes(link)
    due = nodes_to_fence(returned, known or {}, world.clock.now_s())
    if not due:
        return None
    begins = [
        {"node_id": one.facts.node.id, "node": one.facts.node.name, "begins": one.begins}
        for one in returned
        if one.begins is not None
    ]
    return fence_returned_side.decide(link, due, begins=begins, now_s=world.clock.now_s(), may_set_semi_sync={})


def plan_reprotect(
    world: FakeWorld,
    way: str,
    orphans: OrphanReport,
    source: str | None = None,
    replica: str | None = None,
    *,
    options: Options | None = None,
    **more: Any,
) -> Plan:
    """A reprotect of the returned side with what a scan found of its orphans."""
    chosen, named = {"orphans": way, **(options or {})}, named_pair(world, source, replica)
    return FakePlanner(world, "reprotect", chosen, more, {"orphans": orphans}, named=named).plan()

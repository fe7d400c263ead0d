"""Plans that change the active site, over a `FakeWorld`, as the console's planning makes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.checks.run import Check, run_checks
from backend.core.facts.activity import NodeActivity
from backend.core.findings import is_refused
from backend.core.orphans.report import OrphanReport
from backend.core.plan import Plan
from backend.core.plans import failover, fence_returned_side, reprotect, switchover
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.reprotect import REBUILD_OF_AWAY_CHECKS, REPROTECT_CHECKS, REPROTECT_FENCE_CHECKS
from backend.core.plans.switchover import FAILBACK_CHECKS, SWITCHOVER_CHECKS
from backend.core.returned_nodes import FenceRecord, nodes_to_fence, returned_nodes
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import context_of, locate_with
from tests.fakes.world import USERS, FakeWorld

QUIET = NodeActivity(long_transactions=(), ddl=(), enabled_events=0, write_through=())


def passive(world: FakeWorld) -> FakeWorld:
    """The standby takes no writes, as it should be."""
    for node in world.b.nodes:
        node.variables["read_only"] = "ON"
    return world


def context_of_switch(world: FakeWorld, **more: Any) -> CheckContext:
    """The context of a switchover; every node tells what runs in it."""
    activity = {node.ref.id: QUIET for node in world.active.nodes if node.is_up}
    return replace(with_events(world, context_of(world)), **({"activity": activity} | more))


def with_events(world: FakeWorld, ctx: CheckContext) -> CheckContext:
    """What every node shows of its events, and an operator account that may alter all of them."""
    events = {node.ref.id: tuple(node.events) for node in world.nodes}
    lacks = {node_id: {event.key: () for event in shown} for node_id, shown in events.items()}
    return replace(ctx, events=events, event_lacks=lacks)


def plan_switchover(
    world: FakeWorld,
    checks: Iterable[Check] = SWITCHOVER_CHECKS,
    *,
    kind: str = switchover.KIND,
    **more: Any,
) -> Plan:
    """A switchover to the standby side."""
    ctx = context_of_switch(world, **more)
    return switchover.decide(ctx, run_checks(ctx, checks), kind=kind, options={})


def plan_failback(world: FakeWorld, **more: Any) -> Plan:
    """A switchover back to the home side."""
    return plan_switchover(world, FAILBACK_CHECKS, kind=switchover.FAILBACK, **more)


def plan_failover(
    world: FakeWorld,
    checks: Iterable[Check] = FAILOVER_CHECKS,
    *,
    seen: failover.ObservedLoss | None = None,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Plan:
    """A failover to the standby side; what does not answer of the other is attested unless `more` says otherwise."""
    ctx = with_events(world, context_of(world))
    gone = frozenset(node.ref.id for node in world.active.nodes if not node.is_up)
    ctx = replace(ctx, focus=(ctx.pair[1],), **({"attested_fenced": gone, "accepts_loss": True} | more))
    loss = seen or failover.ObservedLoss(3, world.clock.now_s() - 1.0, world.active.seqno)
    return failover.decide(ctx, run_checks(ctx, checks), loss, options=options or {})


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
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Plan:
    """A reprotect of the returned side with what a scan found of its orphans."""
    ctx = replace(context_of(world, source, replica), **more)
    findings = run_checks(ctx, REPROTECT_FENCE_CHECKS if way == reprotect.FENCE else REPROTECT_CHECKS)
    alone = reprotect.before_the_return(ctx, way)
    findings = findings if alone is None else run_checks(alone, REBUILD_OF_AWAY_CHECKS)
    ask = locate_with(world, FakeGateway(world, moves=False))
    located = () if is_refused(findings) else [ask(q, ctx.link) for q in reprotect.requests_for(ctx, way)]
    chosen = {"orphans": way, **(options or {})}
    return reprotect.decide(ctx, findings, located, orphans, replication_users=USERS, options=chosen)

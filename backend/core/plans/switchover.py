"""Switchover and failback: writes stop on one side, the other receives everything, then writes start there.

Both channels stay on their nodes: the forward channel is the reverse one afterwards. Before the swap of roles every
step can be reverted; after it the old active side stays fenced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.checks.activity import check_activity, check_write_through
from backend.core.checks.channels import (
    check_channel_errors,
    check_channel_known,
    check_channels_not_delayed,
    check_second_channel,
)
from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.context import CheckContext, Move
from backend.core.checks.events import check_events, moved_events
from backend.core.checks.fencing import check_nodes_can_be_opened, check_unreachable_standby
from backend.core.checks.groups import NODE_CHECKS
from backend.core.checks.log_continuity import check_log_continuity
from backend.core.checks.nodes import check_clock, check_state_uuid
from backend.core.checks.origins import check_channel_ends, check_origins
from backend.core.checks.reject_queries import check_reject_queries_privilege
from backend.core.checks.run import Check
from backend.core.checks.semi_sync import check_semi_sync
from backend.core.checks.server_ids import check_server_ids
from backend.core.checks.settings import check_binlog, check_settings, warn_of_filters
from backend.core.checks.start_channel import check_loop_guard_is_whole
from backend.core.checks.stream_accounts import check_transactions_accounted
from backend.core.checks.switchover import (
    check_both_channels_run,
    check_every_node_can_be_fenced,
    check_failback_target,
    check_lag,
    check_reconciled,
)
from backend.core.checks.versions import check_version
from backend.core.facts.fingerprint import fingerprint
from backend.core.findings import Finding, is_refused
from backend.core.plan import Plan, Step
from backend.core.plans.builders.channel_steps import probe_step
from backend.core.plans.builders.event_steps import disable_event_steps, enable_event_steps
from backend.core.plans.builders.fence_steps import fence_steps, open_steps, readmit_steps, swap_step
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.kind import PlanKind
from backend.core.plans.presentation import pair_target, roles_target
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.topology import Direction

KIND = "switchover"
FAILBACK = "failback"
DRAIN_LIMIT_S = 60

SWITCHOVER_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reconciled,
    *NODE_CHECKS,
    check_state_uuid,
    check_version,
    check_binlog,
    check_settings,
    check_server_ids,
    check_origins,
    check_channel_ends,
    check_loop_guard_is_whole,
    check_channel_known,
    check_both_channels_run,
    check_channel_errors,
    check_log_continuity,
    check_transactions_accounted,
    check_lag,
    check_channels_not_delayed,
    warn_of_filters,
    check_second_channel,
    check_unreachable_standby,
    check_every_node_can_be_fenced,
    check_nodes_can_be_opened,
    check_activity,
    check_write_through,
    check_events,
    check_reject_queries_privilege,
    check_semi_sync,
    check_clock,
    check_approval,
)

FAILBACK_CHECKS: tuple[Check, ...] = (
    check_failback_target,
    *SWITCHOVER_CHECKS,
)


def decide(ctx: CheckContext, findings: Sequence[Finding], *, kind: str, options: Mapping[str, Any]) -> Plan:
    """Turn facts and findings into a plan, ready or refused; positions are proven in the run, after the fence."""
    old, new = ctx.link.active, ctx.link.standby
    source, replica = ctx.pair
    plan = Plan(
        kind=kind,
        link_id=ctx.link.id,
        link_name=ctx.link.name,
        created_at_s=ctx.now_s,
        summary=_summary(ctx, kind),
        findings=tuple(findings),
        positions=(),
        loss={
            "transactions": 0,
            "seconds": 0,
            "detail": f"Nothing is lost: {new.name} is activated only once it has everything that {old.name} wrote. "
            "Writes are refused in between.",
        },
        steps=() if is_refused(findings) else _steps(ctx, probed=bool(options.get("probe", True))),
        fingerprint=fingerprint(ctx.link, (source.node.id, replica.node.id)),
        target=pair_target(ctx) | roles_target(new, old),
        options=dict(options),
        situation={
            "sentence": f"{old.name} is active, {new.name} is standby. Both channels are on {source.node.name} "
            f"and {replica.node.name} and stay there.",
            "old_source_name": source.node.name,
            "old_replica_name": replica.node.name,
            "lost": [],
        },
    )
    return with_semi_sync(plan, ctx.link, ctx.may_set_semi_sync)


def _summary(ctx: CheckContext, kind: str) -> str:
    """Where the home side is active already there is no side to fail back to."""
    old, new = ctx.link.active, ctx.link.standby
    if kind == FAILBACK and ctx.link.home_cluster_id == old.id:
        return f"Fail back to {old.name}, which is active already"
    return f"{'Fail back' if kind == FAILBACK else 'Switch over'} to {new.name}, fence {old.name}"


def _steps(ctx: CheckContext, *, probed: bool) -> tuple[Step, ...]:
    steps = StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    disable_event_steps(steps, moved_events(ctx))
    fence_steps(steps, ctx.link.active, rejects=ctx.rejects_queries, is_watched_on=True)
    for move in ctx.moves:
        _verify_caught_up_step(steps, ctx, move, ends_watch=move is ctx.moves[-1])
    swap_step(steps, ctx)
    open_steps(steps, ctx.link.standby.nodes)
    enable_event_steps(steps, moved_events(ctx))
    if ctx.rejects_queries:
        readmit_steps(steps, ctx.link.active.nodes)
    if probed:
        for move in ctx.moves:
            probe_step(steps, ctx, move)
    steps.add("verify", "Look for a stray channel, read both sides again", probed=probed)
    return tuple(steps.steps)


def _verify_caught_up_step(steps: StepList, ctx: CheckContext, move: Move, *, ends_watch: bool) -> None:
    """`ends_watch`: it is the last step before the swap, until which the fenced side's log is watched."""
    assert move.holder is not None
    side = ctx.link.source_cluster(move.direction)
    receiving = ctx.link.receiving_cluster(move.direction)
    steps.add(
        "verify_caught_up",
        f"Prove that {receiving.name} has the last transaction that {side.name} wrote",
        move.source,
        direction=move.direction.value,
        side=side.name,
        source_node_id=move.source.node.id,
        replica_node_id=move.replica.node.id,
        holder_id=move.holder.replica.node.id,
        is_moving=move.direction is Direction.REVERSE,
        limit_s=DRAIN_LIMIT_S,
        watch_of=ctx.link.active.id,
        ends_watch=ends_watch,
    )


PLAN_KIND = PlanKind(
    kind=KIND,
    done="switched {link} over from {old} to {new}",
    to_do="switch {link} over from {old} to {new}",
    is_emergency=False,
    proves_continuity=True,
    is_rehearsed=True,
    checks=SWITCHOVER_CHECKS,
    decide=lambda given: decide(given.ctx, given.findings, kind=KIND, options=given.options),
    asks_activity=True,
    asks_events=True,
    waits_for_expulsion=True,
    is_probed=lambda *_: True,
)
FAILBACK_KIND = replace(
    PLAN_KIND,
    kind=FAILBACK,
    done="failed {link} back from {old} to {new}",
    to_do="fail {link} back from {old} to {new}",
    checks=FAILBACK_CHECKS,
    decide=lambda given: decide(given.ctx, given.findings, kind=FAILBACK, options=given.options),
)

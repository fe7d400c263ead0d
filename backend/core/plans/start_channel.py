"""Start channel: a channel that stopped without an operator resumes at its own position, once that is proven.

No position is set and no log discarded: START SLAVE is the only statement. A channel whose own position is not the last
applied one is not started; a relocate points it at the proven position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.checks.auto_position import refuse_auto_position
from backend.core.checks.channels import check_sites_connected, check_unreachable_holders
from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.context import CheckContext, Move
from backend.core.checks.groups import NODE_CHECKS
from backend.core.checks.gtid import check_gtid_mode
from backend.core.checks.log_continuity import check_log_continuity
from backend.core.checks.nodes import check_state_uuid
from backend.core.checks.origins import check_channel_ends, check_origins
from backend.core.checks.run import Check
from backend.core.checks.semi_sync import check_semi_sync
from backend.core.checks.server_ids import check_server_ids
from backend.core.checks.settings import check_binlog, check_settings
from backend.core.checks.start_channel import (
    RELOCATE,
    check_channel_is_alone,
    check_channel_stands,
    check_loop_guard_is_whole,
    check_start_may_go_on,
)
from backend.core.checks.switchover import check_reconciled
from backend.core.facts.fingerprint import fingerprint
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.link_state.stop_cause import stop_cause
from backend.core.locate.model import Located
from backend.core.plan import Plan, Step
from backend.core.plans.builders.channel_steps import probe_step
from backend.core.plans.builders.gtid_steps import uses_gtid
from backend.core.plans.builders.start_steps import drain_step, locate_in_place_step, resume_step
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.context import locate_requests
from backend.core.plans.kind import Given, Options, PlanFacts, PlanKind
from backend.core.plans.position_findings import position_finding
from backend.core.plans.presentation import move_of, position_json
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.plans.target import current_holder, is_stationary
from backend.core.steps.positions.locate import is_same_place
from backend.core.topology import Direction, NodeFacts

KIND = "start_channel"

START_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reconciled,
    check_channel_stands,
    *NODE_CHECKS,
    check_state_uuid,
    check_binlog,
    check_settings,
    check_server_ids,
    check_origins,
    check_channel_ends,
    check_start_may_go_on,
    check_log_continuity,
    check_loop_guard_is_whole,
    check_gtid_mode,
    refuse_auto_position,
    check_sites_connected,
    check_channel_is_alone,
    check_unreachable_holders,
    check_semi_sync,
    check_approval,
)


def in_place(ctx: CheckContext, direction: str | None = None) -> CheckContext:
    """The same link with its stopped channels as moves onto their own nodes; running channels are not touched.

    `direction`: the only one that is to be started.
    """
    moves = tuple(move for move in _moves(ctx.link) if direction in (None, move.direction.value))
    ends = {node.node.id: node for move in moves for node in (move.source, move.replica)}
    return replace(ctx, moves=moves, focus=tuple(ends.values()) or ctx.pair)


def _moves(link: LinkFacts) -> Iterator[Move]:
    for direction in Direction:
        holder = current_holder(link, direction)
        if holder is None or not holder.channel.has_stopped_thread:
            continue
        yield Move(
            direction=direction,
            source=link.node(holder.source.id),
            replica=holder.replica,
            holder=holder,
            channel=holder.channel,
            old_source_id=holder.source.id,
            old_replica_id=holder.replica.node.id,
            strays=tuple(h for h in link.holders(direction) if h != holder),
            is_old_source_up=link.node(holder.source.id).is_up,
        )


def directions_to_try(ctx: CheckContext, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The directions to try alone where both are stopped and not both can be started, unless one was chosen."""
    is_chosen = options.get("direction") is not None
    return () if is_chosen or len(ctx.moves) < 2 else tuple(move.direction.value for move in ctx.moves)


def first_sound(both: Plan, alone: Iterable[Plan]) -> Plan:
    """The plan for both channels, else the first one for one of them alone that is not refused.

    `alone` is read only as far as necessary.
    """
    if not both.is_refused:
        return both
    sound = next((plan for plan in alone if not plan.is_refused), None)
    return both if sound is None else replace(sound, findings=(*sound.findings, _left_out(both, sound)))


def _left_out(both: Plan, sound: Plan) -> Finding:
    """Why the other channel is not started; the finding refuses nothing, because it is not part of the plan."""
    started = str(sound.options["direction"])
    other = Direction(started).other
    refusing = [finding for finding in both.findings if finding.refuses]
    return Finding(
        "direction_left_out",
        Severity.WARNING,
        f"The {other} channel is not started by this plan: {' '.join(finding.message for finding in refusing)}",
        " ".join(dict.fromkeys(finding.remedy for finding in refusing if finding.remedy)),
        {"direction": other.value, "codes": sorted({finding.code for finding in refusing})},
    )


def decide(
    ctx: CheckContext, findings: Sequence[Finding], located: Sequence[Located], *, options: Mapping[str, Any]
) -> Plan:
    """Turn facts (of `in_place`), findings and located positions into a plan, ready or refused."""
    everything = (*_causes(ctx), *findings, *(_place_finding(ctx, one) for one in located))
    is_ready = not is_refused(everything) and len(located) == len(ctx.moves)
    ends = _ends(ctx)
    plan = Plan(
        kind=KIND,
        link_id=ctx.link.id,
        link_name=ctx.link.name,
        created_at_s=ctx.now_s,
        summary=_summary(ctx),
        findings=everything,
        positions=tuple(position_json(ctx, one) for one in located),
        loss={
            "transactions": 0,
            "seconds": 0,
            "detail": "The channel resumes at its position and applies its backlog. Writes are not paused.",
        },
        steps=_steps(ctx, probed=bool(options.get("probe", True))) if is_ready else (),
        fingerprint=fingerprint(ctx.link, [node.node.id for node in ctx.subjects]),
        target={
            "source_node": ends[0].node.id,
            "source_name": ends[0].node.name,
            "replica_node": ends[1].node.id,
            "replica_name": ends[1].node.name,
        },
        options=dict(options),
        situation={
            "sentence": " ".join(f.message for f in _causes(ctx)) or "No channel of this link is stopped.",
            "old_source_name": ends[0].node.name,
            "old_replica_name": ends[1].node.name,
            "lost": [],
        },
    )
    return with_semi_sync(plan, ctx.link, ctx.may_set_semi_sync)


def _ends(ctx: CheckContext) -> tuple[NodeFacts, NodeFacts]:
    """The nodes of the first stopped channel, active side first."""
    if not ctx.moves:
        return ctx.subjects[0], ctx.subjects[1]
    first = ctx.moves[0]
    ends = first.source, first.replica
    return ends if first.direction is Direction.FORWARD else (ends[1], ends[0])


def _summary(ctx: CheckContext) -> str:
    named = " and ".join(f"the {m.direction} channel on {m.replica.node.name}" for m in ctx.moves)
    return f"Start {named or 'a channel'} at its position"


def _causes(ctx: CheckContext) -> list[Finding]:
    return [
        Finding(
            "channel_stop_cause",
            Severity.INFO,
            stop_cause(ctx.link, move.replica, move.channel),
            facts={
                "direction": move.direction.value,
                "io_running": move.channel.io_running,
                "sql_running": move.channel.sql_running,
                "wsrep_restart_slave": move.replica.variable("wsrep_restart_slave"),
            },
        )
        for move in ctx.moves
        if move.channel is not None
    ]


def _place_finding(ctx: CheckContext, located: Located) -> Finding:
    """The finding that says whether the channel's own position is the last applied one."""
    move, proven = move_of(ctx, located.direction), position_finding(ctx, located)
    assert move.channel is not None
    if proven.refuses:
        return replace(proven, remedy=f"{RELOCATE} {proven.remedy}")
    if uses_gtid(move) or not is_stationary(move):
        return proven
    own = move.channel.exec_position
    if own is not None and is_same_place(located, own, move.source.binlog):
        return Finding(
            "place_is_last_applied",
            Severity.OK,
            f"The channel of {move.replica.node.name} is at {own} of {located.node}: the end of the last transaction "
            f"that {located.receiving} applied.",
            facts={"direction": located.direction.value, "position": str(own)},
        )
    return Finding(
        "place_not_last_applied",
        Severity.BLOCKER,
        f"The channel of {move.replica.node.name} is at {own or 'an unknown position'} of {located.node}, but "
        f"{located.receiving} has applied up to {located.position}. Started there, the channel would repeat or skip "
        "transactions.",
        RELOCATE,
        {"direction": located.direction.value, "stands_at": str(own), "applied_to": str(located.position)},
    )


def _steps(ctx: CheckContext, *, probed: bool) -> tuple[Step, ...]:
    steps = StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    for move in ctx.moves:
        if not is_stationary(move):
            drain_step(steps, move)
    for move in ctx.moves:
        locate_in_place_step(steps, move)
    for index, move in enumerate(ctx.moves):
        resume_step(steps, move, is_first=index == 0)
    for move in ctx.moves:
        if probed:
            probe_step(steps, ctx, move)
    steps.add("verify", "Compare what arrives, read the options back, look for a stray channel", probed=probed)
    return tuple(steps.steps)


def _in_context(ctx: CheckContext, options: Options, facts: PlanFacts) -> CheckContext:
    del facts
    return in_place(ctx, options.get("direction"))


def _decide(given: Given) -> Plan:
    """One direction is started alone where the other one cannot be; each is judged by the same facts."""
    alone = (
        _plan(replace(one, options={**one.options, "direction": direction}))
        for direction in directions_to_try(given.ctx, given.options)
        for one in [given.facts.judged(given.ctx.link, direction=direction)]
    )
    return first_sound(_plan(given), alone)


def _plan(given: Given) -> Plan:
    return decide(given.ctx, given.findings, given.located, options=given.options)


PLAN_KIND = PlanKind(
    kind=KIND,
    done="started a stopped channel of {link}",
    to_do="start a stopped channel of {link}",
    is_emergency=True,
    proves_continuity=True,
    checks=START_CHECKS,
    decide=_decide,
    in_context=_in_context,
    waits_for_expulsion=True,
    is_probed=lambda *_: True,
    requests=lambda ctx, _options: locate_requests(ctx.moves),
)

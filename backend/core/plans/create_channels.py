"""Create channels: a link whose clusters do not replicate yet is set up in both directions.

Two ways lead to positions that are proven. Where both sides hold equal data, writes are fenced on both, every table is
compared, and the channels begin at the ends of the logs. Where the standby was copied from the active side, which stays
writable, the forward channel begins at the backup's position, proven by rows as in a rebuild.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.dialects.base import DialectError
from backend.core.facts.fingerprint import fingerprint
from backend.core.facts.state_uuid import new_histories
from backend.core.findings import Finding, is_refused
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest
from backend.core.plan import Plan, Step
from backend.core.plans.accept_state_uuid import record_steps
from backend.core.plans.builders.channel_steps import locate_step, point_step, probe_step, start_step
from backend.core.plans.builders.fence_steps import fence_steps, release_steps
from backend.core.plans.builders.log_end_steps import locate_log_end_step, located_at_end
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.context import locate_requests
from backend.core.plans.copied_side import copy_findings, is_copy
from backend.core.plans.equal_sides import COMPARE_LIMIT_S, ComparedSides, equal_findings, probe_table_steps
from backend.core.plans.new_channel import new_channel
from backend.core.plans.position_findings import position_finding, unsupported_move
from backend.core.plans.presentation import move_of, pair_target, position_json, roles_target
from backend.core.plans.rebuild import BACKUP, backlog_findings, probes_of
from backend.core.plans.rebuild_guide import copy_guide
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.topology import Direction

KIND = "create_channels"
EQUAL, COPY = "equal", "copy"
WAYS = (EQUAL, COPY)
"""What the standby holds now: the same data as the active side, or a copy of it as of a backup."""


def in_setup(ctx: CheckContext, options: Mapping[str, Any]) -> CheckContext:
    """The context in which each direction has a channel to create, with the chosen settings."""
    moves = tuple(replace(move, channel=new_channel(ctx, move, options)) for move in ctx.moves)
    return replace(ctx, moves=moves)


def requests_for(ctx: CheckContext, options: Mapping[str, Any]) -> tuple[LocateRequest, ...]:
    """The forward position of a copy with the position of its backup; () of anything else."""
    if options.get("standby_data") != COPY or not options.get(BACKUP) or not is_copy(ctx.link.standby):
        return ()
    forward = (ask for ask in locate_requests(ctx.moves) if ask.direction is Direction.FORWARD)
    return tuple(replace(ask, backup=str(options[BACKUP])) for ask in forward)


def decide(
    ctx: CheckContext,
    findings: Sequence[Finding],
    located: Sequence[Located],
    compared: ComparedSides | None,
    *,
    replication_users: Mapping[str, str],
    options: Mapping[str, Any],
) -> Plan:
    """Turn facts, findings, positions and what both sides hold into a plan, ready or refused."""
    active, standby = ctx.link.active, ctx.link.standby
    is_equal = options.get("standby_data", EQUAL) == EQUAL
    own = equal_findings(ctx, compared) if is_equal else copy_findings(ctx, options)
    everything = (
        *findings,
        *own,
        *(position_finding(ctx, one) for one in located),
        *backlog_findings(ctx, located),
    )
    steps: tuple[Step, ...] = ()
    if not is_refused(everything):
        try:
            build = _equal_steps if is_equal else _copy_steps
            steps = build(ctx, located, compared, replication_users, options)
            steps += record_steps(len(steps), new_histories(ctx.link))
        except DialectError as error:
            everything = (*everything, unsupported_move(error))
    source, replica = ctx.pair
    plan = Plan(
        kind=KIND,
        link_id=ctx.link.id,
        link_name=ctx.link.name,
        created_at_s=ctx.now_s,
        summary=f"Create the channels of {ctx.link.name} between {source.node.name} and {replica.node.name}",
        findings=everything,
        positions=tuple(position_json(ctx, one) for one in located),
        loss=_loss(active.name, standby.name, is_equal=is_equal),
        steps=steps,
        fingerprint=fingerprint(ctx.link, (source.node.id, replica.node.id)),
        target=pair_target(ctx) | roles_target(active, standby),
        options=dict(options),
        situation={
            "sentence": f"{active.name} and {standby.name} do not replicate: no node has a channel of this link.",
            "old_source_name": "",
            "old_replica_name": "",
            "lost": [],
        }
        | ({} if is_equal or is_copy(standby) else {"guide": copy_guide(ctx, standby, options.get("source_node"))}),
    )
    return with_semi_sync(plan, ctx.link, ctx.may_set_semi_sync)


def _loss(active: str, standby: str, *, is_equal: bool) -> dict[str, Any]:
    detail = (
        f"Nothing is changed in the data of either side. Writes on {active} are refused while the tables are compared."
        if is_equal
        else f"{active} stays writable. {standby} receives everything since its backup."
    )
    return {"transactions": 0, "seconds": 0, "detail": detail}


def _equal_steps(
    ctx: CheckContext,
    located: Sequence[Located],
    compared: ComparedSides | None,
    replication_users: Mapping[str, str],
    options: Mapping[str, Any],
) -> tuple[Step, ...]:
    del located
    assert compared is not None
    steps = StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    probe_table_steps(steps, compared)
    for cluster in ctx.clusters:
        fence_steps(steps, cluster)
    names = " and ".join(node.node.name for node in ctx.pair)
    steps.add(
        "verify_equal_data",
        f"Compare every table of {names}",
        node_ids=[node.node.id for node in ctx.pair],
        limit_s=COMPARE_LIMIT_S,
    )
    for move in ctx.moves:
        locate_log_end_step(steps, move, is_copy=False)
    first_change = len(steps.steps)
    release_steps(steps, ctx.link.active.nodes)
    positions = {move.direction: located_at_end(move, ctx) for move in ctx.moves}
    limits: dict[Direction, dict[str, float]] = {direction: {} for direction in Direction}
    channels = _channel_steps(steps, ctx, positions, limits, replication_users, options)
    return _closing(channels, first_change)


def _copy_steps(
    ctx: CheckContext,
    located: Sequence[Located],
    compared: ComparedSides | None,
    replication_users: Mapping[str, str],
    options: Mapping[str, Any],
) -> tuple[Step, ...]:
    del compared
    forward, reverse = (move_of(ctx, direction) for direction in Direction)
    (start,) = located
    steps = StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    fence_steps(steps, ctx.link.standby)
    locate_step(steps, ctx, forward, start, asks_holder=False, backup=str(options[BACKUP]))
    locate_log_end_step(steps, reverse, is_copy=True)
    positions = {Direction.FORWARD: start, Direction.REVERSE: located_at_end(reverse, ctx)}
    first_change = len(steps.steps)
    channels = _channel_steps(steps, ctx, positions, probes_of(ctx, start), replication_users, options)
    return _closing(channels, first_change)


def _closing(steps: StepList, first_change: int) -> tuple[Step, ...]:
    """The first step after the proof is the point of no return: from there on a successor cannot prove it again.

    Where writes were refused they are allowed again at once, and a fault in the channels does not refuse them.
    """
    planned = steps.steps
    planned[first_change] = replace(planned[first_change], point_of_no_return=True)
    return tuple(planned)


def _channel_steps(
    steps: StepList,
    ctx: CheckContext,
    positions: Mapping[Direction, Located],
    limits: Mapping[Direction, Mapping[str, float]],
    replication_users: Mapping[str, str],
    options: Mapping[str, Any],
) -> StepList:
    """The steps of both channels."""
    probed = [move for move in ctx.moves if move.direction in limits and options.get("probe", True)]
    for move in ctx.moves:
        point_step(steps, ctx, move, positions[move.direction], replication_users)
    for move in ctx.moves:
        start_step(steps, ctx, move)
    for move in probed:
        probe_step(steps, ctx, move, **limits[move.direction])
    steps.add(
        "verify",
        "Check continuity at the position, read the options back, look for a stray channel",
        pair=[node.node.id for node in ctx.pair],
        name=ctx.link.channel_name,
        probed=len(probed) == len(ctx.moves),
    )
    return steps

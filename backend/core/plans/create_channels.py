"""Create channels: a link whose clusters do not replicate yet is set up in both directions.

Two ways lead to positions that are proven. Where both sides hold equal data, writes are fenced on both, every table is
compared, and the channels begin at the ends of the logs. Where the standby was copied from the active side, which stays
writable, the forward channel begins at the backup's position, proven by rows as in a rebuild.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.checks.activity import check_activity, check_enabled_events, check_write_through
from backend.core.checks.channels import check_connection_name_free
from backend.core.checks.console import check_approval, check_no_other_run, check_replication_login
from backend.core.checks.context import CheckContext
from backend.core.checks.create_channels import check_every_node_is_up, check_no_channel, check_standby_can_be_fenced
from backend.core.checks.default_collations import check_default_collations
from backend.core.checks.groups import LOG_CHECKS, NODE_CHECKS
from backend.core.checks.nodes import check_clock
from backend.core.checks.origins import check_channel_ends, check_no_foreign_channel
from backend.core.checks.remove_channels import check_no_open_divergence
from backend.core.checks.run import Check
from backend.core.checks.semi_sync import check_semi_sync
from backend.core.checks.settings import check_auto_increment, check_filters
from backend.core.checks.state_uuid import check_history_to_record
from backend.core.checks.switchover import check_every_node_can_be_fenced
from backend.core.checks.versions import check_version_of_new_link
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
from backend.core.plans.kind import PAIR, Given, Options, PlanFacts, PlanKind
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

CREATE_ON_COPY_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_no_open_divergence,
    check_every_node_is_up,
    check_no_channel,
    *NODE_CHECKS,
    check_history_to_record,
    check_version_of_new_link,
    *LOG_CHECKS,
    check_no_foreign_channel,
    check_channel_ends,
    check_connection_name_free,
    check_replication_login,
    check_filters,
    check_auto_increment,
    check_default_collations,
    check_semi_sync,
    check_clock,
    check_standby_can_be_fenced,
    check_approval,
)

CREATE_ON_EQUAL_CHECKS: tuple[Check, ...] = (
    *CREATE_ON_COPY_CHECKS,
    check_every_node_can_be_fenced,
    check_activity,
    check_enabled_events,
    check_write_through,
)
"""Both sides are fenced while their data is compared."""


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
    is_equal = _is_equal(options)
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


def _is_equal(options: Options) -> bool:
    return bool(options.get("standby_data", EQUAL) == EQUAL)


def _compared(ctx: CheckContext, options: Options, facts: PlanFacts) -> ComparedSides | None:
    return facts.compared_sides(ctx) if _is_equal(options) else None


def _is_probed(ctx: CheckContext, options: Options, facts: PlanFacts) -> bool:
    compared = _compared(ctx, options, facts)
    return compared is None or compared.is_probe_readable


def _decide(given: Given) -> Plan:
    ctx, options, users = given.ctx, given.options, given.facts.replication_users()
    compared = _compared(ctx, options, given.facts)
    return decide(ctx, given.findings, given.located, compared, replication_users=users, options=options)


PLAN_KIND = PlanKind(
    kind=KIND,
    done="created the channels of {link}",
    to_do="create the channels of {link}",
    is_emergency=False,
    proves_continuity=True,
    checks=CREATE_ON_EQUAL_CHECKS,
    ways={COPY: CREATE_ON_COPY_CHECKS},
    way=lambda _ctx, options: str(options.get("standby_data", EQUAL)),
    decide=_decide,
    chooses=PAIR,
    asks_channel_tls=True,
    asks_activity=True,
    in_context=lambda ctx, options, _facts: in_setup(ctx, options),
    waits_for_expulsion=True,
    findings=lambda ctx, options, facts: () if _is_equal(options) else facts.copied_accounts(ctx.link),
    is_probed=_is_probed,
    requests=requests_for,
)

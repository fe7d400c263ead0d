"""Relocate: both channels of a link resume on healthy nodes, at the exact event group.

Everything before the point of no return is reading and STOP SLAVE. An abort there restores the previous channels
exactly: their position and every option are unchanged. Old channels are removed before a new one starts, so no
direction ever has two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.checks.auto_position import check_auto_position
from backend.core.checks.channels import (
    check_channel_errors,
    check_channel_known,
    check_connection_name_free,
    check_move_needed,
    check_second_channel,
    check_sites_connected,
    check_unreachable_holders,
)
from backend.core.checks.console import check_no_other_run
from backend.core.checks.context import CheckContext, Move, Pair
from backend.core.checks.groups import LOG_CHECKS, NEW_CHANNEL_CHECKS, NODE_CHECKS
from backend.core.checks.gtid import check_gtid_mode
from backend.core.checks.log_continuity import check_seam_to_prove
from backend.core.checks.nodes import check_state_uuid
from backend.core.checks.origins import check_channel_ends
from backend.core.checks.reading import check_new_pair_reads
from backend.core.checks.run import Check
from backend.core.checks.stream_accounts import warn_of_unaccounted_transactions
from backend.core.checks.switchover import check_reconciled
from backend.core.checks.versions import check_version
from backend.core.dialects.base import DialectError
from backend.core.facts.fingerprint import fingerprint
from backend.core.findings import Finding, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.locate.model import Located
from backend.core.plan import Plan, Step
from backend.core.plans.already_applied import blocks_search
from backend.core.plans.builders.channel_steps import (
    clean_steps,
    locate_step,
    point_step,
    probe_step,
    start_step,
    stop_steps,
)
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.candidates import Attempt, choose_attempt, further_pairs
from backend.core.plans.context import locate_requests
from backend.core.plans.kind import PAIR, Given, PlanKind
from backend.core.plans.position_findings import unsupported_move
from backend.core.plans.presentation import move_of, pair_target, position_json
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.plural import pick
from backend.core.topology import Direction

KIND = "relocate"

RELOCATE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reconciled,
    *NODE_CHECKS,
    check_state_uuid,
    check_version,
    *LOG_CHECKS,
    check_channel_ends,
    check_channel_known,
    check_channel_errors,
    check_seam_to_prove,
    warn_of_unaccounted_transactions,
    check_gtid_mode,
    check_auto_position,
    check_sites_connected,
    check_new_pair_reads,
    check_second_channel,
    check_unreachable_holders,
    check_connection_name_free,
    check_move_needed,
    *NEW_CHANNEL_CHECKS,
)


def decide(
    ctx: CheckContext,
    findings: Sequence[Finding],
    located: Sequence[Located],
    *,
    replication_users: Mapping[str, str],
    options: Mapping[str, Any],
    left_out: Sequence[Finding] = (),
) -> Plan:
    """Turn facts, findings and located positions into a plan, ready or refused.

    `left_out` holds a finding for each other pair that was not used.
    `replication_users` maps a cluster id to the account its channels log in with.
    """
    by_direction = {one.direction: one for one in located}
    everything = (*Attempt(ctx, tuple(findings), tuple(located)).judged, *left_out)
    steps: tuple[Step, ...] = ()
    if not is_refused(everything) and len(by_direction) == len(ctx.moves):
        try:
            steps = relocate_steps(ctx, by_direction, replication_users, probed=bool(options.get("probe", True)))
        except DialectError as error:
            everything = (*everything, unsupported_move(error))
    source, replica = ctx.pair
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
            "detail": "Both clusters are up. Every pending transaction is in the new source's binary log and is "
            "fetched from there. Writes are not paused.",
        },
        steps=steps,
        fingerprint=fingerprint(ctx.link, (source.node.id, replica.node.id)),
        target=pair_target(ctx),
        options=dict(options),
        situation=_situation(ctx),
    )
    return with_semi_sync(plan, ctx.link, ctx.may_set_semi_sync)


def relocate_steps(
    ctx: CheckContext,
    located: Mapping[Direction, Located],
    replication_users: Mapping[str, str],
    *,
    probed: bool,
) -> tuple[Step, ...]:
    steps = StepList()
    name = ctx.link.channel_name
    steps.add("recheck", "Read both sides again and compare with the plan")
    for move in ctx.moves:
        stop_steps(steps, ctx, move)
    for move in ctx.moves:
        locate_step(steps, ctx, move, located[move.direction])
    first_change = len(steps.steps)
    for move in ctx.moves:
        clean_steps(steps, ctx, move)
    for move in ctx.moves:
        point_step(steps, ctx, move, located[move.direction], replication_users)
    for move in ctx.moves:
        start_step(steps, ctx, move)
    for move in ctx.moves:
        if probed:
            probe_step(steps, ctx, move)
    steps.add(
        "verify",
        "Check continuity at the resume position, read the options back, look for a stray channel",
        pair=[node.node.id for node in ctx.pair],
        name=name,
        probed=probed,
    )
    planned = steps.steps
    planned[first_change] = replace(planned[first_change], point_of_no_return=True)
    return tuple(planned)


def _situation(ctx: CheckContext) -> dict[str, Any]:
    """The nodes of the forward channel, and which nodes of the link's channels are not responding."""
    link, forward = ctx.link, move_of(ctx, Direction.FORWARD)
    lost = lost_names(link, ctx.moves)
    ids = (forward.old_source_id, forward.old_replica_id)
    old_source, old_replica = (link.node(i).node.name if i else "" for i in ids)
    if not lost:
        sentence = f"Both channels are on {old_source} and {old_replica}, which are reachable: a planned move."
    else:
        sentence = (
            f"{' and '.join(lost)} {pick(len(lost), 'is', 'are')} not responding. {link.active.name} is still active. "
            f"Its link to {link.standby.name} does not replicate until it is moved."
        )
    return {
        "sentence": sentence,
        "old_source_name": old_source,
        "old_replica_name": old_replica,
        "lost": lost,
    }


def _summary(ctx: CheckContext) -> str:
    source, replica = ctx.pair
    lost = lost_names(ctx.link, ctx.moves)
    why = f" off {', '.join(lost)}" if lost else ""
    return f"Move both channels of {ctx.link.name}{why} to {source.node.name} ⇄ {replica.node.name}"


def lost_names(link: LinkFacts, moves: Sequence[Move]) -> list[str]:
    """Names of the channels' current nodes that do not respond."""
    ids = {node_id for move in moves for node_id in (move.old_source_id, move.old_replica_id) if node_id}
    return sorted(link.node(node_id).node.name for node_id in ids if not link.node(node_id).is_up)


def _decide(given: Given) -> Plan:
    """On the first pair of nodes that is proven, of those that the options allow."""
    first, asked = Pair(*(node.node.id for node in given.ctx.pair)), given.options
    further = (
        given.facts.judged(given.ctx.link, source_node=pair.active_node_id, replica_node=pair.standby_node_id)
        for pair in further_pairs(given.ctx.link, first, asked.get("source_node"), asked.get("replica_node"))
    )
    one, left_out = choose_attempt(given, further)
    users = given.facts.replication_users()
    return decide(one.ctx, one.findings, one.located, replication_users=users, options=one.options, left_out=left_out)


PLAN_KIND = PlanKind(
    kind=KIND,
    done="moved the channels of {link}",
    to_do="move the channels of {link}",
    is_emergency=True,
    proves_continuity=True,
    is_rehearsed=True,
    checks=RELOCATE_CHECKS,
    decide=_decide,
    chooses=PAIR,
    waits_for_expulsion=True,
    is_probed=lambda *_: True,
    requests=lambda ctx, _options: locate_requests(ctx.moves),
    is_search_blocked=blocks_search,
)

"""Reprotect: the lost side returned; its orphans are handled, then it is attached as the new standby.

The side is fenced before anything is decided, so that the count is complete. Both channels are then pointed again, as
in a relocate, at positions proven by content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.checks.auto_position import refuse_auto_position
from backend.core.checks.channels import (
    check_channel_known,
    check_connection_name_free,
    check_second_channel,
    check_sites_connected,
    check_unreachable_holders,
)
from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.context import CheckContext
from backend.core.checks.groups import LOG_CHECKS, NEW_CHANNEL_CHECKS, NODE_CHECKS
from backend.core.checks.gtid import check_gtid_mode
from backend.core.checks.members import check_members_are_registered
from backend.core.checks.nodes import check_identity, check_primary, check_reachable
from backend.core.checks.origins import check_channel_ends
from backend.core.checks.reading import check_new_pair_reads
from backend.core.checks.reprotect import (
    check_divergence_recorded,
    check_incarnation,
    check_returned_nodes_are_seen,
    check_returned_nodes_can_be_fenced,
    check_survivor_takes_writes,
)
from backend.core.checks.run import Check
from backend.core.checks.servers import check_servers
from backend.core.checks.versions import check_version
from backend.core.dialects.base import DialectError
from backend.core.facts.fingerprint import fingerprint
from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.findings import Finding, Severity, is_refused
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest
from backend.core.orphans.report import (
    ATTACH,
    REBUILD,
    REPLAY,
    UNDO,
    OrphanReport,
)
from backend.core.plan import Plan, Step
from backend.core.plans.builders.channel_steps import (
    clean_steps,
    locate_step,
    point_step,
    probe_step,
    start_step,
    stop_steps,
)
from backend.core.plans.builders.fence_steps import fence_steps
from backend.core.plans.builders.log_end_steps import locate_log_end_step, located_at_end
from backend.core.plans.builders.orphan_steps import orphan_steps, verify_no_orphans_step
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.context import locate_requests
from backend.core.plans.kind import PAIR, Given, Options, PlanFacts, PlanKind
from backend.core.plans.position_findings import position_finding, unsupported_move
from backend.core.plans.presentation import move_of, pair_target, position_json, roles_target
from backend.core.plans.rebuild import (
    BACKUP,
    backlog_findings,
    is_attachable,
    loss_of,
    probes_of,
    rebuild_findings,
    wrong_action_findings,
)
from backend.core.plans.rebuild_guide import rebuild_guide
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.topology import Direction

KIND = "reprotect"
FENCE = "fence"
"""Only fence the returned side, so that its orphans can be counted while it is idle."""
_SUMMARIES = {
    FENCE: "Fence {back}, so that its orphans can be counted",
    ATTACH: "Attach {back} as the new standby of {survivor}",
    REPLAY: "Replay on {survivor} what only {back} has, then attach {back}",
    UNDO: "Undo on {back} what {survivor} never received, then attach {back}",
    REBUILD: "Rebuild {back} from {survivor}, then attach it",
}
_WRITING = frozenset({REPLAY, UNDO})
_AT_END = _WRITING | {REBUILD}
_AWAY = "rebuild_of_away"

REPROTECT_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_divergence_recorded,
    *NODE_CHECKS,
    check_incarnation,
    check_version,
    *LOG_CHECKS,
    check_channel_ends,
    check_channel_known,
    check_gtid_mode,
    refuse_auto_position,
    check_sites_connected,
    check_new_pair_reads,
    check_second_channel,
    check_unreachable_holders,
    check_returned_nodes_can_be_fenced,
    check_connection_name_free,
    *NEW_CHANNEL_CHECKS,
)

REPROTECT_FENCE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_divergence_recorded,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_returned_nodes_are_seen,
    check_survivor_takes_writes,
    check_returned_nodes_can_be_fenced,
    check_approval,
)
"""The fence alone only sets read_only, and orphans grow until then: what the channels would need is not asked for."""

REBUILD_OF_AWAY_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_divergence_recorded,
    check_reachable,
    check_identity,
    check_servers,
    check_primary,
    check_approval,
)
"""Of the survivor alone: the plan is refused with its guide until the side is back, and its nodes tell nothing."""


def decide(
    ctx: CheckContext,
    findings: Sequence[Finding],
    located: Sequence[Located],
    orphans: OrphanReport,
    *,
    replication_users: Mapping[str, str],
    options: Mapping[str, Any],
) -> Plan:
    """Turn facts, findings, orphans and located positions into a plan, ready or refused.

    The reverse position is located only where the side is attached as it is. After an undo the channel resumes at the
    end of the returned side's log.
    """
    back, survivor = ctx.link.standby, ctx.link.active
    way = str(options.get("orphans", ATTACH))
    everything = (
        *findings,
        *(position_finding(ctx, one) for one in located),
        *_way_findings(ctx, way, orphans, options),
        *(backlog_findings(ctx, located) if way == REBUILD else ()),
    )
    steps: tuple[Step, ...] = ()
    if not is_refused(everything):
        try:
            steps = _steps(ctx, way, located, orphans, replication_users, options)
        except DialectError as error:
            everything = (*everything, unsupported_move(error))
    source, replica = ctx.pair
    plan = Plan(
        kind=KIND,
        link_id=ctx.link.id,
        link_name=ctx.link.name,
        created_at_s=ctx.now_s,
        summary=_SUMMARIES[way].format(back=back.name, survivor=survivor.name),
        findings=everything,
        positions=tuple(position_json(ctx, one) for one in located),
        loss=loss_of(ctx, way, orphans, skip_conflicts=bool(options.get("skip_conflicts"))),
        steps=steps,
        fingerprint=fingerprint(ctx.link, (source.node.id, replica.node.id)),
        target=pair_target(ctx) | roles_target(survivor, back),
        options=dict(options),
        situation={
            "sentence": f"{back.name} was lost in a failover and is reachable again. {survivor.name} is the only "
            f"active side until {back.name} is attached.",
            "old_source_name": "",
            "old_replica_name": "",
            "lost": [node.node.name for node in back.nodes if not node.is_up],
            "orphans": orphans.to_json(),
        }
        | ({"guide": rebuild_guide(ctx, options.get("source_node"))} if way == REBUILD else {}),
    )
    return plan if way == FENCE else with_semi_sync(plan, ctx.link, ctx.may_set_semi_sync)


def before_the_return(ctx: CheckContext, way: str) -> CheckContext | None:
    """The context of the survivor alone, where the side is to be rebuilt and no node of it is back; else None.

    That plan is always refused (`rebuild_by_hand`), and shows how the copy is made.
    """
    back = returned_side(ctx.link)
    is_away = way == REBUILD and back is not None and back.kind is Incarnation.AWAY
    return replace(ctx, focus=(ctx.pair[0],)) if is_away else None


def requests_for(ctx: CheckContext, way: str, options: Mapping[str, Any] | None = None) -> tuple[LocateRequest, ...]:
    """The positions to be located for an option `orphans`; none where the side does not fit that option."""
    if way == FENCE or any(wrong_action_findings(ctx)) is not (way == REBUILD):
        return ()
    asked = tuple(_without_stale_relay(ctx, question) for question in locate_requests(ctx.moves))
    if way == ATTACH:
        return asked
    forward = tuple(q for q in asked if q.direction is Direction.FORWARD)
    if way != REBUILD:
        return forward
    chosen = options or {}
    return tuple(replace(q, backup=str(chosen[BACKUP])) for q in forward) if is_attachable(ctx, chosen) else ()


def _without_stale_relay(ctx: CheckContext, question: LocateRequest) -> LocateRequest:
    return question if has_trusted_relay(ctx, question.holder_id) else replace(question, holder_id=None)


def has_trusted_relay(ctx: CheckContext, holder_id: str | None) -> bool:
    """Whether a channel's own position may be used as evidence.

    A replica that was killed may return with a position behind its data (observed on MariaDB 10.11.19). Where it
    started after the failover its own position is left out, and content decides together with the journal.
    """
    divergence = ctx.link.divergence
    if holder_id is None or divergence is None:
        return True
    uptime_s = ctx.link.node(holder_id).uptime_s
    return uptime_s is not None and ctx.now_s - uptime_s < divergence.at_s


def _way_findings(
    ctx: CheckContext, way: str, orphans: OrphanReport, options: Mapping[str, Any]
) -> tuple[Finding, ...]:
    if way == FENCE:
        return ()
    skips = bool(options.get("skip_conflicts"))
    back = ctx.link.standby
    is_open = [n.node.name for n in back.nodes if n.is_up and (n.variable("read_only") or "").upper() != "ON"]
    is_growing = bool(is_open) and orphans.state in ("unknown", "found") and not any(wrong_action_findings(ctx))
    found: tuple[Finding, ...] = ()
    if not (is_growing and orphans.state == "unknown"):
        found = orphans.findings(way, skip_conflicts=skips, accepts_loss=ctx.accepts_loss)
    found += tuple(rebuild_findings(ctx, options) if way == REBUILD else wrong_action_findings(ctx))
    if way in _WRITING and not options.get("probe", True):
        found += (
            Finding(
                "probe_needed",
                Severity.BLOCKER,
                f"Without a probe nothing shows that {ctx.link.active.name} replicates from {back.name} after the "
                "undo. A later move would start at the divergence point and replicate the orphans.",
                "Plan again with the probe.",
                {"option": "probe"},
            ),
        )
    if is_growing or (way in _WRITING and is_open):
        found = (_still_open(back.name, is_open), *found)
    return found


def _still_open(back: str, names: list[str]) -> Finding:
    return Finding(
        "returned_side_open",
        Severity.BLOCKER,
        f"{back} is still writable on {', '.join(names)}. Its orphans increase while they are counted or handled.",
        f"Fence {back} first, and nothing else. Attach, replay, undo and rebuild are available once it is fenced and "
        "its orphans are counted.",
        {"nodes": names, "option": "orphans=fence"},
    )


def _steps(
    ctx: CheckContext,
    way: str,
    located: Sequence[Located],
    orphans: OrphanReport,
    replication_users: Mapping[str, str],
    options: Mapping[str, Any],
) -> tuple[Step, ...]:
    steps = StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    fence_steps(steps, ctx.link.standby, stays=True)
    if way == FENCE:
        return tuple(steps.steps)
    probed = bool(options.get("probe", True))
    for move in ctx.moves:
        stop_steps(steps, ctx, move)
    by_direction = {one.direction: one for one in located}
    forward, reverse = (move_of(ctx, direction) for direction in (Direction.FORWARD, Direction.REVERSE))
    if way == ATTACH:
        verify_no_orphans_step(steps, ctx, reverse)
    for one in located:
        move = move_of(ctx, one.direction)
        holder_id = move.holder.replica.node.id if move.holder else None
        backup = str(options[BACKUP]) if way == REBUILD else None
        locate_step(steps, ctx, move, one, asks_holder=has_trusted_relay(ctx, holder_id), backup=backup)
    first_change = len(steps.steps)
    if way in _WRITING:
        orphan_steps(steps, ctx, way, orphans, options)
    if way in _AT_END:
        locate_log_end_step(steps, reverse, is_copy=way == REBUILD)
        by_direction[Direction.REVERSE] = located_at_end(reverse, ctx)
    for move in ctx.moves:
        clean_steps(steps, ctx, move)
    # before the first channel from it exists: that would count as one of an invalidated side
    back = ctx.link.standby
    steps.add("reconcile", f"{back.name} may be a source again", cluster_id=back.id)
    for move in ctx.moves:
        point_step(steps, ctx, move, by_direction[move.direction], replication_users)
    for move in (forward, reverse):
        start_step(steps, ctx, move)
    limits = probes_of(ctx, by_direction[Direction.FORWARD] if way == REBUILD else None) if probed else {}
    for move in ctx.moves:
        if move.direction in limits:
            probe_step(steps, ctx, move, **limits[move.direction])
    steps.add(
        "attach", f"{back.name} is the standby side: any plan may move its channels", cluster_id=back.id, side=back.name
    )
    steps.add(
        "verify",
        "Check continuity at the resume position, read the options back, look for a stray channel",
        pair=[node.node.id for node in ctx.pair],
        name=ctx.link.channel_name,
        probed=len(limits) == len(ctx.moves),
    )
    planned = steps.steps
    planned[first_change] = replace(planned[first_change], point_of_no_return=True)
    return tuple(planned)


def _way(ctx: CheckContext, options: Options) -> str:
    way = str(options.get("orphans", ATTACH))
    return _AWAY if before_the_return(ctx, way) else way


def _in_context(ctx: CheckContext, options: Options, facts: PlanFacts) -> CheckContext:
    del facts
    return before_the_return(ctx, str(options.get("orphans", ATTACH))) or ctx


def _decide(given: Given) -> Plan:
    options = given.options
    orphans = given.facts.orphans(given.ctx, str(options.get("orphans", ATTACH)), options.get("conflict_decisions", ()))
    users = given.facts.replication_users()
    return decide(given.ctx, given.findings, given.located, orphans, replication_users=users, options=options)


PLAN_KIND = PlanKind(
    kind=KIND,
    done="attached {standby} to {active} again as the standby side of {link}",
    to_do="attach {standby} to {active} again as the standby side of {link}",
    is_emergency=True,
    proves_continuity=True,
    is_rehearsed=True,
    checks=REPROTECT_CHECKS,
    ways={FENCE: REPROTECT_FENCE_CHECKS, _AWAY: REBUILD_OF_AWAY_CHECKS},
    way=_way,
    decide=_decide,
    chooses=PAIR,
    in_context=_in_context,
    waits_for_expulsion=True,
    findings=lambda ctx, options, facts: facts.copied_accounts(ctx.link) if options.get("orphans") == REBUILD else (),
    is_probed=lambda _ctx, options, _facts: options.get("orphans") != FENCE,
    requests=lambda ctx, options: requests_for(ctx, str(options.get("orphans", ATTACH)), options),
)

"""Reprotect: the side that was lost is back; its orphans are dealt with, then it is attached as the new standby.

The side is fenced before anything is decided, so that what was counted is all there is. Both
channels are then pointed anew, as in a relocate, at positions proven by content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.dialects.base import DialectError
from backend.core.findings import Finding, Severity, is_refused
from backend.core.fingerprint import fingerprint
from backend.core.locate.model import Located
from backend.core.plan import Plan, Step
from backend.core.plans.fencing import fence_steps
from backend.core.plans.relocate_steps import (
    clean_steps,
    locate_step,
    point_step,
    probe_step,
    start_step,
    stop_steps,
)
from backend.core.plans.shown import move_of, not_expressible, position_finding, position_json
from backend.core.plans.step_list import StepList
from backend.core.topology import Direction

KIND = "reprotect"


def decide(
    ctx: CheckContext,
    findings: Sequence[Finding],
    located: Sequence[Located],
    *,
    replication_users: Mapping[str, str],
    options: Mapping[str, Any],
) -> Plan:
    """Turn facts, findings and located positions into a plan, ready or refused."""
    back, survivor = ctx.link.standby, ctx.link.active
    everything = (*findings, *(position_finding(ctx, one) for one in located), *_orphans(ctx, located))
    by_direction = {one.direction: one for one in located}
    steps: tuple[Step, ...] = ()
    if not is_refused(everything) and len(by_direction) == len(ctx.moves):
        try:
            steps = _steps(ctx, by_direction, replication_users, probed=bool(options.get("probe", True)))
        except DialectError as error:
            everything = (*everything, not_expressible(error))
    source, replica = ctx.pair
    return Plan(
        kind=KIND,
        link_id=ctx.link.id,
        link_name=ctx.link.name,
        created_at_s=ctx.now_s,
        summary=f"Attach {back.name} as the new standby of {survivor.name}",
        findings=everything,
        positions=tuple(position_json(ctx, one) for one in located),
        loss={
            "transactions": 0,
            "seconds": 0,
            "detail": f"{survivor.name} keeps everything and goes on taking writes.",
        },
        steps=steps,
        fingerprint=fingerprint(ctx.link, (source.node.id, replica.node.id)),
        target={
            "source_node": source.node.id,
            "source_name": source.node.name,
            "replica_node": replica.node.id,
            "replica_name": replica.node.name,
            "active_cluster": survivor.id,
            "active_name": survivor.name,
            "standby_cluster": back.id,
            "standby_name": back.name,
        },
        options=dict(options),
        situation={
            "sentence": f"{back.name} was lost in a failover and is back. {survivor.name} takes writes alone until "
            f"{back.name} is attached again.",
            "old_source_name": "",
            "old_replica_name": "",
            "lost": [node.node.name for node in back.nodes if not node.is_up],
        },
    )


def _orphans(ctx: CheckContext, located: Sequence[Located]) -> list[Finding]:
    """What stands on the returned side behind the last that the survivor has of it."""
    back, survivor = ctx.link.standby, ctx.link.active
    found = []
    for one in located:
        if one.direction is not Direction.REVERSE or not one.is_proven:
            continue
        if not one.next_groups:
            found.append(
                Finding("no_orphans", Severity.OK, f"{survivor.name} has everything {back.name} ever wrote.", facts={})
            )
            continue
        found.append(
            Finding(
                "orphans_found",
                Severity.BLOCKER,
                f"{back.name} holds transactions that {survivor.name} never received.",
                "Look at them on the Orphans page, then choose to replay, undo or rebuild.",
                {"first": one.next_groups[0].to_json()},
            )
        )
    return found


def _steps(
    ctx: CheckContext, located: Mapping[Direction, Located], replication_users: Mapping[str, str], *, probed: bool
) -> tuple[Step, ...]:
    back, survivor, name = ctx.link.standby, ctx.link.active, ctx.link.channel_name
    out = StepList()
    out.add("recheck", "Read both sides again, compare with the plan")
    fence_steps(out, back)
    for move in ctx.moves:
        stop_steps(out, ctx, move)
    reverse = move_of(ctx, Direction.REVERSE)
    out.add(
        "no_orphans",
        f"Show that {back.name} holds nothing that {survivor.name} never received",
        reverse.source,
        direction=Direction.REVERSE.value,
        side=back.name,
        source_node_id=reverse.source.node.id,
        replica_node_id=reverse.replica.node.id,
        holder_id=None,
        is_moving=False,
        limit_s=3,
    )
    for move in ctx.moves:
        locate_step(out, ctx, move, located[move.direction])
    first_change = len(out.steps)
    for move in ctx.moves:
        clean_steps(out, ctx, move)
    for move in ctx.moves:
        point_step(out, ctx, move, located[move.direction], replication_users)
    for move in ctx.moves:
        start_step(out, ctx, move)
    for move in ctx.moves:
        if probed:
            probe_step(out, ctx, move)
    out.add(
        "verify",
        "Compare the seam, read the options back, look for a second channel",
        pair=[node.node.id for node in ctx.pair],
        name=name,
        probed=probed,
    )
    out.add("reconcile", f"{back.name} may be a source again", cluster_id=back.id)
    steps = out.steps
    steps[first_change] = replace(steps[first_change], point_of_no_return=True)
    return tuple(steps)

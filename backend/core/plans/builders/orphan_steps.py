"""The steps of a reprotect that replay and undo orphans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.core.checks.context import CheckContext, Move
from backend.core.orphans.report import (
    REPLAY,
    UNDO,
    OrphanReport,
    replay_params,
    shown_sql,
    undo_params,
)
from backend.core.plans.builders.step_list import StepList
from backend.core.plural import pluralize
from backend.core.topology import Direction


def verify_no_orphans_step(steps: StepList, ctx: CheckContext, reverse: Move) -> None:
    back, survivor = ctx.link.standby, ctx.link.active
    steps.add(
        "verify_no_orphans",
        f"Check that {back.name} holds nothing that {survivor.name} never received",
        reverse.source,
        direction=Direction.REVERSE.value,
        side=back.name,
        source_node_id=reverse.source.node.id,
        replica_node_id=reverse.replica.node.id,
        holder_id=None,
        is_moving=False,
        limit_s=3,
    )


def orphan_steps(
    steps: StepList, ctx: CheckContext, way: str, orphans: OrphanReport, options: Mapping[str, Any]
) -> None:
    """Replay on the survivor, undo on the returned side. Both are equal then: its log's end is the resume position."""
    survivor, back = ctx.pair
    count = pluralize(orphans.transactions, "transaction")
    skips = bool(options.get("skip_conflicts"))
    if way == REPLAY:
        params = replay_params(orphans, skip_conflicts=skips)
        title = f"{survivor.node.name}: replay {count} that only {ctx.link.standby.name} has"
        steps.add("replay", title, survivor, sql=shown_sql(orphans, REPLAY), **params)
    title = f"{back.node.name}: undo {count}, last first, each row compared"
    params = undo_params(orphans, survivor.node.id, replays=way == REPLAY, skip_conflicts=skips)
    steps.add("undo_orphans", title, back, sql=shown_sql(orphans, UNDO), **params)

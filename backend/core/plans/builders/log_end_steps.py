"""A channel that begins at the end of its source's log: the source is fenced, and the other side has all of it."""

from __future__ import annotations

from backend.core.checks.context import CheckContext, Move
from backend.core.locate.model import Located
from backend.core.plans.builders.gtid_steps import uses_gtid
from backend.core.plans.builders.step_list import StepList


def locate_log_end_step(steps: StepList, move: Move, *, is_copy: bool) -> None:
    """The channel begins at the log's end; a copy must have written nothing of its own up to there."""
    name = move.replica.node.name
    steps.add(
        "locate_log_end",
        f"Read the end of the binary log of {move.source.node.name}: the channel to {name} resumes there",
        move.source,
        direction=move.direction.value,
        source_node_id=move.source.node.id,
        replica_node_id=move.replica.node.id,
        uses_gtid=uses_gtid(move),
        is_copy=is_copy,
    )


def located_at_end(move: Move, ctx: CheckContext) -> Located:
    """The position of that channel, which is known only within the run."""
    return Located(
        direction=move.direction,
        node_id=move.source.node.id,
        node=move.source.node.name,
        receiving=ctx.link.receiving_cluster(move.direction).name,
        read_from=move.replica.node.name,
        position=None,
        seqno=None,
        gtid=None,
        is_proven=False,
        reasons=(),
        evidence=(),
        facts={"at_end": True},
    )

"""What a plan shows of a located position: the sentence, the two columns, the evidence."""

from __future__ import annotations

from typing import Any

from backend.core.checks.context import CheckContext, Move
from backend.core.locate.model import SHOWN_GROUPS, Located
from backend.core.plans.target import is_still
from backend.core.topology import Direction


def move_of(ctx: CheckContext, direction: Direction) -> Move:
    return next(move for move in ctx.moves if move.direction is direction)


def is_late(ctx: CheckContext, located: Located) -> bool:
    """Whether the final position is only known once the channel has stopped."""
    return not is_still(move_of(ctx, located.direction))


def verdict_of(located: Located) -> str:
    """The sentence over the two columns of a proof."""
    if not located.is_proven:
        return f"Not proven: where {located.receiving} stands in {located.node}'s binary log cannot be told."
    upto = f"up to seqno {located.seqno:,}" if located.seqno is not None else "up to this point"
    return f"Proven: {located.receiving} has everything {upto}, and {located.node} continues right after it."


def position_json(ctx: CheckContext, located: Located) -> dict[str, Any]:
    move = move_of(ctx, located.direction)
    wsrep = move.source.wsrep
    waiting = None
    if wsrep is not None and located.seqno is not None:
        waiting = max(0, wsrep.last_committed - located.seqno)
    return {
        "direction": located.direction.value,
        "node": located.node_id,
        "node_name": located.node,
        "file": located.position.file if located.position else None,
        "position": located.position.offset if located.position else None,
        "gtid": located.gtid,
        "seqno": located.seqno,
        "proven": located.is_proven,
        "late": is_late(ctx, located),
        "verdict": verdict_of(located),
        "reasons": list(located.reasons),
        "evidence": [evidence.to_json() for evidence in located.evidence],
        "receiving_name": located.receiving,
        "read_from": located.read_from,
        "applied": [group.to_json() for group in located.applied[-SHOWN_GROUPS:]],
        "held": [group.to_json() for group in located.seam_groups[-SHOWN_GROUPS:]],
        "next": [group.to_json() for group in located.next_groups],
        "waiting": waiting,
        "elapsed_ms": located.facts.get("elapsed_ms"),
        "searched_events": located.searched_events,
        "from_checkpoint_age_s": located.facts.get("checkpoint_age_s"),
    }

"""What a plan shows of a located position: the sentence, the two columns, the evidence."""

from __future__ import annotations

from typing import Any

from backend.core.binlog.groups import Group
from backend.core.checks.context import CheckContext, Move
from backend.core.locate.model import SHOWN_GROUPS, Located
from backend.core.plans.target import is_stationary
from backend.core.topology import ClusterFacts, Direction


def move_of(ctx: CheckContext, direction: Direction) -> Move:
    return next(move for move in ctx.moves if move.direction is direction)


def is_at_log_end(located: Located) -> bool:
    """Whether the channel resumes at the end of a fenced side's log, after everything of its own."""
    return bool(located.facts.get("at_end"))


def is_proven_by_rows(located: Located) -> bool:
    """Whether the receiving side's rows show what it holds: a copy has it in its tables, not in its log."""
    return bool(located.facts.get("by_rows"))


def _received(located: Located) -> tuple[Group, ...]:
    """The groups of the stream that the receiving side holds; rows that were not found there show nothing."""
    if is_proven_by_rows(located):
        return located.source_groups[-SHOWN_GROUPS:] if located.is_proven else ()
    return located.applied[-SHOWN_GROUPS:]


def _of_source(located: Located) -> tuple[Group, ...]:
    return located.source_groups if is_proven_by_rows(located) else located.seam_groups


def is_provisional(ctx: CheckContext, located: Located) -> bool:
    """Whether the final position is only known once the channel has stopped."""
    return is_at_log_end(located) or not is_stationary(move_of(ctx, located.direction))


def verdict_of(located: Located) -> str:
    """The sentence above the two columns of a proof."""
    if not located.is_proven:
        position = f"the position of {located.receiving} in the binary log of {located.node}"
        return f"Not proven: {position} could not be determined."
    upto = f"up to seqno {located.seqno:,}" if located.seqno is not None else "up to this position"
    applied = f"{located.receiving} has applied everything {upto}"
    return f"Proven: {applied}; replication resumes on {located.node} right after it."


def position_json(ctx: CheckContext, located: Located) -> dict[str, Any]:
    move = move_of(ctx, located.direction)
    wsrep = move.source.wsrep
    backlog = None
    if wsrep is not None and located.seqno is not None:
        backlog = max(0, wsrep.last_committed - located.seqno)
    return {
        "direction": located.direction.value,
        "node": located.node_id,
        "node_name": located.node,
        "file": located.position.file if located.position else None,
        "position": located.position.offset if located.position else None,
        "gtid": located.gtid,
        "seqno": located.seqno,
        "proven": located.is_proven,
        "provisional": is_provisional(ctx, located),
        "verdict": verdict_of(located),
        "reasons": list(located.reasons),
        "evidence": [evidence.to_json() for evidence in located.evidence],
        "receiving_name": located.receiving,
        "receiver_node": located.read_from,
        "receiver_groups": [group.to_json() for group in _received(located)],
        "source_groups": [group.to_json() for group in _of_source(located)[-SHOWN_GROUPS:]],
        "following_groups": [group.to_json() for group in located.next_groups],
        "backlog": backlog,
        "elapsed_ms": located.facts.get("elapsed_ms"),
        "searched_events": located.searched_events,
        "from_checkpoint_age_s": located.facts.get("checkpoint_age_s"),
    }


def pair_target(ctx: CheckContext) -> dict[str, str]:
    """The nodes that a plan uses."""
    source, replica = ctx.pair
    return {
        "source_node": source.node.id,
        "source_name": source.node.name,
        "replica_node": replica.node.id,
        "replica_name": replica.node.name,
    }


def roles_target(active: ClusterFacts, standby: ClusterFacts) -> dict[str, str]:
    """The active and the standby side after a plan has run."""
    return {
        "active_cluster": active.id,
        "active_name": active.name,
        "standby_cluster": standby.id,
        "standby_name": standby.name,
    }

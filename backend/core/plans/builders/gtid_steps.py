"""The step that a channel in GTID mode adds to a move: its position is set by a statement of its own."""

from __future__ import annotations

from backend.core.checks.context import CheckContext, Move
from backend.core.dialects import dialect_of
from backend.core.dialects.base import DialectError, FromGtidSlavePos, GtidPlaceholder, PositionPlaceholder
from backend.core.locate.model import Located
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.presentation import is_at_log_end, is_provisional
from backend.core.positions import FilePosition, MariadbGtidSet


def uses_gtid(move: Move) -> bool:
    """Whether the direction's channel takes its position from the server's own GTIDs, not from a file."""
    return move.channel is not None and move.channel.using_gtid.lower() != "no"


def has_auto_position(move: Move) -> bool:
    """Whether these GTIDs are the set of all that it has executed, which no statement sets."""
    return move.channel is not None and move.channel.uses_auto_position


def resume_from(
    ctx: CheckContext, move: Move, located: Located
) -> FilePosition | PositionPlaceholder | FromGtidSlavePos:
    """The position in CHANGE MASTER: none in GTID mode, else the position or its placeholder."""
    if uses_gtid(move):
        return FromGtidSlavePos()
    if is_provisional(ctx, located):
        return PositionPlaceholder(located.direction)
    assert located.position is not None
    return located.position


def gtid_position_step(steps: StepList, ctx: CheckContext, move: Move, located: Located) -> None:
    """Set the applied GTIDs of the new replica, in all domains, before its channel starts from them."""
    found = located.facts.get("gtid_position")
    if found is None and not is_provisional(ctx, located):
        raise DialectError(f"no GTID position was found for the {move.direction} channel")
    known = None if is_provisional(ctx, located) else MariadbGtidSet.parse(str(found))
    is_strict = (move.replica.variable("gtid_strict_mode") or "").upper() in ("ON", "1")
    position = GtidPlaceholder(move.direction) if known is None else known
    steps.add(
        "set_gtid_position",
        f"{move.replica.node.name}: set gtid_slave_pos to the proven position of the {move.direction} channel",
        move.replica,
        sql=(dialect_of(move.replica).set_gtid_position(position, is_strict=is_strict),),
        direction=move.direction.value,
        name=ctx.link.channel_name,
        source_node_id=move.source.node.id,
        source_domain=int(move.source.variable("wsrep_gtid_domain_id") or 0),
        is_strict=is_strict,
        skips=is_at_log_end(located),
        planned=None if known is None else str(known),
    )

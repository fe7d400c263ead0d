"""Checks of channels with SOURCE_AUTO_POSITION=1, and of the loop guard that goes with gtid_mode=ON.

A relocate decides by sets of GTIDs beside the position (`locate.auto_position`). A plan that resumes a channel where it
stopped, or attaches a returned side, does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.checks.context import CheckContext, Move
from backend.core.facts.variables import how_to_read
from backend.core.findings import Finding, Severity
from backend.core.plural import pick
from backend.core.topology import NodeFacts

_ON = "ON"
_NEEDED = ("gtid_mode", "server_uuid")
_FAILS_OVER = "SOURCE_CONNECTION_AUTO_FAILOVER"


def guards_by_gtid(replica: NodeFacts) -> bool:
    """Whether its channels must not list ignored server_ids (3139): it skips its own transactions by their GTIDs."""
    return replica.variable("gtid_mode") == _ON


def check_auto_position(ctx: CheckContext) -> Iterator[Finding]:
    """With sets of GTIDs, as a position or as the loop guard, every node of both sides must log GTIDs."""
    by_set = [move for move in ctx.moves if _uses_sets(move)]
    if not by_set and not any(guards_by_gtid(move.replica) for move in ctx.moves):
        return
    live = [node for node in ctx.link.nodes if node.is_up]
    found = [*_gtid_modes(live), *(finding for move in by_set for finding in _own_failover(move))]
    yield from found
    if by_set and not found:
        names = " and ".join(move.direction for move in by_set)
        yield Finding(
            "gtid_auto_position",
            Severity.OK,
            f"The {names} {pick(len(by_set), 'channel uses', 'channels use')} SOURCE_AUTO_POSITION=1, and every node "
            "logs GTIDs. What the new source would send is decided with the position.",
            facts={node.node.name: node.variable("server_uuid") for node in live},
        )


def refuse_auto_position(ctx: CheckContext) -> Iterator[Finding]:
    """A plan of this kind proves a position in a log, which such a channel does not use."""
    for move in ctx.moves:
        if _uses_sets(move):
            yield Finding(
                "channel_uses_gtid",
                Severity.BLOCKER,
                f"The {move.direction} channel uses SOURCE_AUTO_POSITION=1. This kind of plan proves a position by "
                "file and offset, which such a channel does not use. Only a relocate decides by sets of GTIDs.",
                "Relocate the link onto the same or other nodes. Or set SOURCE_AUTO_POSITION=0 on the channel while it "
                "is healthy.",
                {"using_gtid": move.channel.using_gtid if move.channel else None},
            )


def _uses_sets(move: Move) -> bool:
    return move.channel is not None and move.channel.uses_auto_position


def _gtid_modes(live: Sequence[NodeFacts]) -> Iterator[Finding]:
    unread = {node.node.name: [v for v in _NEEDED if node.variable(v) is None] for node in live}
    for name, variables in unread.items():
        if variables:
            yield Finding(
                "gtid_set_unknown",
                Severity.UNKNOWN,
                f"{' and '.join(variables)} of {name} {pick(len(variables), 'is', 'are')} unknown.",
                how_to_read(name, variables),
                {"variables": variables},
            )
    off = [node.node.name for node in live if node.variable("gtid_mode") not in (None, _ON)]
    if off:
        yield Finding(
            "gtid_mode_off",
            Severity.BLOCKER,
            f"gtid_mode is not ON on {', '.join(off)}. What it writes has no GTID, so that sets neither tell what was "
            "applied nor keep a transaction from returning to its origin.",
            "Set gtid_mode=ON on every node of both sides.",
            {"nodes": off},
        )


def _own_failover(move: Move) -> Iterator[Finding]:
    """The server itself would move the channel, to any source of its list and without a proof."""
    if move.channel is not None and move.channel.options.get(_FAILS_OVER) in ("1", "YES"):
        yield Finding(
            "channel_fails_over_itself",
            Severity.BLOCKER,
            f"The {move.direction} channel has {_FAILS_OVER}=1: its server itself may point it at another source, "
            "unproven, while this plan runs or after it.",
            f"Set {_FAILS_OVER}=0 on the channel.",
            {"direction": move.direction.value},
        )

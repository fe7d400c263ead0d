"""Findings about located positions: whether one is proven, and why a move cannot be written as SQL."""

from __future__ import annotations

from backend.core.checks.context import CheckContext
from backend.core.dialects.base import DialectError
from backend.core.findings import Finding, Severity
from backend.core.locate.model import Located
from backend.core.plans.presentation import is_provisional

_OTHER_WAYS = (
    "Choose another source or replica node, or find the transaction by hand (Lookup). While both sides are up, "
    "remove_channels and create_channels compare their tables and begin anew."
)


def position_finding(ctx: CheckContext, located: Located) -> Finding:
    """The finding that says whether a located position may be used."""
    facts = {"direction": located.direction.value, "node": located.node, "position": str(located.position)}
    if located.is_proven:
        note = "; it is provisional and proven again after the stop" if is_provisional(ctx, located) else ""
        return Finding(
            "position_proven",
            Severity.OK,
            f"The {located.direction} position on {located.node} is proven{note}.",
            facts=facts,
        )
    code = located.facts.get("code", "position_not_proven")
    return Finding(
        "binlog_purged" if code == "purged" else str(code),
        Severity.BLOCKER,
        f"The {located.direction} position on {located.node} is not proven. " + " ".join(located.reasons),
        str(located.facts.get("remedy", _OTHER_WAYS)),
        facts,
    )


def unsupported_move(error: DialectError) -> Finding:
    """Why a move cannot be expressed for this server."""
    return Finding(
        "not_expressible",
        Severity.BLOCKER,
        f"The move cannot be expressed in statements of this server: {error}.",
        "Change the channel's settings while it is healthy, or move the channel by hand.",
    )

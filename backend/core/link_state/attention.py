"""What of a link needs a person, the most urgent first: what a list of many links is ordered by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from backend.core.plural import pluralize


class Attention(StrEnum):
    """Why a person is needed. The order of the members is the order of urgency."""

    DIVERGED = "diverged"
    RUN_NEEDS_OPERATOR = "run_needs_operator"
    LINK_DOWN = "link_down"
    APPROVAL_WAITING = "approval_waiting"
    NOT_OBSERVED = "not_observed"
    FAILOVER_BLOCKED = "failover_blocked"
    FAILOVER_UNKNOWN = "failover_unknown"
    DEGRADED = "degraded"
    UNPROVEN = "unproven"
    REHEARSAL_FAILED = "rehearsal_failed"
    REHEARSAL_OVERDUE = "rehearsal_overdue"


URGENCY: Final = {reason: rank for rank, reason in enumerate(Attention)}
CALM: Final = len(URGENCY)
"""The rank of a link that needs no person: behind all others."""

_DOWN: Final = frozenset({"broken", "unprotected", "failed_over"})
_DURING_MAINTENANCE: Final = frozenset({Attention.DIVERGED, Attention.RUN_NEEDS_OPERATOR, Attention.APPROVAL_WAITING})
"""What waits for a person although an operator announced to be working on the link."""


@dataclass(frozen=True, slots=True)
class AttentionReason:
    """Why the link needs a person."""

    code: Attention
    sentence: str


@dataclass(frozen=True, slots=True)
class LinkSummary:
    """What is known of a link. `state` is also "unknown" while no monitor runs; `readiness` is by operation.

    `failed_rehearsals` and `overdue_rehearsals` name operations; `run_state` is that of the unfinished run.
    """

    state: str
    sentence: str
    is_diverged: bool = False
    is_in_maintenance: bool = False
    run_state: str | None = None
    readiness: Mapping[str, str] = field(default_factory=dict)
    failed_rehearsals: Sequence[str] = ()
    overdue_rehearsals: Sequence[str] = ()


def attention(link: LinkSummary) -> tuple[AttentionReason, ...]:
    """All reasons, the most urgent first; none where the link needs no person."""
    found = sorted(_reasons(link), key=lambda reason: URGENCY[reason.code])
    if link.is_in_maintenance:
        return tuple(reason for reason in found if reason.code in _DURING_MAINTENANCE)
    return tuple(found)


def urgency_of(reasons: Sequence[AttentionReason]) -> int:
    """The rank of the link among others: the smaller, the more urgent."""
    return min((URGENCY[reason.code] for reason in reasons), default=CALM)


def _reasons(link: LinkSummary) -> Iterator[AttentionReason]:
    if link.is_diverged:
        yield AttentionReason(Attention.DIVERGED, link.sentence)
    if link.run_state == "needs_operator":
        yield AttentionReason(Attention.RUN_NEEDS_OPERATOR, "A run stopped and waits for an operator.")
    if link.run_state == "waiting_approval":
        yield AttentionReason(Attention.APPROVAL_WAITING, "A run waits for the approval of a second person.")
    yield from _state_reasons(link)
    yield from _rehearsal_reasons(link)


def _state_reasons(link: LinkSummary) -> Iterator[AttentionReason]:
    """Of a link that is down the readiness is not told as well, it follows from that; nor twice that it diverged."""
    if link.state == "unknown":
        yield AttentionReason(Attention.NOT_OBSERVED, link.sentence)
    elif link.state in _DOWN:
        if not link.is_diverged:
            yield AttentionReason(Attention.LINK_DOWN, link.sentence)
    else:
        yield from _readiness_reasons(link)
        if link.state in (Attention.DEGRADED, Attention.UNPROVEN):
            yield AttentionReason(Attention(link.state), link.sentence)


def _readiness_reasons(link: LinkSummary) -> Iterator[AttentionReason]:
    """A readiness that was never stated is unknown, and unknown never passes."""
    failover = link.readiness.get("failover", "unknown")
    if failover == "blocked":
        yield AttentionReason(Attention.FAILOVER_BLOCKED, "A failover is not possible now.")
    elif failover != "ready":
        yield AttentionReason(Attention.FAILOVER_UNKNOWN, "It is unknown whether a failover is possible.")


def _rehearsal_reasons(link: LinkSummary) -> Iterator[AttentionReason]:
    if link.failed_rehearsals:
        yield AttentionReason(
            Attention.REHEARSAL_FAILED, f"The last rehearsal failed: {', '.join(link.failed_rehearsals)}."
        )
    if link.overdue_rehearsals:
        count = pluralize(len(link.overdue_rehearsals), "scheduled rehearsal")
        yield AttentionReason(Attention.REHEARSAL_OVERDUE, f"{count} overdue: {', '.join(link.overdue_rehearsals)}.")

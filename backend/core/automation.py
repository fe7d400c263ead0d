"""Decides from observations over time whether a link may be relocated automatically now; the caller passes the time.

It is off unless a link opts in. It acts only on a loss that every observation confirmed for the set time. One
observation with an unknown, or with the node up, restarts that time. It never acts while a run is unfinished, nor twice
within its block time unless an operator acknowledged the first act.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from backend.core.findings import Finding, Severity
from backend.core.plural import pick

MAX_GAP_S = 20.0
"""Observations further apart than this confirm nothing: the state between them is unknown."""
IGNORED_FINDINGS = frozenset(
    {"auto_increment_unknown", "auto_increment_overlap", "clock_skew", "connection_not_verified"}
)
"""Warnings that need no attestation: the move does not depend on them."""


class Mode(StrEnum):
    """How far the automatic relocate may go."""

    OFF = "off"
    PROPOSE = "propose"
    EXECUTE = "execute"


class Action(StrEnum):
    """What to do now."""

    NOTHING = "nothing"
    PROPOSE = "propose"
    EXECUTE = "execute"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a link allows; both times in seconds."""

    mode: Mode
    loss_for_s: float
    block_s: float


@dataclass(frozen=True, slots=True)
class LostEndpoint:
    """A node with one of the link's channels that is known to be down since then (Unix time of the polls)."""

    node_id: str
    name: str
    since_s: float


@dataclass(frozen=True, slots=True)
class Observation:
    """One observation of a link. `unknowns` are sentences; a single one forbids everything."""

    at_s: float
    lost: tuple[LostEndpoint, ...] = ()
    unknowns: tuple[str, ...] = ()
    relocate: str = "ready"
    unfinished_run: str | None = None


@dataclass(frozen=True, slots=True)
class WatchState:
    """What is stored between observations. `lost_since_s`: per node, since when every one confirmed its loss."""

    seen_at_s: float | None = None
    lost_since_s: Mapping[str, float] = field(default_factory=dict)
    acted_at_s: float | None = None
    acknowledged_at_s: float | None = None
    retry_at_s: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, why, and what to store of this observation."""

    act: Action
    reason: str
    memory: WatchState


def decide(policy: Policy, memory: WatchState, sight: Observation) -> Decision:
    """Judge one observation; the caller sets `acted_at_s` after it acted."""
    watched = _watch(memory, sight)
    reason = _reason_against(policy, watched, sight)
    if reason:
        return Decision(Action.NOTHING, reason, watched)
    lasting_s = min(sight.at_s - watched.lost_since_s[end.node_id] for end in sight.lost)
    names = " and ".join(end.name for end in sight.lost)
    why = f"{names} {pick(len(sight.lost), 'has', 'have')} been down for {lasting_s:.0f} s, confirmed by every poll."
    return Decision(Action.EXECUTE if policy.mode is Mode.EXECUTE else Action.PROPOSE, why, watched)


def _watch(memory: WatchState, sight: Observation) -> WatchState:
    """Since when each loss was confirmed without a gap."""
    is_gap = memory.seen_at_s is None or not 0 <= sight.at_s - memory.seen_at_s <= MAX_GAP_S
    earlier = {} if is_gap else memory.lost_since_s
    since: dict[str, float] = {}
    if not sight.unknowns:
        for end in sight.lost:
            first = earlier.get(end.node_id, sight.at_s)
            since[end.node_id] = min(sight.at_s, max(first, end.since_s))
    return replace(memory, seen_at_s=sight.at_s, lost_since_s=since)


def _reason_against(policy: Policy, memory: WatchState, sight: Observation) -> str:
    """The first reason to do nothing; empty where there is none."""
    if policy.mode is Mode.OFF:
        return "Off."
    if sight.unknowns:
        return f"On hold because some state is unknown: {sight.unknowns[0]}"
    if not sight.lost:
        return "No node of the link's channels is down."
    if sight.unfinished_run is not None:
        return f"Run {sight.unfinished_run} is unfinished on this link."
    blocked = blocked_until_s(policy, memory)
    if blocked is not None and sight.at_s < blocked:
        return (
            f"Paused for {blocked - sight.at_s:.0f} s after the last automatic relocate, or until an operator "
            "acknowledges it."
        )
    for end in sight.lost:
        lasted = sight.at_s - memory.lost_since_s[end.node_id]
        if lasted < policy.loss_for_s:
            return f"{end.name} has been down for {lasted:.0f} of {policy.loss_for_s:.0f} s."
    if sight.relocate != "ready":
        return f"A relocate is {sight.relocate.replace('_', ' ')} now."
    if memory.retry_at_s is not None and sight.at_s < memory.retry_at_s:
        return f"The last plan could not be used. The next attempt is in {memory.retry_at_s - sight.at_s:.0f} s."
    return ""


def blocked_until_s(policy: Policy, memory: WatchState) -> float | None:
    """Until when the last automatic relocate blocks the next one; None where nothing blocks it."""
    acted, acknowledged = memory.acted_at_s, memory.acknowledged_at_s
    if acted is None or (acknowledged is not None and acknowledged >= acted):
        return None
    return acted + policy.block_s


def required_attestations(findings: Iterable[Finding]) -> str:
    """The finding of a ready plan that an operator must attest, which forbids an automatic run; empty where none."""
    for finding in findings:
        if finding.refuses or (finding.severity is Severity.WARNING and finding.code not in IGNORED_FINDINGS):
            return f"{finding.code}: {finding.message}"
    return ""

"""Derives a link's state, its sentence and the recommended operation from facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from backend.core.facts.channel_ends import hindrance, may_be_carried
from backend.core.facts.halves import is_split
from backend.core.facts.log_continuity import continuity_finding
from backend.core.facts.proven_stream import unproven_finding
from backend.core.facts.state_uuid import is_another_history
from backend.core.facts.unsettled import unsettled_trouble
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelState, DirectionView, view_direction
from backend.core.link_state.clusters import is_lost, is_serving, is_unseen
from backend.core.link_state.findings import link_findings
from backend.core.link_state.missing import Missing
from backend.core.link_state.readiness import PrimaryAction, primary_action, readiness
from backend.core.link_state.semi_sync import commits_that_wait
from backend.core.link_state.sentences import link_detail, link_sentence, setting_trouble
from backend.core.link_state.site_readiness import Readiness
from backend.core.link_state.split_sites import is_of_parts
from backend.core.link_state.standby_fence import takes_writes_on_standby
from backend.core.positions import FilePosition
from backend.core.topology import Direction


class LinkState(StrEnum):
    """How well the standby protects the active side."""

    PROTECTED = "protected"
    UNPROVEN = "unproven"
    """All that can be seen is sound, and the streams were not accounted for lately."""
    DEGRADED = "degraded"
    BROKEN = "broken"
    FAILED_OVER = "failed_over"
    UNPROTECTED = "unprotected"
    UNKNOWN = "unknown"


CONNECT_GRACE_S = 5.0
"""A reconnect takes less: connect_retry is one or two seconds on monitored links."""


@dataclass(frozen=True, slots=True)
class CleanupDue:
    """A node whose channel was moved while the node was unreachable."""

    node_id: str
    channel_name: str


@dataclass(frozen=True, slots=True)
class History:
    """What the console stored of a link: per direction, when it last replicated transactions (Unix time).

    `gaps` are what a replica lacks; where that is unknown, `at_least` is as many as were read of its source's side.
    `waits_for_position`: the position of a channel in its source's old log when that log was reset.
    """

    last_ok_s: Mapping[Direction, float] = field(default_factory=dict)
    gaps: Mapping[Direction, int | None] = field(default_factory=dict)
    at_least: Mapping[Direction, int | None] = field(default_factory=dict)
    cleanup_due: tuple[CleanupDue, ...] = ()
    waits_for_position: Mapping[Direction, FilePosition] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LinkView:
    """Everything that the console shows of a link at one moment."""

    state: LinkState
    sentence: str
    detail: str
    findings: tuple[Finding, ...]
    directions: tuple[DirectionView, ...]
    readiness: Mapping[str, Readiness]
    primary_action: PrimaryAction | None
    last_ok_s: Mapping[Direction, float]


def view_directions(link: LinkFacts, history: History, now_s: float) -> tuple[DirectionView, ...]:
    """Both directions of a link; the gaps of the history are no part of them."""
    seen = (view_direction(link, d) for d in (Direction.FORWARD, Direction.REVERSE))
    views = (_continuous(link, _left_behind(link, view, history), now_s) for view in seen)
    return tuple(_not_waiting_for_ever(link, view, history, now_s) for view in views)


def derive(link: LinkFacts, history: History, now_s: float) -> LinkView:
    """A link's view from its facts, its stored history, and the time."""
    directions = view_directions(link, history, now_s)
    last_ok = _last_ok(directions, history, now_s)
    state = _state(link, directions)
    missing = Missing(history.gaps.get(Direction.FORWARD), history.at_least.get(Direction.FORWARD))
    ready, action = readiness(link, directions, missing), primary_action(link, directions)
    findings = link_findings(link, directions, action, ready["relocate"]) + _due_findings(link, history)
    return LinkView(
        state=state,
        sentence=link_sentence(link, directions, last_ok, missing, now_s),
        detail=link_detail(link, directions),
        findings=findings,
        directions=directions,
        readiness=ready,
        primary_action=action,
        last_ok_s=last_ok,
    )


def _state(link: LinkFacts, directions: tuple[DirectionView, ...]) -> LinkState:
    forward, reverse = directions
    if link.divergence is not None:
        return LinkState.UNKNOWN if is_unseen(link.active) else LinkState.FAILED_OVER
    if is_unseen(link.active) or is_unseen(link.standby):
        return LinkState.UNKNOWN
    if any(is_lost(side) or is_split(side) for side in (link.active, link.standby)):
        return LinkState.BROKEN
    if forward.channel is None:
        is_carried = bool(may_be_carried(link, forward.direction))
        return LinkState.BROKEN if forward.strays else LinkState.UNKNOWN if is_carried else LinkState.UNPROTECTED
    if forward.channel.state is ChannelState.UNKNOWN:
        return LinkState.UNKNOWN
    if forward.channel.state is not ChannelState.RUNNING:
        return LinkState.BROKEN
    is_whole = (
        reverse.channel is not None
        and reverse.channel.state is ChannelState.RUNNING
        and not (forward.strays or reverse.strays)
        and hindrance(link) is None
        and not any(map(is_another_history, (link.active, link.standby)))
        and not any(is_of_parts(side, link.observed_at_s) for side in (link.active, link.standby))
        and not takes_writes_on_standby(link)
        and all(is_serving(node) for node in link.nodes)
        and setting_trouble(link, directions) is None
        and unsettled_trouble(link) is None
        and not commits_that_wait(link)
    )
    if not is_whole:
        return LinkState.DEGRADED
    return LinkState.PROTECTED if unproven_finding(link) is None else LinkState.UNPROVEN


def _last_ok(directions: tuple[DirectionView, ...], history: History, now_s: float) -> dict[Direction, float]:
    known = dict(history.last_ok_s)
    for view in directions:
        channel = view.channel
        if channel is not None and channel.state is ChannelState.RUNNING and channel.channel.io_running == "Yes":
            known[view.direction] = now_s
    return known


def _not_waiting_for_ever(link: LinkFacts, view: DirectionView, history: History, now_s: float) -> DirectionView:
    """A channel that has been connecting for longer than a reconnect takes is broken.

    The server shows no error meanwhile (observed with partitioned sites), so the flag alone would never show it.
    """
    channel = view.channel
    if channel is None or channel.state is not ChannelState.RUNNING or channel.channel.io_running == "Yes":
        return view
    waited_s = now_s - history.last_ok_s.get(view.direction, now_s)
    if waited_s <= CONNECT_GRACE_S:
        return view
    replica, source = (link.node(i).node.name for i in (channel.replica_node_id, channel.source_node_id))
    reason = f"{replica} has been trying to reach {source} for {int(waited_s)} s"
    return replace(view, channel=replace(channel, state=ChannelState.BROKEN, reason=reason))


def _left_behind(link: LinkFacts, view: DirectionView, history: History) -> DirectionView:
    """A channel whose source's log was reset shows no error, and skips what the source writes now.

    The channel resumes once the new log has grown past its position in the old one (observed on MariaDB 10.11.19;
    docs/evidence/measured-facts.md).
    """
    channel, position = view.channel, history.waits_for_position.get(view.direction)
    if channel is None or position is None:
        return view
    channel = replace(channel, waits_for_position=position)
    if channel.state is not ChannelState.RUNNING:
        return replace(view, channel=channel)
    replica, source = (link.node(i).node.name for i in (channel.replica_node_id, channel.source_node_id))
    reason = (
        f"the binary log of {source} was reset; {replica} still waits for {position} of the old log and skips every "
        "earlier event of the new one"
    )
    return replace(view, channel=replace(channel, state=ChannelState.BROKEN, reason=reason))


def _continuous(link: LinkFacts, view: DirectionView, now_s: float) -> DirectionView:
    """A channel that runs in another log than it has read so far shows no error and no lag, and leaves a gap."""
    channel, finding = view.channel, continuity_finding(link, view.direction, now_s)
    if channel is None or finding is None:
        return view
    channel = replace(channel, continuity=finding)
    if channel.state is not ChannelState.RUNNING:
        return replace(view, channel=channel)
    state = ChannelState.UNKNOWN if finding.severity is Severity.UNKNOWN else ChannelState.BROKEN
    reason = finding.message[0].lower() + finding.message[1:].rstrip(".")
    return replace(view, channel=replace(channel, state=state, reason=reason))


def _due_findings(link: LinkFacts, history: History) -> tuple[Finding, ...]:
    """Nodes to be cleaned up when they return. Once a node is back, the finding of its stray channel says so."""
    waiting = [link.node(due.node_id) for due in history.cleanup_due]
    return tuple(
        Finding(
            "cleanup_due",
            Severity.WARNING,
            f"{node.node.name} held a channel that was moved. It starts the old channel again when it returns.",
            f"Remove the stray channel as soon as {node.node.name} responds (plan kind remove_stray_channel).",
            {"node": node.node.name, "node_id": node.node.id},
        )
        for node in waiting
        if not node.is_up
    )

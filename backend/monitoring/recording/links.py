"""Stores a tick's result for a link: its status, its channels, its lag, and events for changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime, timedelta

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.common.events.selectors import was_raised
from backend.core import link_state
from backend.core.facts.serialization import channel_to_json
from backend.core.link_facts import LinkFacts
from backend.core.link_state import ChannelState, DirectionView, History, LinkView, derive
from backend.core.link_state.ranks import RANKS
from backend.core.positions import FilePosition
from backend.core.topology import Direction, NodeFacts
from backend.gateway.polling.pollers import Polled
from backend.monitoring import link_roles
from backend.monitoring.link_gateway import recorded_channels
from backend.monitoring.models import ChannelRecord, CleanupDue, LagSample, LinkStatus
from backend.monitoring.recording import binlog_reset, stray_channels
from backend.monitoring.recording.link_json import action_json, channels_json, clusters_json
from backend.monitoring.recording.replication_gap import Gap, gaps_of
from backend.monitoring.stored_facts import assemble
from backend.monitoring.times import from_unix

_TICK = timedelta(seconds=5)
"""A record that is further in the future was written with a wrong clock."""
_SEVERITY = {"protected": "ok", "degraded": "warning", "unknown": "unknown"}


def store_link(link: Link, facts: Mapping[str, NodeFacts], polled: Mapping[str, Polled], now: datetime) -> None:
    """Derive and store one link."""
    status = LinkStatus.objects.filter(pk=link.pk).first()
    seen = assemble(link, dict(facts))
    _clear_cleaned(link, seen)
    if stray_channels.update_due(link, seen):
        seen = assemble(link, dict(facts))
    history = _history(link, status, binlog_reset.channels_waiting(link, seen, polled))
    gaps = gaps_of(seen, derive(seen, history, now.timestamp()), polled)
    counts = {direction: gap.transactions for direction, gap in gaps.items()}
    view = derive(seen, replace(history, gaps=counts), now.timestamp())
    if not link_roles.lock_link(link.pk, active_cluster_id=link.active_cluster_id):
        return  # the roles were swapped during this tick, so its directions are outdated
    named = _raise_changes(link, seen, status, view)
    for direction in view.directions:
        _record(link, seen, direction)
    stray_channels.update_strays(link, replace(seen, recorded=recorded_channels(link.id)))
    _store_status(link, seen, status, view, gaps, now)
    _mark_named(link, named)
    _store_lag(link, view, counts, now)
    events.link_updated(link_id=link.id)


def _history(link: Link, status: LinkStatus | None, waits_for_position: Mapping[Direction, FilePosition]) -> History:
    due = tuple(link_state.CleanupDue(row.node_id, row.channel_name) for row in CleanupDue.objects.filter(link=link))
    last_ok = {} if status is None else {Direction(k): float(v) for k, v in status.last_ok.items()}
    return History(last_ok_s=last_ok, cleanup_due=due, waits_for_position=waits_for_position)


def _record(link: Link, seen: LinkFacts, view: DirectionView) -> None:
    """Record the channel while exactly one is observed and it runs; raise an event if it moved."""
    channel = view.channel
    if channel is None or channel.recorded or view.strays or not channel.channel.is_running:
        return
    row = ChannelRecord.objects.filter(link=link, direction=view.direction.value).first()
    if row is not None and timedelta() < row.observed_at - from_unix(channel.observed_at_s) < _TICK:
        return  # a run moved it during this tick
    if row is None:
        row = ChannelRecord(link=link, direction=view.direction.value)
    elif (row.source_node_id, row.replica_node_id) != (channel.source_node_id, channel.replica_node_id):
        names = [seen.node(i).node.name for i in (channel.source_node_id, channel.replica_node_id)]
        events.raised(
            link_id=link.id,
            kind="channel.moved",
            severity="info",
            message=f"The {view.direction.value} channel now replicates {names[0]} → {names[1]}.",
        )
        row.waits_for_position = ""
        _mark_left(link, seen, row, channel.replica_node_id)
    row.source_node_id, row.replica_node_id = channel.source_node_id, channel.replica_node_id
    row.channel = channel_to_json(channel.channel)
    row.observed_at = from_unix(channel.observed_at_s)
    row.save()


def _mark_left(link: Link, seen: LinkFacts, row: ChannelRecord, replica_id: str) -> None:
    """Mark an unreachable previous holder: it may return with its channel and start it."""
    old = seen.node(row.replica_node_id)
    if old.node.id != replica_id and (not old.is_up or old.channels is None):
        stray_channels.mark_stray(link_id=link.id, node_id=old.node.id, channel_name=row.channel["name"])


def _clear_cleaned(link: Link, seen: LinkFacts) -> None:
    """Clear nodes that are reachable again without a channel of the direction: no cleanup is needed any more."""
    for due in CleanupDue.objects.filter(link=link):
        node = seen.node(due.node_id)
        if not node.is_up or node.channels is None:
            continue
        if all(h.replica.node.id != due.node_id for h in seen.holders(Direction(due.direction))):
            due.delete()
            message = f"{node.node.name} is reachable again without a stray channel. No cleanup is needed."
            events.raised(link_id=link.id, kind="node.cleanup_due", severity="ok", message=message)


def _raise_changes(link: Link, seen: LinkFacts, status: LinkStatus | None, view: LinkView) -> set[str]:
    if status is not None and status.state != view.state.value:
        severity = link_severity(view.state.value)
        events.raised(link_id=link.id, kind=f"link.{view.state.value}", severity=severity, message=view.sentence)
    _raise_returned(link, status, view)
    return _raise_strays(link, seen, status, view)


def link_severity(state: str) -> str:
    """How serious an event about a link in this state is."""
    return _SEVERITY.get(state, "blocker")


_RETURNED = {"side_rebuilt": "site.rebuilt", "side_rebootstrapped": "site.rebootstrapped"}


def _raise_returned(link: Link, status: LinkStatus | None, view: LinkView) -> None:
    """Raise an event once for a lost side that returned as another incarnation, however often it returns."""
    known = {finding["code"] for finding in status.findings} if status is not None else set()
    for finding in view.findings:
        kind = _RETURNED.get(finding.code)
        if kind is None or finding.code in known:
            continue
        if not was_raised(link_id=link.id, kind=kind, message=finding.message):
            events.raised(link_id=link.id, kind=kind, severity="warning", message=finding.message)


def _raise_strays(link: Link, seen: LinkFacts, status: LinkStatus | None, view: LinkView) -> set[str]:
    """Raise events for new stray channels and for removed ones; returns the node ids reported so far.

    A running one is reported at once, a stopped one only after two polls: between CHANGE MASTER and
    START SLAVE every moved channel is stopped for a moment.
    """
    before = [c for c in status.channels if c["stray"]] if status is not None else []
    known = {c["replica_node"] for c in before}
    named = {c["replica_node"] for c in before if c.get("named")}
    now = {s.replica_node_id: s for d in view.directions for s in d.strays}
    for node_id in sorted(named - now.keys()):
        name = seen.node(node_id).node.name
        message = f"The stray channel on {name} was removed."
        events.raised(link_id=link.id, kind="channel.reset", severity="ok", message=message, subject=name)
    for node_id, stray in now.items():
        runs = stray.channel.is_running
        if node_id not in named and (runs or node_id in known):
            named.add(node_id)
            severity = "blocker" if runs else "warning"
            message = f"{stray.reason[0].upper()}{stray.reason[1:]}."
            events.raised(
                link_id=link.id,
                kind="channel.stray",
                severity=severity,
                message=message,
                subject=seen.node(node_id).node.name,
            )
    return named & now.keys()


def _store_status(
    link: Link,
    seen: LinkFacts,
    status: LinkStatus | None,
    view: LinkView,
    gaps: Mapping[Direction, Gap],
    now: datetime,
) -> None:
    row = status or LinkStatus(link=link, since=now, state=view.state.value)
    if row.state != view.state.value:
        row.state, row.since = view.state.value, now
    row.observed_at = now
    row.sentence, row.detail = view.sentence, view.detail
    row.findings = [finding.to_json() for finding in view.findings]
    row.channels = channels_json(seen, view, gaps)
    row.clusters = clusters_json(seen)
    row.readiness = {kind: asdict(answer) for kind, answer in view.readiness.items()}
    row.primary_action = action_json(view.primary_action)
    row.last_ok = {direction.value: moment for direction, moment in view.last_ok_s.items()}
    row.save()


def _mark_named(link: Link, named: set[str]) -> None:
    """Record which stray channels an event has already reported."""
    if not named:
        return
    row = LinkStatus.objects.get(pk=link.pk)
    for channel in row.channels:
        if channel["stray"] and channel["replica_node"] in named:
            channel["named"] = True
    row.save(update_fields=["channels"])


def _store_lag(link: Link, view: LinkView, counts: Mapping[Direction, int | None], now: datetime) -> None:
    lags: dict[str, int | None] = {}
    for direction in view.directions:
        word, channel = direction.direction.value, direction.channel
        runs = channel is not None and channel.state is ChannelState.RUNNING
        lags[f"{word}_gap"] = counts.get(direction.direction)
        lags[f"{word}_lag_s"] = channel.lag_s if channel is not None and runs else None
    LagSample.objects.create(link=link, at=now, state_rank=RANKS[view.state], **lags)

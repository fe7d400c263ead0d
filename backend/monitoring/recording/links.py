"""Stores a tick's result for a link: its status, its channels, its lag, and events for changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError, transaction
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.common.events.selectors import was_raised
from backend.common.lazy_savepoint import atomic_if_written
from backend.core import link_state
from backend.core.facts.log_continuity import has_to_be_compared, is_pointed_anew, with_known_source
from backend.core.facts.serialization import channel_from_json, channel_to_json
from backend.core.link_facts import LinkFacts
from backend.core.link_state import ChannelState, DirectionView, History, LinkView, derive, view_directions
from backend.core.link_state.channels import ChannelView
from backend.core.link_state.ranks import RANKS
from backend.core.link_state.site_readiness import Readiness
from backend.core.positions import FilePosition
from backend.core.topology import Direction, EventsByNode, NodeFacts, SeenTogether
from backend.gateway.polling.pollers import Polled
from backend.monitoring import link_roles
from backend.monitoring.models import ChannelRecord, LagSample, LinkStatus
from backend.monitoring.node_events import stored_events
from backend.monitoring.recording import binlog_reset, other_sources, stray_channels
from backend.monitoring.recording.link_json import action_json, channels_json, clusters_json, read_before
from backend.monitoring.recording.link_rows import LinkRows, rows_of
from backend.monitoring.recording.link_writes import LinkWrites
from backend.monitoring.recording.nodes import remember_origins, store_nodes
from backend.monitoring.recording.proof_periods import Tick, counted, follow_proofs
from backend.monitoring.recording.replication_gap import Gap, RelayPlaces, gaps_of
from backend.monitoring.recording.sites import SiteRecords, raise_site_changes
from backend.monitoring.recording.stream_accounts import StreamAccounts
from backend.monitoring.recording.unsafe_periods import follow_unsafe_periods
from backend.monitoring.stored_facts import assemble_from
from backend.monitoring.times import from_unix

log = structlog.get_logger(__name__)
_TICK = timedelta(seconds=5)
"""A record that is further in the future was written with a wrong clock."""
_SEVERITY = {"protected": "ok", "unproven": "warning", "degraded": "warning", "unknown": "unknown"}


def store_link(
    link: Link,
    facts: Mapping[str, NodeFacts],
    polled: Mapping[str, Polled],
    now: datetime,
    places: RelayPlaces | None = None,
) -> None:
    """Derive and store one link."""
    with transaction.atomic():
        store_links([link], facts, polled, now, fails=True, places=places)


NOTHING_UNSAFE: Mapping[tuple[str, str], str] = {}


@dataclass(frozen=True, slots=True)
class _SeenByNode:
    """What was read of nodes besides their facts."""

    events: EventsByNode
    unsafe_in_logs: Mapping[tuple[str, str], str]


def store_links(
    links: Sequence[Link],
    facts: Mapping[str, NodeFacts],
    polled: Mapping[str, Polled],
    now: datetime,
    *,
    fails: bool = False,
    together: Mapping[str, SeenTogether] | None = None,
    places: RelayPlaces | None = None,
    accounts: StreamAccounts | None = None,
    doubtful: Collection[str] = (),
    unsafe_in_logs: Mapping[tuple[str, str], str] = NOTHING_UNSAFE,
) -> None:
    """Derive and store these links; inside a transaction. Of one that cannot be derived nothing is stored.

    `together`: what this monitor knows of the views of their clusters; without it that is read. `accounts`: those of
    their streams. `doubtful`: ids of nodes whose log may be another one since this poll. `unsafe_in_logs` as in
    LinkFacts, of any nodes.

    Those whose roles were swapped during this tick are left out: their directions are outdated.
    """
    locked = link_roles.lock_links(links)
    rows, writes = rows_of([link.pk for link in locked]), LinkWrites()
    records = SiteRecords.of(locked, together)
    seen = _SeenByNode(stored_events(facts), unsafe_in_logs)
    for link in locked:
        own = LinkWrites()
        try:
            with atomic_if_written():
                _derive(link, facts, polled, now, rows[link.pk], own, records, seen, places, accounts, doubtful)
        except (DatabaseError, InterfaceError):
            raise
        except Exception:
            if fails:
                raise
            log.exception("monitor.link_failed", link=link.name)
            continue
        writes.join(own)
    writes.write()


def refresh_link(link_id: str, facts: Mapping[str, NodeFacts]) -> None:
    """Derive and store one link from what a run observed at its end, so that the next answer shows what it changed.

    The logs were not read: how many transactions a replica lacks is unknown until the monitor's next tick.
    """
    now = timezone.now()
    with transaction.atomic():
        store_nodes(facts, now, marks_read=False)
        for link in link_roles.lock_link(link_id):
            writes, records = LinkWrites(), SiteRecords.of([link], None)
            rows, seen = rows_of([link.pk])[link.pk], _SeenByNode(stored_events(facts), NOTHING_UNSAFE)
            _derive(link, facts, {}, now, rows, writes, records, seen, None, is_refresh=True)
            writes.write()


def _is_outdated(link: Link, facts: Mapping[str, NodeFacts], status: LinkStatus | None, now: datetime) -> bool:
    """Whether a node was polled before a run observed the link at its end, a moment ago."""
    refreshed_at = None if status is None else status.refreshed_at
    if refreshed_at is None or not timedelta() <= now - refreshed_at < _TICK:
        return False
    sides = (link.active_cluster, link.standby_cluster)
    seen = [facts[node.id] for side in sides for node in side.nodes.all() if node.id in facts]
    return any(node.is_up and from_unix(node.observed_at_s) < refreshed_at for node in seen)


def _derive(
    link: Link,
    facts: Mapping[str, NodeFacts],
    polled: Mapping[str, Polled],
    now: datetime,
    rows: LinkRows,
    writes: LinkWrites,
    records: SiteRecords,
    by_node: _SeenByNode,
    places: RelayPlaces | None,
    accounts: StreamAccounts | None = None,
    doubtful: Collection[str] = (),
    *,
    is_refresh: bool = False,
) -> None:
    """Derive one link; what every tick writes of it is collected, what is rare is written at once."""
    if not is_refresh and _is_outdated(link, facts, rows.status, now):
        return
    seen = records.added_to(assemble_from(link, facts, rows.recorded, rows.divergence))
    seen = replace(seen, events=by_node.events, unsafe_in_logs=by_node.unsafe_in_logs)
    if not is_refresh:  # no log was read: what a log told lately would be taken for over
        seen = follow_unsafe_periods(link, seen)
    remember_origins(link.active_cluster, seen.active)
    remember_origins(link.standby_cluster, seen.standby)
    _clear_cleaned(link, seen, rows)
    if stray_channels.update_due(link, seen, rows.strays):
        rows = rows_of([link.pk])[link.pk]
        seen = replace(seen, recorded=rows.recorded)
    if other_sources.update_breaks(seen, rows.records.values()):
        seen = replace(seen, recorded=rows.recorded)
    seen = other_sources.watch_others(seen, link.id)
    status = rows.status
    history = _history(status, rows, binlog_reset.channels_waiting(rows.records.values(), seen, polled))
    before = read_before(link, status)
    directions = view_directions(seen, history, now.timestamp())
    if accounts is not None:
        tick = Tick(seen, rows, counted(rows), polled, now.timestamp())
        if due := accounts.update(seen, directions, rows.records, polled, doubtful):
            writes.accounts += due
            seen = replace(seen, recorded=rows.recorded)
        writes.proofs += follow_proofs(tick, directions)
    gaps = gaps_of(seen, directions, polled, places, before)
    counts = {direction: gap.transactions for direction, gap in gaps.items()}
    bounds = {direction: gap.at_least for direction, gap in gaps.items()}
    view = derive(seen, replace(history, gaps=counts, at_least=bounds), now.timestamp())
    named = _raise_changes(link, seen, status, view)
    for direction in view.directions:
        _record(link, seen, direction, rows, writes)
    stray_channels.update_strays(link, replace(seen, recorded=rows.recorded), rows.strays)
    refreshed_at = now if is_refresh else None if status is None else status.refreshed_at
    _add_status(link, seen, status, view, gaps, named, now, writes, refreshed_at)
    if not is_refresh:
        writes.samples.append(_lag(link, view, counts, now))
    writes.updated.append(link.id)


def _history(
    status: LinkStatus | None, rows: LinkRows, waits_for_position: Mapping[Direction, FilePosition]
) -> History:
    due = tuple(link_state.CleanupDue(row.node_id, row.channel_name) for row in rows.due)
    last_ok = {} if status is None else {Direction(k): float(v) for k, v in status.last_ok.items()}
    return History(last_ok_s=last_ok, cleanup_due=due, waits_for_position=waits_for_position)


def _record(link: Link, seen: LinkFacts, view: DirectionView, rows: LinkRows, writes: LinkWrites) -> None:
    """Record the channel while exactly one is observed and it runs; raise an event if it moved."""
    channel = view.channel
    if channel is None or channel.recorded or view.strays or not channel.channel.is_running:
        return
    row, is_same = rows.records.get(view.direction.value), True
    if row is not None and not _is_placed(seen, row, channel):
        return
    if row is not None and timedelta() < row.observed_at - from_unix(channel.observed_at_s) < _TICK:
        return  # a run moved it during this tick
    if row is None:
        row, is_same = ChannelRecord(link=link, direction=view.direction.value), False
        rows.records[row.direction] = row
    elif (row.source_node_id, row.replica_node_id) != (channel.source_node_id, channel.replica_node_id):
        names = [seen.node(i).node.name for i in (channel.source_node_id, channel.replica_node_id)]
        events.raised(
            link_id=link.id,
            kind="channel.moved",
            severity="info",
            message=f"The {view.direction.value} channel now replicates {names[0]} → {names[1]}.",
        )
        row.waits_for_position, is_same = "", False
        if row.replica_node_id != channel.replica_node_id:
            row.log_break = None  # of the same replica's channel only CHANGE MASTER ends it (`other_sources`)
        _mark_left(link, seen, row, channel.replica_node_id)
    row.source_node_id, row.replica_node_id = channel.source_node_id, channel.replica_node_id
    seen_now = channel.channel if not is_same else with_known_source(channel_from_json(row.channel), channel.channel)
    row.channel = channel_to_json(seen_now)
    row.observed_at = from_unix(channel.observed_at_s)
    if channel.channel.sql_running == "Yes":
        wsrep = seen.node(channel.replica_node_id).wsrep
        row.cert_failures, row.applied_at_s = None if wsrep is None else wsrep.cert_failures, channel.observed_at_s
    elif not is_same:
        row.cert_failures = row.applied_at_s = None  # of another node
    (writes.moved_records if is_same else writes.records).append(row)


def _is_placed(seen: LinkFacts, row: ChannelRecord, channel: ChannelView) -> bool:
    """Whether the channel may be recorded at its place of now: not while its source's log may be another one.

    Its recorded place is what the receiving side is known to have applied of the log before.
    """
    recorded, source = seen.recorded_channel(channel.direction), seen.node(row.source_node_id)
    known = None if recorded is None or recorded.log_break is not None else recorded.log
    if known is None or is_pointed_anew(channel_from_json(row.channel), channel.channel):
        return True
    return known.unread_since_s is None and not (source.is_up and has_to_be_compared(known, source))


def _mark_left(link: Link, seen: LinkFacts, row: ChannelRecord, replica_id: str) -> None:
    """Mark an unreachable previous holder: it may return with its channel and start it."""
    old = seen.node(row.replica_node_id)
    if old.node.id != replica_id and (not old.is_up or old.channels is None):
        stray_channels.mark_stray(link_id=link.id, node_id=old.node.id, channel_name=row.channel["name"])


def _clear_cleaned(link: Link, seen: LinkFacts, rows: LinkRows) -> None:
    """Clear nodes that are reachable again without a channel of the direction: no cleanup is needed any more."""
    for due in list(rows.due):
        node = seen.node(due.node_id)
        if not node.is_up or node.channels is None:
            continue
        if all(h.replica.node.id != due.node_id for h in seen.holders(Direction(due.direction))):
            due.delete()
            rows.due.remove(due)
            message = f"{node.node.name} is reachable again without a stray channel. No cleanup is needed."
            events.raised(link_id=link.id, kind="node.cleanup_due", severity="ok", message=message)


def _raise_changes(link: Link, seen: LinkFacts, status: LinkStatus | None, view: LinkView) -> set[str]:
    if status is not None and status.state != view.state.value:
        severity = link_severity(view.state.value)
        events.raised(link_id=link.id, kind=f"link.{view.state.value}", severity=severity, message=view.sentence)
    _raise_returned(link, status, view)
    raise_site_changes(link, status, view, seen)
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


def _add_status(
    link: Link,
    seen: LinkFacts,
    status: LinkStatus | None,
    view: LinkView,
    gaps: Mapping[Direction, Gap],
    named: Collection[str],
    now: datetime,
    writes: LinkWrites,
    refreshed_at: datetime | None,
) -> None:
    row = status or LinkStatus(link=link, since=now, state=view.state.value)
    shown = {
        "state": view.state.value,
        "since": row.since if row.state == view.state.value else now,
        "observed_at": now,
        "sentence": view.sentence,
        "detail": view.detail,
        "findings": [finding.to_json() for finding in view.findings],
        "channels": _naming(channels_json(seen, view, gaps), named),
        "clusters": clusters_json(seen),
        "readiness": {kind: _plain(answer) for kind, answer in view.readiness.items()},
        "primary_action": action_json(view.primary_action),
        "last_ok": {direction.value: moment for direction, moment in view.last_ok_s.items()},
        "refreshed_at": refreshed_at,
    }
    writes.add_status(row, shown)


def _plain(answer: Readiness) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in answer.__slots__}


def _naming(channels: list[dict[str, Any]], named: Collection[str]) -> list[dict[str, Any]]:
    """The channels, with a mark on the stray ones that an event has already reported."""
    for channel in channels:
        if channel["stray"] and channel["replica_node"] in named:
            channel["named"] = True
    return channels


def _lag(link: Link, view: LinkView, counts: Mapping[Direction, int | None], now: datetime) -> LagSample:
    lags: dict[str, int | None] = {}
    for direction in view.directions:
        word, channel = direction.direction.value, direction.channel
        runs = channel is not None and channel.state is ChannelState.RUNNING
        lags[f"{word}_gap"] = counts.get(direction.direction)
        lags[f"{word}_lag_s"] = channel.lag_s if channel is not None and runs else None
    return LagSample(link=link, at=now, state_rank=RANKS[view.state], **lags)

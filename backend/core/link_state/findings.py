"""The findings of a link, most severe first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from backend.core.dialects import quoting
from backend.core.facts.channel_delay import delayed_channels
from backend.core.facts.channel_ends import foreign_channels, may_be_carried, misdirected
from backend.core.facts.channel_filters import filtered_channels
from backend.core.facts.events import runs_events, takes_events
from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.facts.judged_settings import settings_on_page
from backend.core.facts.known_defects import known_defect_findings
from backend.core.facts.log_continuity import history_in_doubt, stop_first, ways_to_equal_data
from backend.core.facts.log_readers import unseen_finding, unseen_readers
from backend.core.facts.membership import bypasses_replication
from backend.core.facts.origin_findings import (
    differing_ids_finding,
    foreign_channel_finding,
    foreign_origin_finding,
    ignored_source_finding,
    incomplete_guard_finding,
    misdirected_finding,
    switched_findings,
    undecided_finding,
    unread_readers_finding,
)
from backend.core.facts.origins import Way, loop_guard, nodes_under_different_ids
from backend.core.facts.proven_stream import unproven_finding
from backend.core.facts.server_identity import replaced_finding, replacements
from backend.core.facts.side_events import enabling, names_of, run_nowhere, running_events, running_on_standby
from backend.core.facts.state_uuid import is_another_history, state_uuids
from backend.core.facts.unregistered_members import not_registered_finding
from backend.core.facts.unsettled import unsettled_findings
from backend.core.facts.variables import GRANT_CHANNELS
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelState, ChannelView, DirectionView, reach_phrase
from backend.core.link_state.clusters import is_primary, is_serving, takes_writes
from backend.core.link_state.fault_remedies import fault_sentence
from backend.core.link_state.readiness import PrimaryAction
from backend.core.link_state.remedies import channel_remedy, node_remedy
from backend.core.link_state.returned_side import lost_side, returned_side_findings
from backend.core.link_state.semi_sync import semi_sync_findings
from backend.core.link_state.site_readiness import Readiness
from backend.core.link_state.split_sites import split_findings
from backend.core.link_state.standby_fence import standby_findings
from backend.core.link_state.stop_cause import stop_cause
from backend.core.plural import pick
from backend.core.topology import ClusterFacts, Direction, NodeFacts, Reach

CLOCK_LIMIT_S = 2.0
_ORDER = (Severity.BLOCKER, Severity.UNKNOWN, Severity.WARNING, Severity.INFO, Severity.OK)


def link_findings(
    link: LinkFacts, directions: Sequence[DirectionView], action: PrimaryAction | None, relocate: Readiness
) -> tuple[Finding, ...]:
    """All findings of a link, by severity, then in the order found. Their remedies agree with the primary action."""
    found = [*_divergence(link), *_strays(link, directions), *map(foreign_channel_finding, foreign_channels(link))]
    found += _channels(link, directions, action, relocate)
    back = returned_side(link)
    for cluster in (link.active, link.standby):
        is_known = back is not None and back.side.id == cluster.id
        found += _cluster(cluster, is_known=is_known, is_in_doubt=history_in_doubt(link, cluster) is not None)
        found += _emptied(link, cluster) if not is_known else ()
        found += split_findings(cluster, link.observed_at_s)
        found += [replaced_finding(one, is_used=False) for one in replacements(cluster)]
        unregistered = not_registered_finding(cluster, refuses=False)
        found += [unregistered] if unregistered else []
    found += _closed_on_active(link)
    found += standby_findings(link)
    found += unsettled_findings(link)
    found += _unproven(link, directions)
    found += semi_sync_findings(link)
    found += known_defect_findings(link.nodes)
    found += _origins(link, directions)
    found += settings_on_page(link)
    found += filtered_channels(link)
    found += delayed_channels(link)
    found += _events(link)
    return tuple(sorted(found, key=lambda finding: _ORDER.index(finding.severity)))


def _unproven(link: LinkFacts, directions: Sequence[DirectionView]) -> Iterator[Finding]:
    """Where a channel does not run another finding says so."""
    finding = unproven_finding(link)
    if finding is not None and all(_runs(view.channel) for view in directions):
        yield finding


def _runs(channel: ChannelView | None) -> bool:
    return channel is not None and channel.state is ChannelState.RUNNING


def _events(link: LinkFacts) -> Iterator[Finding]:
    """Events that run on no node of the active side, or on one of the standby side."""
    left = run_nowhere(link.active, link.standby, link.events)
    if left:
        up = [node for node in link.active.nodes if node.is_up]
        holders = [holder.replica for holder in link.holders(Direction.REVERSE) if holder.replica.is_up]
        able = [one for one in (*holders, *up) if takes_events(one)] or up
        node = next((one for one in able if runs_events(one)), able[0])
        yield Finding(
            "events_not_enabled",
            Severity.WARNING,
            f"Events run on no node of the active side {link.active.name}: {names_of(left)}.",
            enabling(left, node),
            {"events": [event.shown for event in left], "node": node.node.name},
        )
    running = {key: on for key, on in running_events(link.standby, link.events).items() if any(map(runs_events, on))}
    if running and not link.writes_on_both_sides:
        yield running_on_standby(running)


def _divergence(link: LinkFacts) -> Iterator[Finding]:
    divergence = link.divergence
    if divergence is None:
        return
    lost = link.active if link.active.id == divergence.lost_cluster_id else link.standby
    if divergence.is_reconciled:
        yield Finding(
            "side_not_attached",
            Severity.WARNING,
            f"{lost.name} is reconciled, but replication has not been verified yet.",
            f"Resume the reprotect of {lost.name}, or reprotect it again.",
            {"cluster_id": lost.id, "run_id": divergence.run_id},
        )
        return
    yield Finding(
        "side_invalidated",
        Severity.BLOCKER,
        f"{lost.name} was lost in a failover and is not reconciled. No channel may replicate from it.",
        f"Reprotect {lost.name} once it is reachable again.",
        {"cluster_id": lost.id, "run_id": divergence.run_id},
    )
    yield from returned_side_findings(link)
    yield from _returned(link)


def _returned(link: LinkFacts) -> Iterator[Finding]:
    """The finding of a lost side that returned under another state UUID: rebuilt, or bootstrapped again."""
    back = returned_side(link)
    if back is None or back.state_uuid is None:
        return
    facts = {"cluster_id": back.side.id, "state_uuid": back.state_uuid}
    name, number = back.side.name, back.state_uuid[:8]
    if back.kind is Incarnation.REBUILT:
        message = f"{name} was rebuilt: it is a copy with state UUID {number} that has written nothing of its own."
        remedy = f"Attach the rebuilt {name}: reprotect with orphans: rebuild and the backup's position."
        yield Finding("side_rebuilt", Severity.WARNING, message, remedy, facts)
    elif back.kind is Incarnation.REBOOTSTRAPPED:
        own = ", ".join(back.nodes_with_own_writes)
        message = f"{name} was bootstrapped again (state UUID {number}). The binary log of {own} holds its own writes."
        yield Finding(
            "side_rebootstrapped", Severity.WARNING, message, f"Scan {name} for orphaned transactions.", facts
        )


def _closed_on_active(link: LinkFacts) -> Iterator[Finding]:
    """Nodes of the active side that are read-only after a restart, as their option files say."""
    lost, side = lost_side(link), link.active
    if lost is not None and lost.id == side.id:
        return
    closed = [n.node.name for n in side.nodes if is_serving(n) and n.variable("read_only") == "ON"]
    if not closed:
        return
    names = ", ".join(closed)
    verb = pick(len(closed), "is", "are")
    some = f"{names} of the active side {side.name} {verb} read-only (read_only=ON); its other nodes are writable."
    none = f"No node of the active side {side.name} is writable: read_only=ON on {names}."
    yield Finding(
        "active_node_read_only",
        Severity.WARNING,
        some if takes_writes(side) else none,
        f"Make sure that {side.name} is to be the active side. Then run SET GLOBAL read_only=OFF on {names}.",
        {"cluster_id": side.id, "nodes": closed},
    )


def _strays(link: LinkFacts, directions: Sequence[DirectionView]) -> Iterator[Finding]:
    for stray in (s for d in directions for s in d.strays):
        replica = link.node(stray.replica_node_id).node
        source = link.node(stray.source_node_id).node
        name = quoting.shown_channel(stray.channel.name)
        running = stray.channel.is_running
        yield Finding(
            "stray_channel",
            Severity.BLOCKER if running else Severity.WARNING,
            f"{replica.name} {'runs' if running else 'has'} a stray channel from {source.name}"
            f"{', so transactions are applied twice' if running else ''}.",
            f"Remove the stray channel on {replica.name} (STOP SLAVE{name}; RESET SLAVE{name} ALL).",
            {"node": replica.name, "node_id": replica.id, "source": source.name, "running": running},
        )


def _channels(
    link: LinkFacts, directions: Sequence[DirectionView], action: PrimaryAction | None, relocate: Readiness
) -> Iterator[Finding]:
    for view in directions:
        word = view.direction.value
        if view.channel is None:
            if not (view.strays or link.is_invalidated(view.direction) or may_be_carried(link, view.direction)):
                yield _missing(link, view)
            continue
        if view.channel.continuity is not None:
            yield view.channel.continuity
        if view.channel.continuity is not None and view.channel.waits_for_position is None:
            continue
        if view.channel.state is ChannelState.RUNNING:
            continue
        severity = Severity.UNKNOWN if view.channel.state is ChannelState.UNKNOWN else Severity.BLOCKER
        yield Finding(
            f"channel_{view.channel.state.value}",
            severity,
            f"The {word} channel is not replicating: {view.channel.reason}.{_cause(link, view.channel)}",
            channel_remedy(link, view.channel, action, relocate),
            _channel_facts(link, view.channel),
        )


def _origins(link: LinkFacts, directions: Sequence[DirectionView]) -> Iterator[Finding]:
    """Transactions of neither side, and those of a side that its own channel lets return."""
    yield from (misdirected_finding(one, link.node(one.source.id)) for one in misdirected(link))
    yield from (unread_readers_finding(one) for one in foreign_channels(link) if one.may_be_relayed)
    yield from map(unseen_finding, unseen_readers(link))
    yield from switched_findings(link)
    for view in directions:
        if view.channel is None or view.channel.recorded:
            continue
        replica, guard = link.node(view.channel.replica_node_id), loop_guard(link, view.direction)
        if guard.untold or view.channel.channel.options.get("Replicate_Ignore_Domain_Ids"):
            continue
        missing = guard.missing(replica)
        if missing:
            yield incomplete_guard_finding(guard, missing)
        if guard.of_source:
            yield ignored_source_finding(guard, link.source_cluster(view.direction))
        for one in guard.foreign:
            yield (undecided_finding if one.way is Way.UNKNOWN else foreign_origin_finding)(guard, one)
    for cluster in (link.active, link.standby):
        names = nodes_under_different_ids(cluster)
        yield from [differing_ids_finding(cluster, names)] if names else ()


def _channel_facts(link: LinkFacts, view: ChannelView) -> dict[str, object]:
    """The facts of a channel's finding, with the error number where a transaction failed.

    For some error numbers the link's page shows the row.
    """
    facts: dict[str, object] = {
        "direction": view.direction.value,
        "replica": link.node(view.replica_node_id).node.name,
    }
    return {**facts, "errno": view.channel.sql_errno} if view.is_stopped_by_data else facts


def _missing(link: LinkFacts, view: DirectionView) -> Finding:
    source, side = link.source_cluster(view.direction).name, link.receiving_cluster(view.direction).name
    unread = [n.node.name for n in link.receiving_cluster(view.direction).nodes if n.is_up and n.channels is None]
    if unread:  # "set up the channel" would make a second one
        return Finding(
            "channel_unknown",
            Severity.UNKNOWN,
            f"It is unknown whether there is a {view.direction.value} channel: {', '.join(unread)} "
            f"{pick(len(unread), 'does', 'do')} not report channels.",
            GRANT_CHANNELS,
            {"direction": view.direction.value, "nodes": unread},
        )
    return Finding(
        "channel_missing",
        Severity.BLOCKER,
        f"There is no {view.direction.value} channel.",
        "If neither direction has a channel, plan create_channels. Otherwise have an administrator set it up once, "
        f"on a node of {side}, with a node of {source} as its source.",
        {"direction": view.direction.value},
    )


def _cause(link: LinkFacts, view: ChannelView) -> str:
    """Why the channel is stopped: what its error of reading means, or what only its server's counters show.

    A channel on a returned side was stopped by its fence.
    """
    lost, replica = lost_side(link), link.node(view.replica_node_id)
    if (fault := view.reading_fault) is not None:
        return f" {fault_sentence(fault, link.node(view.source_node_id), replica)}"
    if not view.is_stopped_without_failure or (lost is not None and lost.id == replica.node.cluster_id):
        return ""
    return f" {stop_cause(link, replica, view.channel)}"


def _cluster(cluster: ClusterFacts, *, is_known: bool, is_in_doubt: bool) -> Iterator[Finding]:
    """The findings of a cluster and its nodes.

    `is_known`: it is the lost side of a failover, whose other state UUID has a finding of its own. `is_in_doubt`: so
    has that of a side which may have been emptied; a node that joins it loses what it holds.
    """
    for node in cluster.nodes:
        for finding in _node(cluster, node):
            is_away = is_in_doubt and not node.is_up
            yield replace(finding, remedy=_kept_aside(cluster, node)) if is_away else finding
    if not (is_known or is_in_doubt) and is_another_history(cluster):
        yield Finding(
            "state_uuid_changed",
            Severity.BLOCKER,
            f"{cluster.name} has another state UUID than the registered one: it was bootstrapped again.",
            "Accept its new state UUID (plan kind accept_state_uuid). The plan proves that its stream continues "
            "without a gap. If the plan is refused, the cluster lacks transactions of the other side. Then stop its "
            "nodes, fail over to the other side, and reprotect or rebuild the cluster.",
            {"recorded": cluster.recorded_state_uuid, "seen": sorted(state_uuids(cluster))},
        )


def _kept_aside(cluster: ClusterFacts, node: NodeFacts) -> str:
    return (
        f"Do not start {node.node.name} before it is clear which data counts: {cluster.name} would overwrite its data "
        "folder by a full state transfer. Move that folder aside, or copy it, first."
    )


def _emptied(link: LinkFacts, cluster: ClusterFacts) -> Iterator[Finding]:
    """A side that was bootstrapped again and whose log is not known to continue the one before: it may be empty."""
    recorded = history_in_doubt(link, cluster)
    if recorded is None:
        return
    other, source = link.receiving_cluster(recorded.direction), link.node(recorded.source_node_id)
    if recorded.log_break is not None:
        log = f"its log does not continue the one that {other.name} has read"
    else:
        state = "" if source.is_up else f", which {reach_phrase(source.reach)}"
        log = f"the log of {source.node.name}{state}, was not compared with what {other.name} has read of it"
    yield Finding(
        "state_uuid_changed",
        Severity.BLOCKER,
        f"{cluster.name} has another state UUID than the registered one, and {log}: it may have been emptied. What it "
        f"writes now, {other.name} applies over its own data.",
        f"{stop_first(link, recorded)} Compare the data of both sides. {ways_to_equal_data(link)}",
        {"recorded": cluster.recorded_state_uuid, "seen": sorted(state_uuids(cluster))},
    )


def _node(cluster: ClusterFacts, node: NodeFacts) -> Iterator[Finding]:
    name = node.node.name
    facts = {"node": name, "node_id": node.node.id, "cluster": cluster.name}
    alone = bypasses_replication(node)
    if not node.is_up:
        severity = Severity.WARNING if node.reach is Reach.DOWN else Severity.UNKNOWN
        message = f"{name} {reach_phrase(node.reach)}: {node.error}." if node.error else f"{name} was not polled yet."
        yield Finding(f"node_{node.reach.value}", severity, message, node_remedy(cluster, node), facts)
    elif alone is not None:
        yield alone
    elif not is_primary(node):
        message = f"{name} is non-Primary: it has lost its cluster and its data may be stale."
        yield Finding("node_non_primary", Severity.BLOCKER, message, node_remedy(cluster, node), facts)
    elif not is_serving(node):
        state = node.wsrep.state if node.wsrep is not None else "unknown"
        message = f"{name} is {state}, not Synced."
        yield Finding("node_not_synced", Severity.WARNING, message, node_remedy(cluster, node), facts)
    if node.clock_offset_s is not None and abs(node.clock_offset_s) > CLOCK_LIMIT_S:
        yield Finding(
            "clock_skew",
            Severity.WARNING,
            f"The clock of {name} differs from the console's by {node.clock_offset_s:+.1f} s. Ages and lags are "
            "inaccurate by as much.",
            "Synchronize both clocks by NTP.",
            {**facts, "offset_s": node.clock_offset_s},
        )

"""Checks of a failover: is the active side lost, are its nodes fenced, and can the relay log drain?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.channels import nodes_with_unread_channels, unreachable_holders
from backend.core.checks.context import CheckContext
from backend.core.checks.fencing import cannot_be_fenced
from backend.core.facts.channel_faults import FaultKind, reading_fault
from backend.core.facts.state_uuid import is_another_history, state_uuids
from backend.core.facts.variables import GRANT_CHANNELS
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import ChannelHolder
from backend.core.link_state.fault_remedies import fault_sentence
from backend.core.plural import pluralize
from backend.core.topology import Direction, NodeFacts, Reach


def check_active_is_lost(ctx: CheckContext) -> Iterator[Finding]:
    """A site that is up is switched over, not failed over; of two partitioned sites both are up."""
    active, standby = ctx.link.active, ctx.link.standby
    serving = [node for node in active.nodes if _serves(node)]
    names = ", ".join(node.node.name for node in serving)
    facts = {"serving": [node.node.name for node in serving]}
    connected = [h for h in ctx.link.holders(Direction.FORWARD) if _is_connected(ctx, h)]
    unread = _why_unread(ctx) if serving and not connected else None
    if unread is not None:
        code = "active_site_lives"
        sentence = f"{active.name} is up ({names}). {standby.name} does not read from it: {unread}."
        remedy = f"Find out what {active.name} holds before anything else: a failover discards it."
    elif serving and not connected:
        code = "sites_are_parted"
        sentence = (
            f"{active.name} is up ({names}) but {standby.name} cannot reach it. "
            "This is a network partition, not a site loss."
        )
        remedy = "Restore the network between the sites."
    elif serving:
        code, sentence = "active_site_lives", f"{active.name} is up ({names}) and its channel is connected."
        remedy = "Use a switchover: it loses nothing."
    elif connected:
        replica, source = connected[0].replica.node.name, connected[0].source.name
        code = "active_site_seen_by_standby"
        sentence = (
            f"{active.name} is unreachable from the console, but {replica} is still connected to {source}. "
            f"So {active.name} is up."
        )
        remedy = f"Find out why the console cannot reach {active.name}."
    else:
        yield Finding("active_site_lost", Severity.OK, f"No node of {active.name} is up and Primary.", facts=facts)
        return
    if ctx.overrides_partition:
        yield Finding(
            "partition_overridden",
            Severity.WARNING,
            f"{sentence} An operator overrode this. Writes that {active.name} still accepts must be reconciled later.",
            facts=facts,
        )
        return
    remedy += " To fail over anyway, set override_partition. Both sides may then have accepted writes."
    yield Finding(code, Severity.BLOCKER, sentence, remedy, {**facts, "option": "override_partition"})


def _why_unread(ctx: CheckContext) -> str | None:
    """Why the standby side does not read from an active side that is up; None where only the network keeps it off.

    A partition is said only where both sides are shown to hold the recorded history: a side that was bootstrapped empty
    cannot be read from either.
    """
    for side in ctx.clusters:
        if is_another_history(side):
            return f"{side.name} was bootstrapped again and has another history than the recorded one"
        if side.recorded_state_uuid is None or not state_uuids(side):
            return f"it is unknown whether {side.name} still has the recorded history"
    holders = ctx.link.holders(Direction.FORWARD)
    if not holders:
        return f"no node of {ctx.link.standby.name} that responds has a channel from it"
    return next((reason for holder in holders if (reason := _why_not_connected(ctx, holder)) is not None), None)


def _why_not_connected(ctx: CheckContext, holder: ChannelHolder) -> str | None:
    """Why that channel is not connected, None where its connection fails or the source is silent."""
    channel, source, replica = holder.channel, ctx.link.node(holder.source.id), holder.replica
    fault = reading_fault(channel)
    if fault is not None and fault.kind is not FaultKind.UNREACHABLE:
        return fault_sentence(fault, source, replica).rstrip(".")
    if channel.io_running == "No" and fault is None:
        return f"the channel on {replica.node.name} is stopped"
    return None


def _serves(node: NodeFacts) -> bool:
    wsrep = node.wsrep
    return node.is_up and wsrep is not None and wsrep.cluster_status == "Primary" and wsrep.ready


def _is_connected(ctx: CheckContext, holder: ChannelHolder) -> bool:
    """A hung or killed source leaves the I/O thread at Yes for a while: such a source does not count as connected."""
    source = ctx.link.node(holder.source.id)
    return holder.channel.io_running == "Yes" and source.reach not in (Reach.HUNG, Reach.DOWN)


def check_lost_nodes_are_fenced(ctx: CheckContext) -> Iterator[Finding]:
    """The run fences the reachable nodes of the lost side; each other node must be attested as fenced."""
    for node in ctx.link.active.nodes:
        name = node.node.name
        facts = {"node": name, "node_id": node.node.id, "reach": node.reach.value}
        if node.is_up:
            will = Finding("node_will_be_fenced", Severity.OK, f"{name} responds. The run fences it.", facts=facts)
            yield cannot_be_fenced(ctx, node) or will
        elif node.node.id in ctx.attested_fenced:
            yield Finding(
                "unreachable_node_attested",
                Severity.WARNING,
                f"{name} is unreachable. An operator attested that it is fenced.",
                "",
                facts,
            )
        else:
            yield Finding(
                "node_not_attested",
                Severity.UNKNOWN,
                f"{name} is not responding ({node.reach.value}) and may still accept writes.",
                f"Fence {name} (power, network or proxy) and attest that {name} is fenced.",
                {**facts, "option": "attest_fenced"},
            )


def check_relay_can_drain(ctx: CheckContext) -> Iterator[Finding]:
    """Everything that the survivor received from the lost side must be applied before the survivor is unfenced.

    A node whose channels were not read, or that is unreachable, may hold a channel. It would continue to apply its
    relay log beside the writes of the new active side, and its channel would never be removed.
    """
    unknown = [*_unread_holders(ctx), *unreachable_holders(ctx, ctx.forward)]
    yield from unknown
    holders = ctx.link.holders(Direction.FORWARD)
    if len(holders) > 1:
        yield Finding(
            "second_channel",
            Severity.BLOCKER,
            f"{pluralize(len(holders), 'channel')} replicate from the lost side. It is unclear which one is current.",
            "Remove the stray channel first (plan kind remove_stray_channel).",
        )
    elif holders:
        yield _relay_of(ctx, holders[0])
    elif not is_refused(unknown):
        yield Finding(
            "relay_log_gone",
            Severity.WARNING,
            "No node that responds holds the channel. The unapplied part of its relay log is lost with its node.",
            "Bring that node back first, if this is possible in time.",
        )


def _unread_holders(ctx: CheckContext) -> Iterator[Finding]:
    for node in nodes_with_unread_channels(ctx, ctx.forward):
        name = node.node.name
        yield Finding(
            "channels_unknown",
            Severity.UNKNOWN,
            f"The replication channels of {name} are unknown. It may hold one from {ctx.link.active.name} with "
            "transactions that it still must apply.",
            f"{GRANT_CHANNELS} If {name} fails to answer only this query, shut it down: an "
            "expelled node applies nothing.",
            {"node": name, "node_id": node.node.id, "reach": node.reach.value},
        )


def _relay_of(ctx: CheckContext, holder: ChannelHolder) -> Finding:
    channel, name = holder.channel, holder.replica.node.name
    if channel.sql_running == "Yes" or channel.is_relay_drained:
        return Finding("relay_log_drains", Severity.OK, f"{name} applies its relay log to the end.")
    reason = f"error {channel.sql_errno}: {channel.sql_error[:200]}" if channel.sql_errno else "without an error"
    return Finding(
        "relay_log_not_drained",
        Severity.WARNING if ctx.accepts_loss else Severity.BLOCKER,
        f"{name} has received transactions that it does not apply: its SQL thread is stopped ({reason}).",
        "Fix the cause and start the SQL thread, or accept the loss of the unapplied relay log.",
        {"read": f"{channel.read_file}:{channel.read_offset}", "applied": f"{channel.exec_file}:{channel.exec_offset}"},
    )

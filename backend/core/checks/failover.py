"""Checks of a failover: is the active side lost, are its nodes fenced, and can the relay log drain?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.channels import nodes_with_unread_channels, unreachable_holders
from backend.core.checks.context import CheckContext
from backend.core.checks.fencing import cannot_be_fenced
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import ChannelHolder
from backend.core.topology import Direction, NodeFacts, Reach


def check_active_is_lost(ctx: CheckContext) -> Iterator[Finding]:
    """A site that lives is switched over, not failed over; two sites that do not see each other both live."""
    active, standby = ctx.link.active, ctx.link.standby
    serving = [node for node in active.nodes if _serves(node)]
    names = ", ".join(node.node.name for node in serving)
    facts = {"serving": [node.node.name for node in serving]}
    connected = [h for h in ctx.link.holders(Direction.FORWARD) if _is_connected(ctx, h)]
    if serving and not connected:
        code = "sites_are_parted"
        sentence = f"{active.name} lives ({names}) but {standby.name} does not see it: the sites are parted, not lost."
        remedy = "Mend the way between the sites."
    elif serving:
        code, sentence = "active_site_lives", f"{active.name} lives ({names}) and its channel is connected."
        remedy = "Use a switchover: it loses nothing."
    elif connected:
        replica, source = connected[0].replica.node.name, connected[0].source.name
        code = "active_site_seen_by_standby"
        sentence = f"{active.name} cannot be seen from here, but {replica} is still connected to {source}: it lives."
        remedy = "Find out why the console does not see it."
    else:
        yield Finding("active_site_lost", Severity.OK, f"No node of {active.name} serves.", facts=facts)
        return
    if ctx.overrides_partition:
        yield Finding(
            "partition_overridden",
            Severity.WARNING,
            f"{sentence} A person overrides this: what it still accepts will have to be reconciled.",
            facts=facts,
        )
        return
    remedy += " To fail over all the same, override it: both sides may then have written."
    yield Finding(code, Severity.BLOCKER, sentence, remedy, {**facts, "option": "override_partition"})


def _serves(node: NodeFacts) -> bool:
    wsrep = node.wsrep
    return node.is_up and wsrep is not None and wsrep.cluster_status == "Primary" and wsrep.ready


def _is_connected(ctx: CheckContext, holder: ChannelHolder) -> bool:
    """A hung or killed source leaves the I/O thread at Yes for a while: only one not seen to be so counts."""
    source = ctx.link.node(holder.source.id)
    return holder.channel.io_running == "Yes" and source.reach not in (Reach.HUNG, Reach.DOWN)


def check_lost_nodes_are_fenced(ctx: CheckContext) -> Iterator[Finding]:
    """What is reached of the lost side is fenced by the run; what is not must be attested, node by node."""
    for node in ctx.link.active.nodes:
        name = node.node.name
        facts = {"node": name, "node_id": node.node.id, "reach": node.reach.value}
        if node.is_up:
            will = Finding("node_will_be_fenced", Severity.OK, f"{name} answers: the run fences it.", facts=facts)
            yield cannot_be_fenced(ctx, node) or will
        elif node.node.id in ctx.attested_fenced:
            yield Finding(
                "unreachable_node_attested",
                Severity.WARNING,
                f"{name} is not seen; a person attests that it is fenced.",
                "",
                facts,
            )
        else:
            yield Finding(
                "node_not_attested",
                Severity.UNKNOWN,
                f"{name} does not answer ({node.reach.value}): it cannot be told from one that still takes writes.",
                f"Fence {name} (power, network, proxy) and attest it by name.",
                {**facts, "option": "attest_fenced"},
            )


def check_relay_can_drain(ctx: CheckContext) -> Iterator[Finding]:
    """Everything the lost side got across must be applied before the survivor opens.

    A node whose channels were not read, or that is not seen, is not one without a channel: it would go
    on applying its relay log beside the writes of the opened side, and keep a channel nobody cleans.
    """
    unknown = [*_unread_holders(ctx), *unreachable_holders(ctx, ctx.forward)]
    yield from unknown
    holders = ctx.link.holders(Direction.FORWARD)
    if len(holders) > 1:
        yield Finding(
            "second_channel",
            Severity.BLOCKER,
            f"{len(holders)} channels stand in the direction of the lost side: which one counts is not clear.",
            "Clean the old one first (plan kind “clean”).",
        )
    elif holders:
        yield _relay_of(ctx, holders[0])
    elif not is_refused(unknown):
        yield Finding(
            "relay_log_gone",
            Severity.WARNING,
            "No node that answers holds the channel: what its relay log had not applied yet is lost with it.",
            "If the node can be brought back within reason, bring it back first.",
        )


def _unread_holders(ctx: CheckContext) -> Iterator[Finding]:
    for node in nodes_with_unread_channels(ctx, ctx.forward):
        name = node.node.name
        yield Finding(
            "channels_unknown",
            Severity.UNKNOWN,
            f"The replication channels of {name} are not known: one from {ctx.link.active.name} may stand there, "
            "with transactions that are still to be applied.",
            f"Grant SLAVE MONITOR to the monitor account; where {name} merely does not answer that question, shut it "
            "down: a node that its cluster has expelled applies nothing.",
            {"node": name, "node_id": node.node.id, "reach": node.reach.value},
        )


def _relay_of(ctx: CheckContext, holder: ChannelHolder) -> Finding:
    channel, name = holder.channel, holder.replica.node.name
    if channel.sql_running == "Yes" or channel.is_relay_drained:
        return Finding("relay_log_drains", Severity.OK, f"{name} applies what it received to the end.")
    reason = f"error {channel.sql_errno}: {channel.sql_error[:200]}" if channel.sql_errno else "stopped by hand"
    return Finding(
        "relay_log_not_drained",
        Severity.WARNING if ctx.accepts_loss else Severity.BLOCKER,
        f"{name} received transactions that it does not apply: its SQL thread stands ({reason}).",
        "Mend the cause and start the SQL thread; or accept the loss of what stands in the relay log.",
        {"read": f"{channel.read_file}:{channel.read_offset}", "applied": f"{channel.exec_file}:{channel.exec_offset}"},
    )

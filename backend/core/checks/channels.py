"""Checks of the current channels, of stray channels, and of unreachable nodes that may run a channel."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.auto_position import guards_by_gtid
from backend.core.checks.context import CheckContext, Move
from backend.core.facts.channel_delay import delayed_channels
from backend.core.facts.channel_faults import FaultKind, applying_fault
from backend.core.facts.membership import is_expelled
from backend.core.facts.origins import loop_guard
from backend.core.facts.variables import GRANT_CHANNELS
from backend.core.findings import Finding, Severity
from backend.core.link_facts import ChannelHolder
from backend.core.topology import NODE_NOT_READY, PASSING_ERRORS, ChannelFacts, ClusterFacts, NodeFacts


def check_channel_known(ctx: CheckContext) -> Iterator[Finding]:
    """Each direction has a channel, observed or recorded, whose settings the new one takes over."""
    for move in ctx.moves:
        if move.channel is None:
            yield Finding(
                "channel_unknown",
                Severity.UNKNOWN,
                f"No node that responds holds a {move.direction} channel, and none was recorded. "
                "Its settings are unknown.",
                remedy_unseen(
                    ctx,
                    move,
                    "Bring back the node that held the channel. If there never was one, plan create_channels.",
                ),
                {"direction": move.direction.value},
            )


CHANNEL_SQL_ERROR = "channel_sql_error"
_FIX_THE_DATA = "Fix the data on the replica first. Moving the channel does not skip the failing transaction."


def check_channels_not_delayed(ctx: CheckContext) -> Iterator[Finding]:
    """Writes are refused until the other side has all: for as long as its channel holds the last transaction back."""
    yield from delayed_channels(ctx.link, Severity.BLOCKER)


def warn_of_delayed_channels(ctx: CheckContext) -> Iterator[Finding]:
    """The delay goes with the channel, and what waits in a relay log waits for it."""
    yield from delayed_channels(ctx.link)


def check_channel_errors(ctx: CheckContext) -> Iterator[Finding]:
    """A channel that stopped on a data error would stop on the same transaction on any node.

    The exception is a transaction that was applied before: a relocate checks this (`plans.already_applied`).
    """
    for move in ctx.moves:
        channel = move.channel
        if channel is None or move.holder is None or not channel.sql_errno:
            continue
        if channel.sql_errno == NODE_NOT_READY:
            yield Finding(
                "channel_stopped_by_galera",
                Severity.WARNING,
                f"The {move.direction} channel stopped because {move.holder.replica.node.name} left its cluster "
                "(error 1047). No transaction failed.",
                facts={"errno": channel.sql_errno},
            )
        elif is_relay_log_unreadable(channel):
            yield Finding(
                "relay_log_unreadable",
                Severity.WARNING,
                unreadable_relay_log(move),
                facts={"errno": channel.sql_errno, "direction": move.direction.value},
            )
        else:
            yield Finding(
                CHANNEL_SQL_ERROR,
                Severity.BLOCKER,
                f"The {move.direction} channel stopped with error {channel.sql_errno}: {channel.sql_error[:300]}",
                _start_it(move) if channel.sql_errno in PASSING_ERRORS else _FIX_THE_DATA,
                {"errno": channel.sql_errno, "direction": move.direction.value},
            )


def _start_it(move: Move) -> str:
    return f"Start the {move.direction} channel where it is (plan kind start_channel): it tries the transaction again."


def is_relay_log_unreadable(channel: ChannelFacts) -> bool:
    """Whether applying stopped on the relay log itself."""
    fault = applying_fault(channel)
    return fault is not None and fault.kind is FaultKind.RELAY_LOG_NOT_READ


def unreadable_relay_log(move: Move) -> str:
    """What is said of it: a move discards the relay log and reads again, a start does not."""
    assert move.holder is not None
    return (
        f"The {move.direction} channel cannot read its own relay log on {move.holder.replica.node.name} (error "
        f"{move.holder.channel.sql_errno}). No transaction failed. A relocate, also onto the same nodes, discards the "
        "relay log and reads from the source again."
    )


def check_sites_connected(ctx: CheckContext) -> Iterator[Finding]:
    """A replica that cannot connect to a source while both are up points at the network path between the sites.

    New channels would use the same path. An operator who knows that it works attests it.
    """
    for move in ctx.moves:
        holder = move.holder
        if holder is None or holder.channel.io_running in ("Yes", "No"):
            continue
        if not ctx.link.node(holder.source.id).is_up:
            continue
        channel = holder.channel
        facts = {"replica": holder.replica.node.name, "source": holder.source.name, "errno": channel.io_errno}
        sentence = _not_connected(holder)
        if ctx.attested_path:
            attested = f"{sentence} An operator attested the network path."
            yield Finding("site_path_attested", Severity.WARNING, attested, facts=facts)
            continue
        yield Finding(
            "site_path_unknown",
            Severity.UNKNOWN,
            f"{sentence} The network between the sites may be down; a new channel would fail too.",
            "Restore the network and plan again. If only this address is blocked, attest the path.",
            {**facts, "option": "attest_site_path"},
        )


def _not_connected(holder: ChannelHolder) -> str:
    """The I/O thread that connects again has no error until its first attempt has failed, so none is claimed."""
    channel, replica, source = holder.channel, holder.replica.node.name, holder.source.name
    if not channel.io_errno:
        return f"{replica} is not connected to {source} although both are up; its I/O thread reports no error yet."
    named = f" (error {channel.io_errno}: {channel.io_error[:200]})"
    return f"{replica} cannot connect to {source} although both are up{named}."


def check_second_channel(ctx: CheckContext) -> Iterator[Finding]:
    """One direction has one channel only, running or merely configured."""
    for move in ctx.moves:
        running = [holder for holder in move.strays if holder.channel.is_running]
        for holder in running:
            yield Finding(
                "second_channel",
                Severity.BLOCKER,
                f"{holder.replica.node.name} also runs a {move.direction} channel, from {holder.source.name}: "
                "transactions may be applied twice.",
                f"Remove the stray channel on {holder.replica.node.name} first (plan kind remove_stray_channel).",
                {"node": holder.replica.node.name, "source": holder.source.name},
            )
        for holder in move.strays:
            if holder not in running:
                yield Finding(
                    "stray_channel",
                    Severity.WARNING,
                    f"{holder.replica.node.name} has a stopped stray {move.direction} channel. The plan removes it.",
                    facts={"node": holder.replica.node.name},
                )
        unread = list(unread_channels(ctx, move))
        yield from unread
        if not unread and not move.strays:
            yield Finding("single_channel", Severity.OK, f"No node that responds has a stray {move.direction} channel.")


def unread_channels(ctx: CheckContext, move: Move) -> Iterator[Finding]:
    """The finding of receiving nodes that do not report their channels: a stray channel may be among them."""
    unread = [node.node.name for node in nodes_with_unread_channels(ctx, move)]
    if unread:
        yield Finding(
            "channels_unknown",
            Severity.UNKNOWN,
            f"The replication channels of {', '.join(unread)} are unknown. A stray {move.direction} channel may be "
            "configured there.",
            GRANT_CHANNELS,
            {"nodes": unread},
        )


def nodes_with_unread_channels(ctx: CheckContext, move: Move) -> list[NodeFacts]:
    """Receiving nodes that respond, but do not report their channels."""
    return [n for n in ctx.link.receiving_cluster(move.direction).nodes if n.is_up and n.channels is None]


def remedy_unseen(ctx: CheckContext, move: Move, otherwise: str) -> str:
    """What makes a channel known that no node shows: a node that does not report its channels may hold it."""
    unread = [node.node.name for node in nodes_with_unread_channels(ctx, move)]
    return f"{GRANT_CHANNELS} It does not see the channels of {', '.join(unread)}." if unread else otherwise


def check_connection_name_free(ctx: CheckContext) -> Iterator[Finding]:
    """The new replica must not use the connection name for a channel from another source."""
    for move in ctx.moves:
        facts = move.replica
        if facts.channels is None:
            yield Finding(
                "channels_unknown",
                Severity.UNKNOWN,
                f"The replication channels of {facts.node.name} are unknown.",
                GRANT_CHANNELS,
            )
            continue
        taken = facts.channel(ctx.link.channel_name)
        source = ctx.link.source_cluster(move.direction)
        if taken is not None and source.node_at(taken.source_address) is None:
            yield Finding(
                "connection_name_taken",
                Severity.BLOCKER,
                f"{facts.node.name} uses this connection name for {taken.source_host}:{taken.source_port}, "
                f"which is not a node of {source.name}.",
                "Choose another node, or rename that connection.",
                {"source": f"{taken.source_host}:{taken.source_port}"},
            )


def check_unreachable_holders(ctx: CheckContext) -> Iterator[Finding]:
    """An unreachable receiving node may still run a channel.

    The node is harmless once the Primary Component has expelled it: outside of the component nothing commits. The
    component's own size shows this. Otherwise an operator attests that the node is fenced.
    """
    for move in ctx.moves:
        yield from unreachable_holders(ctx, move)


def unreachable_holders(ctx: CheckContext, move: Move) -> Iterator[Finding]:
    """The findings of unreachable nodes that may run a channel of one direction."""
    cluster = ctx.link.receiving_cluster(move.direction)
    for node in cluster.nodes:
        if not node.is_up:
            yield _unseen(ctx, move, cluster, node)


def _unseen(ctx: CheckContext, move: Move, cluster: ClusterFacts, node: NodeFacts) -> Finding:
    name = node.node.name
    held = node.node.id == move.old_replica_id
    what = f"held the {move.direction} channel" if held else f"could run a {move.direction} channel"
    facts = {"node": name, "node_id": node.node.id, "reach": node.reach.value, "held": held}
    if is_expelled(cluster, node):
        return Finding(
            "unreachable_node_expelled",
            Severity.OK,
            f"{name} is unreachable ({node.reach.value}), and {cluster.name} has expelled it: nothing it runs can "
            "commit." + (f" Remove its stray {move.direction} channel when it returns." if held else ""),
            facts=facts,
        )
    if node.node.id in ctx.attested_fenced:
        return Finding(
            "unreachable_node_attested",
            Severity.WARNING,
            f"{name} is unreachable. An operator attested that it is fenced.",
            facts=facts,
        )
    return Finding(
        "unreachable_node_may_run",
        Severity.UNKNOWN,
        f"{name} is not responding ({node.reach.value}) and is still a member of {cluster.name}. It {what} and may "
        "still apply transactions.",
        f"Wait until {cluster.name} expels it, or fence {name} and attest that {name} is fenced.",
        facts,
    )


def _reads_another_log(ctx: CheckContext, move: Move) -> bool:
    """A channel whose source's log became another one gets its position anew, on the same nodes, too."""
    recorded = ctx.link.recorded_channel(move.direction)
    return recorded is not None and recorded.log_break is not None


def check_move_needed(ctx: CheckContext) -> Iterator[Finding]:
    """A plan that would move nothing, and set no list of ignored server_ids anew, is refused."""
    settled = [
        move
        for move in ctx.moves
        if move.holder is not None
        and move.holder.replica.node.id == move.replica.node.id
        and move.holder.source.id == move.source.node.id
        and move.holder.channel.io_running == "Yes"
        and move.holder.channel.sql_running == "Yes"
        and (guards_by_gtid(move.replica) or not loop_guard(ctx.link, move.direction).missing(move.replica))
        and not _reads_another_log(ctx, move)
    ]
    if len(settled) == len(ctx.moves):
        source, replica = ctx.pair
        yield Finding(
            "already_there",
            Severity.BLOCKER,
            f"Both channels already run between {source.node.name} and {replica.node.name}.",
            "Choose other nodes, or do nothing.",
        )

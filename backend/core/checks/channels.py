"""What stands now: the old channels, whether they can be trusted to be still, and what else is there."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext, Move
from backend.core.facts.membership import is_expelled
from backend.core.findings import Finding, Severity
from backend.core.topology import NODE_NOT_READY, ClusterFacts, NodeFacts


def check_channel_known(ctx: CheckContext) -> Iterator[Finding]:
    """Each direction has a channel, seen or recorded, whose settings the new one takes over."""
    for move in ctx.moves:
        if move.channel is None:
            yield Finding(
                "channel_unknown",
                Severity.UNKNOWN,
                f"No {move.direction} channel stands on a node that answers, and none was recorded: "
                "its settings are not known.",
                "Bring the node that held it back, or set the channel up by hand once.",
                {"direction": move.direction.value},
            )


CHANNEL_SQL_ERROR = "channel_sql_error"


def check_channel_errors(ctx: CheckContext) -> Iterator[Finding]:
    """A channel that stopped on a data error would stop on the same transaction anywhere.

    Unless that transaction was applied before: a relocate looks (`plans.behind`).
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
                "(error 1047); no transaction failed.",
                facts={"errno": channel.sql_errno},
            )
        else:
            yield Finding(
                CHANNEL_SQL_ERROR,
                Severity.BLOCKER,
                f"The {move.direction} channel stopped on error {channel.sql_errno}: {channel.sql_error[:300]}",
                "Mend the data on the replica first; moving the channel does not skip the transaction.",
                {"errno": channel.sql_errno, "direction": move.direction.value},
            )


def check_sites_connected(ctx: CheckContext) -> Iterator[Finding]:
    """A living replica that cannot connect to a living source points at the way between the sites.

    New channels would stand on the same way. A person who knows better attests it.
    """
    for move in ctx.moves:
        holder = move.holder
        if holder is None or holder.channel.io_running in ("Yes", "No"):
            continue
        if not ctx.link.node(holder.source.id).is_up:
            continue
        channel = holder.channel
        facts = {"replica": holder.replica.node.name, "source": holder.source.name, "errno": channel.io_errno}
        named = f" (error {channel.io_errno}: {channel.io_error[:200]})" if channel.io_errno else ""
        sentence = f"{holder.replica.node.name} cannot connect to {holder.source.name}, though both live{named}"
        if ctx.attested_path:
            yield Finding("site_path_attested", Severity.WARNING, f"{sentence}; a person attests the way.", facts=facts)
            continue
        yield Finding(
            "site_path_unknown",
            Severity.UNKNOWN,
            f"{sentence}: the way between the sites may be cut, and a new channel would wait just the same.",
            "Mend the way and plan again; or, where only this node's address is blocked, attest the way.",
            {**facts, "option": "attest_site_path"},
        )


def check_second_channel(ctx: CheckContext) -> Iterator[Finding]:
    """Never two channels carrying one direction, running or merely configured."""
    for move in ctx.moves:
        running = [holder for holder in move.strays if holder.channel.is_running]
        for holder in running:
            yield Finding(
                "second_channel",
                Severity.BLOCKER,
                f"{holder.replica.node.name} also runs a {move.direction} channel, from {holder.source.name}: "
                "transactions may be applied twice.",
                f"Clean {holder.replica.node.name} first (plan kind “clean”).",
                {"node": holder.replica.node.name, "source": holder.source.name},
            )
        for holder in move.strays:
            if holder not in running:
                yield Finding(
                    "stray_channel",
                    Severity.WARNING,
                    f"{holder.replica.node.name} still has a stopped {move.direction} channel; the plan removes it.",
                    facts={"node": holder.replica.node.name},
                )
        unread = list(unread_channels(ctx, move))
        yield from unread
        if not unread and not move.strays:
            yield Finding(
                "single_channel", Severity.OK, f"No second {move.direction} channel on any node that answers."
            )


def unread_channels(ctx: CheckContext, move: Move) -> Iterator[Finding]:
    """What a receiving node does not tell, another channel may be."""
    unread = [node.node.name for node in nodes_with_unread_channels(ctx, move)]
    if unread:
        yield Finding(
            "channels_unknown",
            Severity.UNKNOWN,
            f"The replication channels of {', '.join(unread)} are not known: a second {move.direction} channel may "
            "stand there.",
            "Grant SLAVE MONITOR to the monitor account.",
            {"nodes": unread},
        )


def nodes_with_unread_channels(ctx: CheckContext, move: Move) -> list[NodeFacts]:
    """Receiving nodes that answer, but not what channels they hold."""
    return [n for n in ctx.link.receiving_cluster(move.direction).nodes if n.is_up and n.channels is None]


def check_connection_name_free(ctx: CheckContext) -> Iterator[Finding]:
    """The connection name must not be in use on the new replica for something else."""
    for move in ctx.moves:
        facts = move.replica
        if facts.channels is None:
            yield Finding(
                "channels_unknown",
                Severity.UNKNOWN,
                f"The replication channels of {facts.node.name} are not known.",
                "Grant SLAVE MONITOR to the monitor account.",
            )
            continue
        taken = facts.channel(ctx.link.channel_name)
        source = ctx.link.source_cluster(move.direction)
        if taken is not None and source.node_at(taken.source_address) is None:
            yield Finding(
                "connection_name_taken",
                Severity.BLOCKER,
                f"{facts.node.name} uses this connection name for {taken.source_host}:{taken.source_port}, "
                f"which is no node of {source.name}.",
                "Choose another node, or rename that connection.",
                {"source": f"{taken.source_host}:{taken.source_port}"},
            )


def check_unreachable_holders(ctx: CheckContext) -> Iterator[Finding]:
    """A receiving node that cannot be seen may still run a channel.

    It is harmless while the Primary Component has expelled it: outside of it nothing commits.
    That is told by the component's own size. Otherwise a person attests that it is fenced.
    """
    for move in ctx.moves:
        yield from unreachable_holders(ctx, move)


def unreachable_holders(ctx: CheckContext, move: Move) -> Iterator[Finding]:
    """The same of one direction."""
    cluster = ctx.link.receiving_cluster(move.direction)
    for node in cluster.nodes:
        if not node.is_up:
            yield _unseen(ctx, move, cluster, node)


def _unseen(ctx: CheckContext, move: Move, cluster: ClusterFacts, node: NodeFacts) -> Finding:
    name = node.node.name
    held = node.node.id == move.old_replica_id
    what = f"it held the {move.direction} channel" if held else f"it could run a {move.direction} channel"
    facts = {"node": name, "node_id": node.node.id, "reach": node.reach.value, "held": held}
    if is_expelled(cluster, node):
        return Finding(
            "unreachable_node_expelled",
            Severity.OK,
            f"{name} is not seen ({node.reach.value}), and {cluster.name} has expelled it: nothing it runs can commit. "
            + (f"On its return its old {move.direction} channel must be cleaned." if held else ""),
            facts=facts,
        )
    if node.node.id in ctx.attested_fenced:
        return Finding(
            "unreachable_node_attested",
            Severity.WARNING,
            f"{name} is not seen; a person attests that it is fenced.",
            facts=facts,
        )
    return Finding(
        "unreachable_node_may_run",
        Severity.UNKNOWN,
        f"{name} does not answer ({node.reach.value}), {what}, and {cluster.name} still counts it as a member.",
        f"Wait until the cluster expels it, or fence {name} and attest it.",
        facts,
    )


def check_move_needed(ctx: CheckContext) -> Iterator[Finding]:
    """A plan that would move nothing is refused: there is nothing to prove or to do."""
    settled = [
        move
        for move in ctx.moves
        if move.holder is not None
        and move.holder.replica.node.id == move.replica.node.id
        and move.holder.source.id == move.source.node.id
        and move.holder.channel.io_running == "Yes"
        and move.holder.channel.sql_running == "Yes"
    ]
    if len(settled) == len(ctx.moves):
        source, replica = ctx.pair
        yield Finding(
            "already_there",
            Severity.BLOCKER,
            f"Both channels already stand on {source.node.name} and {replica.node.name} and run.",
            "Choose other nodes, or leave it.",
        )

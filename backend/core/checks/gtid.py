"""Checks of channels in GTID mode: they are moved by GTID where both clusters number transactions cluster-wide.

The requirements were measured on MariaDB 10.11.19 (docs/explanation/replication-variants.md); every other setup is
refused with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext, Move
from backend.core.dialects.known_defects import BY_ID, GTID_ON_ONE_NODE, defects_of
from backend.core.facts.variables import how_to_read
from backend.core.findings import Finding, Severity
from backend.core.plural import pick
from backend.core.topology import AUTO_POSITION, ClusterFacts, NodeFacts

_ON = ("ON", "1")


def check_gtid_mode(ctx: CheckContext) -> Iterator[Finding]:
    """A channel by file and position needs nothing, one by `slave_pos` needs cluster-wide GTIDs; others are refused.

    One with auto-position has checks of its own (`auto_position`).
    """
    modes = {move.direction: move.channel.using_gtid if move.channel else "No" for move in ctx.moves}
    by_gtid = [move for move in ctx.moves if modes[move.direction].lower() == "slave_pos"]
    for move in ctx.moves:
        if modes[move.direction].lower() not in ("no", "slave_pos", AUTO_POSITION.lower()):
            yield _other_mode(move, modes[move.direction])
    if not by_gtid:
        return
    found = [*_release(ctx), *_numbering(ctx), *(f for move in by_gtid for f in _replica(ctx, move))]
    yield from found
    if not found:
        domains = ", ".join(f"{c.name} {_domain(c)}" for c in ctx.clusters)
        yield Finding(
            "gtid_cluster_wide",
            Severity.OK,
            f"Channels use GTIDs, and both clusters number their transactions cluster-wide: domains {domains}.",
        )


def _other_mode(move: Move, mode: str) -> Finding:
    return Finding(
        "channel_uses_gtid",
        Severity.BLOCKER,
        f"The {move.direction} channel uses MASTER_USE_GTID={mode or '?'}. It then takes its position from its own "
        "binary log, too. Where both clusters write, that is no position in the source's log.",
        "Set MASTER_USE_GTID=slave_pos (or no) on the channel while it is healthy.",
        {"using_gtid": mode},
    )


def _release(ctx: CheckContext) -> Iterator[Finding]:
    """A release that stores gtid_slave_pos on one node alone has no position for a neighbour of it."""
    defect = BY_ID[GTID_ON_ONE_NODE]
    for node in ctx.link.nodes:
        if node.is_up and defect in defects_of(node.flavor, node.version, None):
            yield Finding(
                "gtid_release_unfit",
                Severity.BLOCKER,
                f"Channels use GTIDs, and {node.node.name} runs {node.version}: {defect.effect} ({defect.id})",
                defect.remedy,
                {"node": node.node.name, "version": node.version, "defect": defect.id},
            )


def _numbering(ctx: CheckContext) -> Iterator[Finding]:
    """Each cluster has one domain and one server_id, which Galera uses on every node that responds."""
    for cluster in ctx.clusters:
        live = [node for node in cluster.nodes if node.is_up]
        modes = {node.node.name: node.variable("wsrep_gtid_mode") for node in live}
        off = [name for name, mode in modes.items() if mode is None or mode.upper() not in _ON]
        if off:
            yield Finding(
                "gtid_not_cluster_wide",
                Severity.BLOCKER if all(modes[name] is not None for name in off) else Severity.UNKNOWN,
                f"Channels use GTIDs, but {', '.join(off)} of {cluster.name} {pick(len(off), 'does', 'do')} not run "
                "with wsrep_gtid_mode=ON. Each node then numbers for itself: one GTID names different transactions.",
                "Set wsrep_gtid_mode=ON on every node, or MASTER_USE_GTID=no on the channels.",
                {"wsrep_gtid_mode": modes},
            )
        if len(cluster.server_ids) > 1:
            yield Finding(
                "gtid_server_ids_differ",
                Severity.BLOCKER,
                f"{cluster.name} has server_ids {', '.join(map(str, cluster.server_ids))}. With wsrep_gtid_mode its "
                "GTIDs contain one of them, whichever node wrote.",
                "Give all nodes of a cluster one server_id, or set MASTER_USE_GTID=no on the channels.",
                {"server_ids": list(cluster.server_ids)},
            )
    domains = [_domain(cluster) for cluster in ctx.clusters]
    if None in domains or domains[0] == domains[1]:
        yield Finding(
            "gtid_domains_not_apart",
            Severity.UNKNOWN if None in domains else Severity.BLOCKER,
            "wsrep_gtid_domain_id must be equal on all nodes of a cluster and differ between the clusters. Seen: "
            + ", ".join(f"{c.name} {_domain(c) or 'differs or is unknown'}" for c in ctx.clusters)
            + ".",
            "Set one wsrep_gtid_domain_id on all nodes of a cluster, and another one on the other side.",
            {"domains": domains},
        )


def _domain(cluster: ClusterFacts) -> str | None:
    """The cluster's domain as all its live nodes report it; None where they differ or do not report it."""
    domains = {node.variable("wsrep_gtid_domain_id") for node in cluster.nodes if node.is_up}
    return domains.pop() if len(domains) == 1 else None


def _replica(ctx: CheckContext, move: Move) -> Iterator[Finding]:
    """gtid_slave_pos is one variable of the whole server: no other connection may use it."""
    node = move.replica
    unread = [name for name in ("gtid_slave_pos", "gtid_strict_mode") if node.variable(name) is None]
    if unread:
        yield Finding(
            "gtid_state_unknown",
            Severity.UNKNOWN,
            f"{' and '.join(unread)} of {node.node.name} {pick(len(unread), 'is', 'are')} unknown.",
            how_to_read(node.node.name, unread),
            {"variables": unread},
        )
    other_channels = list(_other_channels(ctx, move, node))
    if other_channels:
        yield Finding(
            "gtid_other_channel",
            Severity.BLOCKER,
            f"{node.node.name} has another connection ({', '.join(other_channels)}). All connections share "
            "gtid_slave_pos, and it can be set only while none runs.",
            "Choose another replica node, or remove that connection.",
            {"connections": other_channels},
        )


def _other_channels(ctx: CheckContext, move: Move, node: NodeFacts) -> Iterator[str]:
    source = ctx.link.source_cluster(move.direction)
    for channel in node.channels or ():
        if source.node_at(channel.source_address) is None:
            yield channel.name or f"{channel.source_host}:{channel.source_port}"

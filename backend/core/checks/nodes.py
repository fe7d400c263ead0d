"""Are the two nodes that shall hold the channels alive, Synced, and who we think they are?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import FACTS_LIMIT_S, CheckContext
from backend.core.facts.membership import bypasses_replication
from backend.core.facts.server_identity import IDENTITY_VARIABLES
from backend.core.findings import Finding, Severity
from backend.core.topology import NodeFacts, Reach

SYNCED = 4


def check_reachable(ctx: CheckContext) -> Iterator[Finding]:
    """The new nodes answer, and what they said is fresh."""
    for node in ctx.subjects:
        name = node.node.name
        facts = {"node": name, "reach": node.reach.value, "error": node.error}
        age_s = ctx.now_s - node.observed_at_s
        if node.reach is not Reach.UP:
            severity = Severity.UNKNOWN if node.reach is Reach.UNKNOWN else Severity.BLOCKER
            yield Finding(
                "node_unreachable",
                severity,
                f"{name} does not answer ({node.reach.value}): {node.error or 'nothing heard of it yet'}.",
                "Choose another node, or bring this one back.",
                facts,
            )
        elif age_s > FACTS_LIMIT_S:
            yield Finding(
                "facts_stale",
                Severity.UNKNOWN,
                f"What is known of {name} is {age_s:.0f} s old.",
                "Make the plan again once the node answers.",
                facts | {"age_s": age_s},
            )
        else:
            yield Finding("node_reachable", Severity.OK, f"{name} answers.", facts=facts)


def check_identity(ctx: CheckContext) -> Iterator[Finding]:
    """A node that does not say which server it is cannot be told from one that its address leads to by mistake."""
    for node in ctx.link.nodes:
        unread = [part for part in IDENTITY_VARIABLES if node.variable(part) is None]
        if node.is_up and unread:
            yield Finding(
                "identity_unknown",
                Severity.UNKNOWN,
                f"{node.node.name} answers, but which server it is was not read ({', '.join(unread)}): "
                "statements could reach another one.",
                "Check the monitor account; or shut the node down.",
                {"node": node.node.name, "unread": unread},
            )


def check_primary(ctx: CheckContext) -> Iterator[Finding]:
    """Both nodes are in the Primary Component and Synced: only such a node applies and binlogs all."""
    for node in ctx.subjects:
        yield membership_finding(node)


def membership_finding(node: NodeFacts) -> Finding:
    """Whether the node is a Synced member of the Primary Component that replicates what is written on it."""
    return bypasses_replication(node) or _primary(node)


def _primary(node: NodeFacts) -> Finding:
    name, wsrep = node.node.name, node.wsrep
    if wsrep is None:
        return Finding("wsrep_unknown", Severity.UNKNOWN, f"Galera's status of {name} is not known.", "Check the node.")
    facts = {
        "node": name,
        "cluster_status": wsrep.cluster_status,
        "state": wsrep.state,
        "ready": wsrep.ready,
        "connected": wsrep.connected,
        "desync_count": wsrep.desync_count,
    }
    if wsrep.cluster_status != "Primary":
        return Finding(
            "node_not_primary",
            Severity.BLOCKER,
            f"{name} is {wsrep.cluster_status}: it is cut from its cluster and holds no current data.",
            "Choose a node of the Primary Component.",
            facts,
        )
    if wsrep.local_state != SYNCED or not wsrep.ready or not wsrep.connected or wsrep.desync_count:
        return Finding(
            "node_not_synced",
            Severity.BLOCKER,
            f"{name} is {wsrep.state}, not Synced{'' if wsrep.ready else ' and not ready'}.",
            "Wait until it is Synced, or choose another node.",
            facts,
        )
    return Finding("node_synced", Severity.OK, f"{name} is Synced in the Primary Component.", facts=facts)


def check_state_uuid(ctx: CheckContext) -> Iterator[Finding]:
    """Each cluster is the incarnation that was recorded: a seqno means nothing across a re-bootstrap."""
    for node in ctx.subjects:
        cluster, wsrep = ctx.cluster_of(node), node.wsrep
        recorded = cluster.recorded_state_uuid
        if wsrep is None or recorded is None:
            yield Finding(
                "state_uuid_unknown",
                Severity.UNKNOWN,
                f"The history of {cluster.name} cannot be identified: its state UUID is not known.",
                "Wait for the monitor to read a Synced node of it.",
            )
            continue
        facts = {"node": node.node.name, "recorded": recorded, "now": wsrep.state_uuid}
        if wsrep.state_uuid != recorded or wsrep.local_state_uuid != wsrep.state_uuid:
            yield Finding(
                "state_uuid_changed",
                Severity.BLOCKER,
                f"{node.node.name} belongs to another history than the one recorded for {cluster.name} "
                f"({wsrep.state_uuid[:8]} instead of {recorded[:8]}).",
                "It was bootstrapped anew or restored: accept its new history first (plan kind accept_state_uuid).",
                facts,
            )
        else:
            yield Finding(
                "state_uuid_same",
                Severity.OK,
                f"{cluster.name} is the history recorded ({recorded[:8]}).",
                facts=facts,
            )


def check_version(ctx: CheckContext) -> Iterator[Finding]:
    """A replica older than its source may not understand its events."""
    for move in ctx.moves:
        source, replica = move.source, move.replica
        facts = {"source": source.version, "replica": replica.version}
        pair = f"{source.node.name} ({source.version}) to {replica.node.name} ({replica.version})"
        if source.version is None or replica.version is None or source.flavor != replica.flavor:
            yield Finding(
                "version_unknown",
                Severity.UNKNOWN,
                f"Versions of {pair} are not known or not of one family.",
                "Both nodes must be of one server family.",
                facts,
            )
        elif _major(replica.version) < _major(source.version):
            yield Finding(
                "replica_older",
                Severity.BLOCKER,
                f"The replica is older than its source: {pair}.",
                "Choose a replica of the same or a later version.",
                facts,
            )
        else:
            yield Finding("version_fits", Severity.OK, f"Versions fit: {pair}.", facts=facts)


def _major(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("-", maxsplit=1)[0].split(".")[:2])


def check_clock(ctx: CheckContext) -> Iterator[Finding]:
    """Clocks apart by seconds spoil lag figures, not positions: a warning, never more."""
    for node in ctx.subjects:
        offset = node.clock_offset_s
        if offset is None:
            yield Finding(
                "clock_unknown",
                Severity.INFO,
                f"The clock of {node.node.name} was not read; positions do not depend on it.",
            )
        elif abs(offset) > 2.0:
            yield Finding(
                "clock_skew",
                Severity.WARNING,
                f"The clock of {node.node.name} is {offset:+.1f} s off: lag in seconds will mislead.",
                "Synchronise its clock.",
                {"offset_s": offset},
            )

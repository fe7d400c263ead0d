"""Checks that the two nodes for the channels are up, Synced, and the servers that were registered."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import FACTS_LIMIT_S, CheckContext
from backend.core.facts.log_continuity import history_in_doubt, stop_first, without_a_seam
from backend.core.facts.membership import bypasses_replication
from backend.core.facts.server_identity import IDENTITY_VARIABLES, replaced_finding, replacements
from backend.core.facts.variables import how_to_read
from backend.core.findings import Finding, Severity
from backend.core.topology import ClusterFacts, NodeFacts, Reach

SYNCED = 4


def check_reachable(ctx: CheckContext) -> Iterator[Finding]:
    """The new nodes respond, and their facts are fresh."""
    for node in ctx.subjects:
        name = node.node.name
        facts = {"node": name, "reach": node.reach.value, "error": node.error}
        age_s = ctx.now_s - node.observed_at_s
        if node.reach is not Reach.UP:
            severity = Severity.UNKNOWN if node.reach is Reach.UNKNOWN else Severity.BLOCKER
            yield Finding(
                "node_unreachable",
                severity,
                f"{name} is unreachable ({node.reach.value}): {node.error or 'it was not polled yet'}.",
                "Choose another node, or bring this one back.",
                facts,
            )
        elif age_s > FACTS_LIMIT_S:
            yield Finding(
                "facts_stale",
                Severity.UNKNOWN,
                f"The data of {name} is {age_s:.0f} s old; a plan needs {FACTS_LIMIT_S:.0f} s or less.",
                "Create the plan again once the node responds.",
                facts | {"age_s": age_s},
            )
        else:
            yield Finding("node_reachable", Severity.OK, f"{name} is reachable.", facts=facts)


def check_identity(ctx: CheckContext) -> Iterator[Finding]:
    """Each node is known to be the recorded server: statements must not reach another one at its address."""
    for node in ctx.link.nodes:
        unread = [part for part in IDENTITY_VARIABLES if node.variable(part) is None]
        if node.is_up and unread:
            yield Finding(
                "identity_unknown",
                Severity.UNKNOWN,
                f"{node.node.name} responds, but its identity was not read ({', '.join(unread)}). "
                "Statements could reach another server.",
                f"{how_to_read(node.node.name, unread)} Or shut the node down.",
                {"node": node.node.name, "unread": unread},
            )
    subjects = {node.node.id for node in ctx.subjects}
    for cluster in ctx.clusters:
        for one in replacements(cluster):
            yield replaced_finding(one, is_used=one.node.node.id in subjects)


def check_primary(ctx: CheckContext) -> Iterator[Finding]:
    """Both nodes are Synced in the Primary Component: only such a node applies and logs every transaction."""
    for node in ctx.subjects:
        yield membership_finding(node)


def membership_finding(node: NodeFacts) -> Finding:
    """Whether the node is a Synced member of the Primary Component that replicates what is written on it."""
    return bypasses_replication(node) or _primary(node)


def _primary(node: NodeFacts) -> Finding:
    name, wsrep = node.node.name, node.wsrep
    if wsrep is None:
        remedy = f"Every account may read it. Check that Galera is loaded on {name} (wsrep_provider, wsrep_on=ON)."
        return Finding("wsrep_unknown", Severity.UNKNOWN, f"The Galera status of {name} is unknown.", remedy)
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
            f"{name} is {wsrep.cluster_status}: it has lost its cluster and its data may be stale.",
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
    """Each cluster has the recorded state UUID: a seqno has no meaning across a re-bootstrap."""
    told: set[str] = set()
    for node in ctx.subjects:
        cluster, wsrep = ctx.cluster_of(node), node.wsrep
        recorded = cluster.recorded_state_uuid
        if wsrep is None or recorded is None:
            yield Finding(
                "state_uuid_unknown",
                Severity.UNKNOWN,
                f"The state UUID of {cluster.name} is unknown.",
                f"Wait until the monitor has read a Synced node of {cluster.name}.",
            )
            continue
        facts = {"node": node.node.name, "recorded": recorded, "now": wsrep.state_uuid}
        if wsrep.state_uuid != recorded or wsrep.local_state_uuid != wsrep.state_uuid:
            yield Finding(
                "state_uuid_changed",
                Severity.BLOCKER,
                f"{node.node.name} has cluster state UUID {wsrep.state_uuid[:8]}; {cluster.name} was registered with "
                f"{recorded[:8]}. It was bootstrapped again or restored.",
                _way_to_another_history(ctx, cluster),
                facts,
            )
        elif cluster.id not in told:
            told.add(cluster.id)
            yield Finding(
                "state_uuid_same",
                Severity.OK,
                f"{cluster.name} has the recorded state UUID ({recorded[:8]}).",
                facts=facts,
            )


def _way_to_another_history(ctx: CheckContext, cluster: ClusterFacts) -> str:
    """In another log than before it is not accepted either, and would send back here."""
    recorded = history_in_doubt(ctx.link, cluster)
    if recorded is None or recorded.log_break is None:
        return "Accept the new state UUID first (plan kind accept_state_uuid)."
    return f"{stop_first(ctx.link, recorded)} {without_a_seam(ctx.link, cluster)}"


def check_clock(ctx: CheckContext) -> Iterator[Finding]:
    """Clocks that differ by seconds falsify lag figures, not positions, so this is at most a warning."""
    for node in ctx.subjects:
        offset = node.clock_offset_s
        if offset is None:
            yield Finding(
                "clock_unknown",
                Severity.INFO,
                f"The clock of {node.node.name} was not read. Positions do not depend on it.",
            )
        elif abs(offset) > 2.0:
            yield Finding(
                "clock_skew",
                Severity.WARNING,
                f"The clock of {node.node.name} is off by {offset:+.1f} s, so lag in seconds is inaccurate.",
                "Synchronize its clock.",
                {"offset_s": offset},
            )

"""Checks of a reprotect: was the side lost in a failover, which incarnation came back, and can its nodes be fenced?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.findings import Finding, Severity
from backend.core.topology import ClusterFacts


def check_divergence_recorded(ctx: CheckContext) -> Iterator[Finding]:
    """There is something to reprotect from: a recorded failover whose lost side stands by now."""
    divergence = ctx.link.divergence
    if divergence is None:
        yield Finding(
            "nothing_to_reprotect",
            Severity.BLOCKER,
            "No side of this link was lost in a failover.",
            "To move channels use relocate, to change the active side switchover.",
        )
    elif divergence.lost_cluster_id != ctx.link.standby.id:
        yield Finding(
            "roles_changed_since",
            Severity.BLOCKER,
            "The side that was lost takes writes now: the roles were changed since the failover.",
            "Have it looked at by hand.",
        )


def check_incarnation(ctx: CheckContext) -> Iterator[Finding]:
    """The survivor is who it was; a lost side with another state UUID was re-bootstrapped or rebuilt."""
    for node in ctx.pair:
        cluster, wsrep = ctx.cluster_of(node), node.wsrep
        if wsrep is None or cluster.recorded_state_uuid is None:
            yield Finding(
                "state_uuid_unknown",
                Severity.UNKNOWN,
                f"The history of {cluster.name} cannot be identified: its state UUID is not known.",
                "Wait for the monitor to read a Synced node of it.",
            )
        elif wsrep.state_uuid == cluster.recorded_state_uuid:
            continue
        elif cluster.id == ctx.link.standby.id:
            yield _another(ctx, cluster, wsrep.state_uuid)
        else:
            yield Finding(
                "state_uuid_changed",
                Severity.BLOCKER,
                f"{cluster.name}, which takes writes, shows another history than the one recorded.",
                "Find out what happened to it before anything else.",
                {"recorded": cluster.recorded_state_uuid, "now": wsrep.state_uuid},
            )


def _another(ctx: CheckContext, cluster: ClusterFacts, state_uuid: str) -> Finding:
    """Told apart by what its nodes ever logged: a copy has nothing of its own ids in its log."""
    back = returned_side(ctx.link)
    recorded = cluster.recorded_state_uuid or ""
    facts = {"recorded": recorded, "now": state_uuid, "is": back.kind.value if back else None}
    message = f"{cluster.name} came back with another state UUID ({state_uuid[:8]} instead of {recorded[:8]})"
    if back is not None and back.kind is Incarnation.REBUILT:
        return Finding("rebuilt", Severity.INFO, f"{message}: it was rebuilt, its log begins with it.", facts=facts)
    return Finding(
        "rebootstrapped",
        Severity.WARNING,
        f"{message}: it was re-bootstrapped. Its numbers before and after do not compare; content decides.",
        facts=facts,
    )


def check_returned_nodes_can_be_fenced(ctx: CheckContext) -> Iterator[Finding]:
    """Orphans can only be counted on a side that writes none any more."""
    for node in ctx.link.standby.nodes:
        facts = {"node": node.node.name, "node_id": node.node.id, "reach": node.reach.value}
        if node.is_up and node.variable("read_only") is None:
            yield Finding(
                "node_cannot_be_fenced",
                Severity.UNKNOWN,
                f"{node.node.name} does not say whether it is read_only.",
                "Check the monitor account.",
                facts,
            )

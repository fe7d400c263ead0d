"""Checks of a reprotect: the recorded failover, the state UUID of the returned side, and whether it can be fenced."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.facts.variables import how_to_read
from backend.core.findings import Finding, Severity
from backend.core.topology import ClusterFacts


def check_divergence_recorded(ctx: CheckContext) -> Iterator[Finding]:
    """A failover is recorded, and its lost side is the standby side now."""
    divergence = ctx.link.divergence
    if divergence is None:
        yield Finding(
            "nothing_to_reprotect",
            Severity.BLOCKER,
            "No side of this link was lost in a failover.",
            "Use relocate to move channels, or switchover to change the active side.",
        )
    elif divergence.lost_cluster_id != ctx.link.standby.id:
        yield Finding(
            "roles_changed_since",
            Severity.BLOCKER,
            "The lost side is active now: the roles were changed since the failover.",
            "Stop and investigate: compare the current roles with the recorded failover before any other operation.",
        )


def check_incarnation(ctx: CheckContext) -> Iterator[Finding]:
    """The survivor has its recorded state UUID; a lost side with another one was re-bootstrapped or rebuilt."""
    for node in ctx.pair:
        cluster, wsrep = ctx.cluster_of(node), node.wsrep
        if wsrep is None or cluster.recorded_state_uuid is None:
            yield Finding(
                "state_uuid_unknown",
                Severity.UNKNOWN,
                f"The state UUID of {cluster.name} is unknown.",
                f"Wait until the monitor has read a Synced node of {cluster.name}.",
            )
        elif wsrep.state_uuid == cluster.recorded_state_uuid:
            continue
        elif cluster.id == ctx.link.standby.id:
            yield _another(ctx, cluster, wsrep.state_uuid)
        else:
            yield Finding(
                "state_uuid_changed",
                Severity.BLOCKER,
                f"{cluster.name} is the active side and has another state UUID than the recorded one.",
                f"Find out what happened to {cluster.name} before any other operation.",
                {"recorded": cluster.recorded_state_uuid, "now": wsrep.state_uuid},
            )


def _another(ctx: CheckContext, cluster: ClusterFacts, state_uuid: str) -> Finding:
    """The finding of a side with another state UUID.

    The server_ids that its nodes ever logged identify it: a copy has logged none of its own.
    """
    back = returned_side(ctx.link)
    recorded = cluster.recorded_state_uuid or ""
    facts = {"recorded": recorded, "now": state_uuid, "is": back.kind.value if back else None}
    message = f"{cluster.name} returned with another state UUID ({state_uuid[:8]} instead of {recorded[:8]})."
    if back is not None and back.kind is Incarnation.REBUILT:
        sentence = f"{message} It was rebuilt, and its binary log starts at the rebuild."
        return Finding("rebuilt", Severity.INFO, sentence, facts=facts)
    return Finding(
        "rebootstrapped",
        Severity.WARNING,
        f"{message} It was bootstrapped again. Its seqnos before and after do not compare: content decides.",
        facts=facts,
    )


def check_returned_nodes_can_be_fenced(ctx: CheckContext) -> Iterator[Finding]:
    """Orphaned transactions can be counted only on a side that accepts no more writes."""
    for node in ctx.link.standby.nodes:
        facts = {"node": node.node.name, "node_id": node.node.id, "reach": node.reach.value}
        if node.is_up and node.variable("read_only") is None:
            yield Finding(
                "node_cannot_be_fenced",
                Severity.UNKNOWN,
                f"{node.node.name} does not report read_only.",
                how_to_read(node.node.name, ("read_only",)),
                facts,
            )

"""Checks of a reprotect: the recorded failover, the state UUID of the returned side, and whether it can be fenced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from backend.core.checks.context import CheckContext
from backend.core.checks.fencing import cannot_be_fenced
from backend.core.checks.nodes import check_reachable
from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.findings import Finding, Severity
from backend.core.link_state.clusters import takes_writes
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
        unread = cannot_be_fenced(ctx, node) if node.is_up else None
        yield from [unread] if unread else ()


def check_returned_nodes_are_seen(ctx: CheckContext) -> Iterator[Finding]:
    """A fence covers the nodes that respond; the others are named, and none at all is nothing to fence."""
    back = ctx.link.standby
    up = tuple(node for node in back.nodes if node.is_up)
    yield from check_reachable(replace(ctx, focus=up or back.nodes))
    for node in back.nodes if up else ():
        if not node.is_up:
            name = node.node.name
            yield Finding(
                "returned_node_not_fenced",
                Severity.WARNING,
                f"{name} is not responding ({node.reach.value}): this run does not fence it. It may accept writes.",
                f"Fence {name}, too, as soon as it responds, or shut it down.",
                {"node": name, "node_id": node.node.id, "reach": node.reach.value},
            )


def check_survivor_takes_writes(ctx: CheckContext) -> Iterator[Finding]:
    """The returned side is not fenced while it may be the only one that accepts writes."""
    survivor, back = ctx.link.active, ctx.link.standby.name
    if takes_writes(survivor):
        return
    up = [node for node in survivor.nodes if node.is_up]
    is_known = bool(up) and all(node.variable("read_only") for node in up)
    accepts = "accepts writes" if is_known else "is known to accept writes"
    yield Finding(
        "survivor_not_writable",
        Severity.BLOCKER if is_known else Severity.UNKNOWN,
        f"No node of {survivor.name} {accepts}. Once {back} is fenced, no side may be writable.",
        f"Bring {survivor.name} back so that a Synced node of it accepts writes. If {back} must be fenced before: "
        "SET GLOBAL read_only=ON on each of its nodes.",
        {"cluster_id": survivor.id, "up": [node.node.name for node in up]},
    )

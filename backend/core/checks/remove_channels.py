"""Checks of removing a link's channels: is everything known that ends with them?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.topology import NodeFacts

_LEAVE_IT = "Or retire the link and leave its channels as they are."


def check_no_open_divergence(ctx: CheckContext) -> Iterator[Finding]:
    """A reprotect takes the settings and the position of the channels, and compares what the lost side holds alone."""
    divergence = ctx.link.divergence
    if divergence is None:
        return
    lost = next(side for side in ctx.clusters if side.id == divergence.lost_cluster_id)
    yield Finding(
        "reprotect_first",
        Severity.BLOCKER,
        f"{lost.name} was lost in a failover and is not attached again. Without the channels and their records the "
        f"transactions that only {lost.name} has could not be listed, and it could not be attached any more.",
        f"Reprotect {lost.name} first.",
        {"cluster_id": lost.id, "run_id": divergence.run_id},
    )


def check_every_node_was_read(ctx: CheckContext) -> Iterator[Finding]:
    """Each node reports its channels: one that was not read may hold a channel, and starts it again later."""
    for node in ctx.link.nodes:
        name = node.node.name
        facts = {"node": name, "node_id": node.node.id, "reach": node.reach.value}
        if not node.is_up:
            yield Finding(
                "node_may_hold_channel",
                Severity.UNKNOWN,
                f"{name} is not responding ({node.reach.value}). It {_holds(ctx.link, node)}, which would start again "
                "when the node returns.",
                f"Start {name}, then create the plan again. {_LEAVE_IT}",
                facts,
            )
        elif node.channels is None:
            yield Finding(
                "channels_unknown",
                Severity.UNKNOWN,
                f"The replication channels of {name} are unknown. It {_holds(ctx.link, node)}.",
                f"Grant SLAVE MONITOR to the monitor account. {_LEAVE_IT}",
                facts,
            )


def _holds(link: LinkFacts, node: NodeFacts) -> str:
    recorded = next((one for one in link.recorded if one.replica_node_id == node.node.id), None)
    return "may hold a channel of the link" if recorded is None else f"held the {recorded.direction} channel"

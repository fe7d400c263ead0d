"""What a restart does to a fence: a run sets read_only at run time, and the option file decides afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts, SideFence
from backend.core.plural import pick
from backend.core.topology import ClusterFacts, NodeFacts

RESTART_SLACK_S = 2.0
"""A server reports its uptime in whole seconds."""


def was_restarted(node: NodeFacts, fence: SideFence) -> bool:
    """Whether the server is known to have been started since the run fenced its side."""
    return node.uptime_s is not None and node.observed_at_s - node.uptime_s > fence.fenced_at_s - RESTART_SLACK_S


def restart_opens_finding(link: LinkFacts, side: ClusterFacts, nodes: Sequence[NodeFacts]) -> Finding | None:
    """Nodes of a fenced side, before they are restarted, of which nothing shows that they start read-only.

    One that was started since and is read-only has it in its file; a running server hides what its file says.
    """
    fence = link.fence_of(side.id)
    if fence is None:
        return None
    found = [node.node.name for node in nodes if node.variable("read_only") != "ON" or not was_restarted(node, fence)]
    if not found:
        return None
    names, one = ", ".join(found), len(found)
    return Finding(
        "restart_opens_fence",
        Severity.WARNING,
        f"Run {fence.run_id} ({fence.kind}) fenced {side.name} by SET GLOBAL read_only=ON, which a restart forgets. "
        f"Nothing shows that {names} {pick(one, 'has', 'have')} read_only=ON in the option file: "
        f"{pick(one, 'it', 'they')} may accept writes after a restart.",
        f"Set read_only=ON in section [mariadb] of the option file of {names} before you restart "
        f"{pick(one, 'it', 'them')}. Otherwise fence {side.name} again as soon as {pick(one, 'it', 'they')} "
        f"{pick(one, 'runs', 'run')} (plan kind fence_standby).",
        {"cluster_id": side.id, "nodes": found, "run_id": fence.run_id},
    )

"""The order in which the nodes of a cluster are restarted for a change: those of the link last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.advice.changes import Change
from backend.core.advice.facts import ClusterConfiguration


@dataclass(frozen=True, slots=True)
class RestartStep:
    """One node to restart, and what to do before and after."""

    node_id: str
    node: str
    carries_channel: bool
    sentence: str


def restart_order(cluster: ClusterConfiguration, changes: Sequence[Change]) -> list[RestartStep]:
    """The nodes with a change that needs a restart; none where no change does."""
    wanted = {change.node for change in changes if change.needs_restart}
    nodes = sorted(
        (node for node in cluster.nodes if node.name in wanted), key=lambda node: node.node_id in cluster.channel_nodes
    )
    return [
        RestartStep(node.node_id, node.name, carries, _sentence(node.name, carries=carries))
        for node in nodes
        for carries in (node.node_id in cluster.channel_nodes,)
    ]


def _sentence(node: str, *, carries: bool) -> str:
    before = f"Relocate the link's channels off {node} first. " if carries else ""
    return f"{before}Change the file, restart {node}, and wait until it is Synced before the next one."

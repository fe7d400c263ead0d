"""The order in which the nodes of a cluster are restarted for a change: those of the link last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.adviser.advice.changes import ConfigurationChange
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration


@dataclass(frozen=True, slots=True)
class RestartStep:
    """One node to restart, in this order."""

    node_id: str
    node: str
    carries_channel: bool
    sentence: str


def restart_order(cluster: ClusterConfiguration, changes: Sequence[ConfigurationChange]) -> list[RestartStep]:
    """The nodes with a change that needs a restart; none where no change does."""
    wanted = {change.node for change in changes if change.needs_restart}
    nodes = sorted(
        (node for node in cluster.nodes if node.name in wanted), key=lambda node: node.node_id in cluster.channel_nodes
    )
    return [
        RestartStep(node.node_id, node.name, carries, _sentence(node, carries=carries))
        for node in nodes
        for carries in (node.node_id in cluster.channel_nodes,)
    ]


def _sentence(node: NodeConfiguration, *, carries: bool) -> str:
    name = node.name
    before = f"Relocate the link's channels off {name} first. " if carries else ""
    if (node.variables.get("read_only") or "").upper() in ("ON", "1"):
        before += f"{name} is read-only: make sure that its file has read_only=ON, or the restart sets it writable. "
    return f"{before}ConfigurationChange the file, restart {name}, and wait until it is Synced before the next one."

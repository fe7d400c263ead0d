"""What the plan of a change of settings rests on: values, the operator account's privileges and other runs, now."""

from __future__ import annotations

from dataclasses import replace

from backend.clusters.models import Link
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.checks.context import CheckContext
from backend.core.dialects.galera_configuration import SETTING_PRIVILEGES
from backend.core.findings import Finding, Severity
from backend.core.plans import configure
from backend.core.ports import NodeError
from backend.core.topology import ClusterFacts, Direction
from backend.gateway.configuration import read_configurations
from backend.gateway.gateway import NodeGateway
from backend.gateway.grants import held_privileges
from backend.gateway.reader import Reader
from backend.operations.runs.models import RunState
from backend.operations.runs.selectors import other_runs_on


def side_configuration(ctx: CheckContext, cluster: ClusterFacts, gateway: NodeGateway) -> ClusterConfiguration:
    """The settings of every node of the side, read now; what was stored before decides nothing."""
    nodes = read_configurations([gateway.access(node.node.id) for node in cluster.nodes])
    holders = [holder for direction in Direction for holder in ctx.link.holders(direction)]
    carrying = {node for holder in holders for node in (holder.replica.node.id, holder.source.id)}
    names = {node.node.id: node.node.name for node in cluster.nodes}
    named = tuple(replace(node, name=names[node.node_id]) for node in nodes)
    return ClusterConfiguration(cluster.id, cluster.name, named, frozenset(carrying & names.keys()))


def privileges_to_set(cluster: ClusterFacts, gateway: NodeGateway) -> dict[str, dict[str, bool]]:
    """What the operator account holds of the privileges that SET GLOBAL needs, by node id; failing nodes are left out.

    A node that is down is not asked: the plan is refused for it anyway.
    """
    found: dict[str, dict[str, bool]] = {}
    for node in (one for one in cluster.nodes if one.is_up):
        access = gateway.access(node.node.id)
        reader = Reader(access.ref, access.operator)
        try:
            held = held_privileges(reader)
        except NodeError:
            continue  # unknown: the plan reports it and is refused
        finally:
            reader.close()
        found[node.node.id] = {name: not held.lacks((name,)) for name in SETTING_PRIVILEGES}
    return found


def other_run_finding(link: Link, cluster_id: str) -> Finding | None:
    """Refuses under every unfinished run of a link of the cluster; a stopped change of settings may be replaced.

    A run of this link that is not stopped is refused by a check of its own.
    """
    own = other_runs_on(cluster_id).filter(link=link)
    stopped = own.filter(state=RunState.NEEDS_OPERATOR.value).exclude(kind=configure.KIND)
    other = stopped.first() or other_runs_on(cluster_id).exclude(link=link).first()
    if other is None:
        return None
    return Finding(
        "cluster_run_unfinished",
        Severity.BLOCKER,
        f"Run {other.pk} ({other.kind}) of {other.link.name}, a link of the same cluster, is not finished.",
        "Finish, resume or abort that run first.",
        {"run_id": other.pk},
    )

"""Removes a node from the registration; nothing is changed on the server.

An unregistered server is not fenced in a switchover and not asked in a failover: a node is removed only when its own
cluster does not count it as a member any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from backend.clusters.models import Cluster, Link, Node
from backend.clusters.selectors import cluster_access
from backend.clusters.versions import registered_versions
from backend.common.errors import conflict
from backend.common.transaction_retry import retry_on_rollback
from backend.core.facts.fingerprint import changed_facts, current_fingerprint
from backend.core.facts.membership import is_expelled
from backend.core.facts.named_members import named_members
from backend.core.topology import ClusterFacts
from backend.gateway.gateway import cluster_facts
from backend.gateway.polling.parallel import observe_all
from backend.monitoring.models import CleanupDue
from backend.monitoring.stored_facts import link_facts
from backend.operations.runs.models import Plan, PlanState
from backend.registration.changes import Change, check_no_run, locked_cluster, record_change
from backend.registration.channels import check_carries_none
from backend.registration.membership import addresses_of


def node_remove(*, change: Change, node: Node, attest_gone: bool = False) -> None:
    """Remove a node that left its cluster. Raises 409 with the reason that keeps it, and the way out.

    `attest_gone`: the caller attests that the server was decommissioned, where it may return with a channel.
    """
    cluster = node.cluster
    if cluster.nodes.count() == 1:
        raise conflict(
            "node_last",
            f"{node.name} is the only node of {cluster.name}. Nothing was changed. Add another node first, or retire "
            "the cluster.",
        )
    check_left(node, _observed(cluster))
    _delete(change, node, attests_gone=attest_gone)


def _observed(cluster: Cluster) -> ClusterFacts:
    access = cluster_access(cluster)
    return cluster_facts(access, observe_all(access.nodes))


def check_left(node: Node, facts: ClusterFacts) -> None:
    """Refuse while the node is a member of its cluster, or while no other member says that it is none."""
    seen = facts.node(node.pk)
    others_up = [one for one in facts.nodes if one.is_up and one.node.id != node.pk]
    if seen.is_up and not others_up:
        raise conflict(
            "node_only_live",
            f"{node.name} is the only live node of {facts.name}. Nothing was changed. Start another node first.",
        )
    members = named_members(facts, addresses_of(facts))
    is_absent = members is not None and members.absent is not None and node.pk in members.absent
    if is_absent or is_expelled(facts, seen):
        return
    if members is not None and members.absent is not None:
        raise conflict(
            "node_is_member",
            f"{node.name} is a member of {facts.name}. Nothing was changed: a member that is not registered would not "
            "be fenced in a switchover. Stop its server, wait until the cluster counts it no more, then remove it.",
        )
    raise conflict(
        "membership_unknown",
        f"No other node of {facts.name} tells whether {node.name} is still a member. Nothing was changed. Start a node "
        "of the cluster, or register its other members first.",
    )


@retry_on_rollback
def _delete(change: Change, node: Node, *, attests_gone: bool) -> None:
    with locked_cluster(node.cluster_id, change.version) as (cluster, links):
        check_no_run(links)
        check_carries_none(node, links)
        _check_no_plan(node, links, timezone.now())
        due = CleanupDue.objects.filter(node=node).first()
        if due is not None and not attests_gone:
            raise conflict(
                "node_cleanup_due",
                f"{node.name} was unreachable when its channel was moved: if it returns, it replicates again, and "
                "no monitor would see it. Nothing was changed. Start it and remove the stray channel, or repeat the "
                "removal with attest_gone when the server was decommissioned.",
            )
        facts = {"name": node.name, "host": node.host, "port": node.port}
        Node.objects.filter(pk=node.pk).delete()
        record_change(
            change,
            action="node:remove",
            target=node.pk,
            links=links,
            message=f"{change.actor} removed {node.name} from {cluster.name}.",
            facts={"cluster": cluster.name, "before": facts, "attest_gone": attests_gone},
        )


def _check_no_plan(node: Node, links: Sequence[Link], now: datetime) -> None:
    """A plan that names the node would be refused later: say now that an operator is about to use it."""
    open_plans = Plan.objects.filter(link__in=links, state=PlanState.READY.value, expires_at__gt=now)
    for plan in open_plans.select_related("link"):
        if any(step["node_id"] == node.pk for step in plan.body["steps"]) and _can_be_started(plan):
            raise conflict(
                "node_in_plan",
                f"Plan {plan.pk} ({plan.kind} of {plan.link.name}, by {plan.created_by}) changes {node.name} and can "
                f"be started until {plan.expires_at:%H:%M:%S} UTC. Nothing was changed. Wait until it has expired.",
                plan_id=plan.pk,
            )


def _can_be_started(plan: Plan) -> bool:
    """Whether the servers and the registration are as the plan found them; by the last poll, since a lock is held."""
    if plan.registered_versions != registered_versions(plan.link):
        return False
    planned = plan.body["fingerprint"]
    return not changed_facts(planned, current_fingerprint(planned, link_facts(plan.link)))

"""What the plan of a node's maintenance knows of the absence: donors, the time until an SST, other links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from backend.clusters.models import Link
from backend.core.link_facts import LinkFacts
from backend.core.plans import node_maintenance
from backend.core.plans.maintenance_findings import Absence
from backend.core.plans.target import TargetError
from backend.core.topology import ClusterFacts
from backend.monitoring.models import ChannelRecord, NodeMaintenance
from backend.monitoring.write_sets.absence import assembled, known_rate
from backend.monitoring.write_sets.readings import week_of


def planned_absence(link: Link, facts: LinkFacts, options: Mapping[str, Any]) -> Absence:
    """From the servers as read now, and the write-sets that the monitor counted. TargetError for a bad node."""
    node_id, donor_id = options.get("maintenance_node"), options.get("donor_node")
    cluster = _cluster_of(facts, node_id)
    if donor_id is not None and donor_id not in {one.node.id for one in cluster.nodes} - {node_id}:
        raise TargetError("donor_node", f"Name another node of {cluster.name}.")
    of_cluster = {one.node.id: one for one in cluster.nodes}
    now = timezone.now()
    found = assembled(of_cluster, week_of(of_cluster, now), {}, now)
    one = next(one for one in found.nodes if one.node.node.id == node_id)
    return Absence(
        node=one.node,
        donors=one.donors,
        time=one.times[known_rate(found.rates)[0]],
        threshold_s=settings.HAWSER_ABSENCE_ALARM_MINUTES * 60,
        most_s=60.0 * int(options.get("max_minutes", node_maintenance.DEFAULT_MINUTES)),
        chosen=donor_id,
        accepts_sst=bool(options.get("accept_sst", False)),
        other_links=_other_links(link, one.node.node.id),
        open_id=NodeMaintenance.objects.filter(open_cluster=cluster.id).values_list("pk", flat=True).first(),
    )


def _cluster_of(facts: LinkFacts, node_id: object) -> ClusterFacts:
    for cluster in (facts.active, facts.standby):
        if any(one.node.id == node_id for one in cluster.nodes):
            return cluster
    raise TargetError("maintenance_node", f"Name the node to be stopped: a node of one side of {facts.name}.")


def _other_links(link: Link, node_id: str) -> tuple[str, ...]:
    rows = ChannelRecord.objects.filter(Q(source_node_id=node_id) | Q(replica_node_id=node_id)).exclude(link=link)
    return tuple(sorted(set(rows.values_list("link__name", flat=True))))

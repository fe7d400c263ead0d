"""Write sets of a cluster as the monitor stored them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.utils import timezone

from backend.clusters.models import Link, Node
from backend.core.topology import NodeRef, WriteSetCounters
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.write_sets.readings import store_readings
from tests.core.node_absence.members import member

RATE = 10_000


def stored(link: Link, segments: str = "001") -> list[Node]:
    """Twenty minutes in which the first of three nodes writes."""
    cluster, now = link.active_cluster, timezone.now()
    Node.objects.create(cluster=cluster, name="third", host="10.9.9.9", port=3306, ordinal=9)
    nodes = list(Node.objects.filter(cluster=cluster))
    for minute in range(-20, 1):
        written = (minute + 20) * 60 * RATE
        facts = []
        for i, node in enumerate(nodes):
            own = (1, written, 0, 0) if i == 0 else (0, 0, 1, written)
            seen = member(node.name, last_committed=9, cached_downto=1, write_sets=WriteSetCounters(*own))
            ref = NodeRef(node.id, node.name, node.host, node.port, node.cluster_id)
            at = now + timedelta(minutes=minute)
            variables = {**seen.variables, "gmcast.segment": segments[i]}
            facts.append(replace(seen, node=ref, observed_at_s=at.timestamp(), variables=variables))
        store_readings(facts, at)
    store_nodes({one.node.id: one for one in facts}, now)
    return nodes

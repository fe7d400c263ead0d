"""The events of the event scheduler on the nodes of links: read now and then, while a scheduler runs there.

A lost side cannot be asked which of its events were enabled, and the survivor has all of them as SLAVESIDE_DISABLED.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Final

from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.clusters.selectors import cluster_access
from backend.common import heartbeats
from backend.core.facts.events import event_from_json, event_to_json, read_events, runs_events
from backend.core.link_facts import LinkFacts
from backend.core.ports import NodeError
from backend.core.topology import EventsByNode, NodeEvent, NodeFacts
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.parallel_reads import read_each
from backend.gateway.reader import Reader
from backend.monitoring.models import NodeEvents
from backend.monitoring.stored_facts import node_facts

EVERY: Final = timedelta(seconds=20)
KNOWN_FOR: Final = timedelta(minutes=3)
"""What is older of a node that is up is unknown: its status may have been changed since."""
READ_S: Final = 2.0
DEADLINE_S: Final = 4.0


def refresh_due() -> None:
    """Read the nodes of each link on which a scheduler runs; called by the monitor."""
    if not heartbeats.is_due("events read", EVERY):
        return
    for link in Link.objects.select_related("active_cluster", "standby_cluster"):
        sides = (link.active_cluster, link.standby_cluster)
        facts = node_facts(node for side in sides for node in side.nodes.all())
        if any(node.is_up and runs_events(node) for node in facts.values()):
            _read(sides, {node_id for node_id, node in facts.items() if node.is_up})


def _read(sides: Collection[Cluster], up: Collection[str]) -> None:
    accesses = [access for side in sides for access in cluster_access(side).nodes if access.ref.id in up]
    now = timezone.now()
    for node_id, events in read_each(accesses, _events_of, lambda _: DEADLINE_S).items():
        if events is not None:
            stored = {"read_at": now, "events": [event_to_json(event) for event in events]}
            NodeEvents.objects.update_or_create(node_id=node_id, defaults=stored)


def _events_of(access: NodeAccess) -> tuple[NodeEvent, ...] | None:
    reader = Reader(access.ref, access.monitor, read_s=READ_S)
    try:
        return read_events(reader)
    except NodeError:
        return None
    finally:
        reader.close()


def stored_events(facts: Mapping[str, NodeFacts]) -> EventsByNode:
    """By node id; of a node that is up only what is not too old. Nothing is asked where no scheduler runs."""
    if not any(runs_events(node) for node in facts.values()):
        return {}
    since = timezone.now() - KNOWN_FOR
    rows = NodeEvents.objects.filter(node__in=list(facts))
    return {
        row.node_id: tuple(map(event_from_json, row.events))
        for row in rows
        if row.read_at > since or not facts[row.node_id].is_up
    }


def events_of_lost_nodes(link: LinkFacts) -> EventsByNode:
    """Of the nodes that do not answer, as last read."""
    rows = NodeEvents.objects.filter(node__in=[node.node.id for node in link.nodes if not node.is_up])
    return {row.node_id: tuple(map(event_from_json, row.events)) for row in rows}

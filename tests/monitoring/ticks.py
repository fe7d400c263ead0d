"""One tick of the monitor over given facts, and what it told."""

from __future__ import annotations

from collections.abc import Mapping

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.core.link_facts import LinkFacts
from backend.core.topology import NodeFacts
from backend.monitoring.recording.links import store_link
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.times import from_unix
from tests.monitoring.facts import NOW, link


def tick(stored: Link, spoiled: Mapping[str, NodeFacts] | None = None, after_s: float = 0) -> None:
    """One tick that sees these nodes."""
    seen: LinkFacts = link(spoiled)
    facts = {node.node.id: node for node in seen.nodes}
    now = from_unix(NOW + after_s)
    store_nodes(facts, now)
    store_link(stored, facts, {}, now)


def raised_kinds() -> list[str]:
    """Kinds of the events raised, oldest first."""
    return [event.data["kind"] for event in Event.objects.filter(type="event.raised").order_by("id")]

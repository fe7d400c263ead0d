"""The absences of a cluster's nodes, from what the monitor stored: no server is queried for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from backend.clusters.models import Cluster
from backend.core.adviser.node_absence.counters import Totals
from backend.core.adviser.node_absence.donors import Context
from backend.core.adviser.node_absence.rates import HOUR_S, Rate, Window, longest_counted, rates_of
from backend.core.adviser.node_absence.summary import Absence, Position, absences
from backend.core.estimates import Unknown
from backend.core.topology import NodeFacts
from backend.monitoring.models import ChannelRecord
from backend.monitoring.stored_facts import node_facts
from backend.monitoring.write_sets.readings import last_positions, week_of

HOUR = frozenset({Window.HOUR})


@dataclass(frozen=True, slots=True)
class ClusterAbsences:
    """All nodes of a cluster with the rates behind their times, and up to where each had applied when last read."""

    nodes: tuple[Absence, ...]
    rates: Mapping[Window, Rate | Unknown]
    positions: Mapping[str, Position]


def cluster_absences(cluster: Cluster, now: datetime) -> ClusterAbsences:
    """As of what is stored now."""
    facts = node_facts(cluster.nodes.all())
    return assembled(facts, week_of(facts, now), last_positions(facts), now)


def assembled(
    facts: Mapping[str, NodeFacts],
    readings: Mapping[str, Sequence[Totals]],
    positions: Mapping[str, Position],
    now: datetime,
) -> ClusterAbsences:
    """The same of facts and readings that were read already."""
    now_s = now.timestamp()
    rates = rates_of(longest_counted(list(readings.values()), now_s), now_s)
    shares = {node_id: _own_share(of_node, now_s) for node_id, of_node in readings.items()}
    context = Context(_link_nodes(facts), shares)
    return ClusterAbsences(absences(list(facts.values()), positions, rates, context), rates, positions)


def known_rate(rates: Mapping[Window, Rate | Unknown]) -> tuple[Window, Rate | Unknown]:
    """The rate of the last hour, or of the last minutes where no more was counted yet."""
    hour = rates[Window.HOUR]
    return (Window.MINUTES, rates[Window.MINUTES]) if isinstance(hour, Unknown) else (Window.HOUR, hour)


def _own_share(readings: Sequence[Totals], now_s: float) -> float | None:
    """A node's own part of the bytes counted in the last hour, at least for a minute; None where they were not."""
    rate = known_rate(rates_of([one for one in readings if one.at_s >= now_s - HOUR_S], now_s))[1]
    return None if isinstance(rate, Unknown) else (rate.own_share or 0.0)


def _link_nodes(node_ids: Mapping[str, NodeFacts]) -> frozenset[str]:
    """The nodes that a channel of a link replicates from or to."""
    rows = ChannelRecord.objects.filter(Q(source_node_id__in=node_ids) | Q(replica_node_id__in=node_ids))
    ids = {one for pair in rows.values_list("source_node_id", "replica_node_id") for one in pair}
    return frozenset(ids & set(node_ids))

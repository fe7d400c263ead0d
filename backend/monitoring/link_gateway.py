"""The gateway to a registered link, with the monitor's records of its channels."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial

from backend.clusters.models import Link
from backend.clusters.selectors import account as account_of
from backend.clusters.selectors import cluster_access, link_access, nodes_at
from backend.core.facts.serialization import channel_from_json, divergence_from_json
from backend.core.link_facts import Divergence, LogBreak, RecordedChannel
from backend.core.stream_account import StreamAccount
from backend.core.topology import Direction
from backend.gateway.connection.endpoint import ClusterAccess, LinkAccess
from backend.gateway.gateway import NodeGateway
from backend.gateway.reader import Deadline
from backend.monitoring.channel_statements import changing_nodes
from backend.monitoring.log_records import record_of
from backend.monitoring.models import ChannelRecord, CleanupDue, NodeState
from backend.monitoring.models import Divergence as DivergenceRow
from backend.monitoring.site_records import with_site_records

__all__ = ["account_of", "cluster_access", "gateway_for_link", "link_access", "open_divergence", "recorded_channels"]


def recorded_channels(link_id: str) -> tuple[RecordedChannel, ...]:
    """Each direction's channel as it was last observed as the only one, and running."""
    records = ChannelRecord.objects.filter(link_id=link_id).select_related("source_node__log")
    return recorded_of(records, CleanupDue.objects.filter(link_id=link_id))


def recorded_of(records: Iterable[ChannelRecord], cleanups_due: Iterable[CleanupDue]) -> tuple[RecordedChannel, ...]:
    """The same from the rows of one link."""
    left_on: dict[str, set[str]] = {}
    for due in cleanups_due:
        left_on.setdefault(due.direction, set()).add(due.node_id)
    return tuple(
        RecordedChannel(
            direction=Direction(row.direction),
            replica_node_id=row.replica_node_id,
            source_node_id=row.source_node_id,
            channel=channel_from_json(row.channel),
            observed_at_s=row.observed_at.timestamp(),
            left_on=frozenset(left_on.get(row.direction, ())),
            waits_for_position=bool(row.waits_for_position),
            log=record_of(row.source_node),
            log_break=None if row.log_break is None else LogBreak(**row.log_break),
            cert_failures=row.cert_failures,
            applied_at_s=row.applied_at_s,
            account=StreamAccount.from_json(row.account),
        )
        for row in records
    )


def open_divergence(link_id: str) -> Divergence | None:
    """The divergence, while the lost side of a failover is not reconciled."""
    return open_divergences([link_id]).get(link_id)


def open_divergences(link_ids: Collection[str]) -> dict[str, Divergence]:
    """The same of several links in one query, by link."""
    rows = DivergenceRow.objects.filter(open_link__in=link_ids)
    return {row.link_id: divergence_from_json(row.facts) for row in rows}


def diverged_links() -> set[str]:
    """The ids of the links whose lost side is not reconciled."""
    return set(DivergenceRow.objects.exclude(open_link=None).values_list("link_id", flat=True))


def gateway_for_link(
    link: Link,
    *,
    active_name: str | None = None,
    pages_until: Deadline | None = None,
    hung: frozenset[str] = frozenset(),
    run_id: str = "",
) -> NodeGateway:
    """The gateway to the link's servers; close it after use. No page of a log is read after `pages_until`.

    `hung`: ids of nodes that are not waited for. `run_id`: the run whose gateway it is.

    `active_name` fixes the roles of a plan: a run that swaps them still sees the link as its plan does, whichever
    worker resumes it.
    """
    shape, recorded = _at_distances(link_access(link)), partial(recorded_channels, link.id)
    if active_name not in (None, shape.active.name):
        shape = replace(shape, active=shape.standby, standby=shape.active)
        recorded = partial(_recorded_turned, link.id)
    return NodeGateway(
        shape,
        recorded,
        lambda: open_divergence(link.id),
        pages_until=pages_until,
        hung=hung,
        nodes_at=nodes_at,
        with_records=with_site_records,
        changing=partial(changing_nodes, run_id),
    )


def _at_distances(shape: LinkAccess) -> LinkAccess:
    """Each node with the round trip of its last poll: a distant one is given longer to accept a connection."""
    nodes = NodeState.objects.filter(node_id__in=[access.ref.id for access in shape.nodes])
    measured = {state.node_id: state.facts.get("probe_ms") for state in nodes}

    def side(cluster: ClusterAccess) -> ClusterAccess:
        return replace(cluster, nodes=tuple(one.at_distance(measured.get(one.ref.id)) for one in cluster.nodes))

    return replace(shape, active=side(shape.active), standby=side(shape.standby))


def _recorded_turned(link_id: str) -> tuple[RecordedChannel, ...]:
    return tuple(replace(one, direction=one.direction.other) for one in recorded_channels(link_id))

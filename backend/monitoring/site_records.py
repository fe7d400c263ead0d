"""What is stored of a link's sides besides the facts of their nodes: views, fences and unsafe periods."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import Any

from backend.core.link_facts import LinkFacts, SideFence, UnsafePeriod
from backend.core.topology import ClusterFacts, LogMark, PartedHalf, SeenTogether
from backend.monitoring.models import ClusterView
from backend.monitoring.models import SideFence as SideFenceRow
from backend.monitoring.models import UnsafePeriod as UnsafePeriodRow
from backend.monitoring.other_links import with_channels_elsewhere, with_other_breaks


def seen_together(cluster_ids: Collection[str]) -> dict[str, SeenTogether]:
    """The views of these clusters as last stored, by cluster."""
    return {
        row.cluster_id: SeenTogether(
            row.state_uuid,
            row.seqnos,
            None if row.differs_since is None else row.differs_since.timestamp(),
            **_parted(row.parted),
        )
        for row in ClusterView.objects.filter(pk__in=cluster_ids)
    }


def parted_json(seen: SeenTogether) -> dict[str, Any]:
    """What is stored of the halves that a cluster had; empty of one that is whole."""
    if not seen.parted:
        return {}
    return {
        "halves": [asdict(half) for half in seen.parted],
        "logs": {node_id: asdict(mark) for node_id, mark in seen.logs.items()},
        "is_mixed": seen.is_mixed,
        "addresses": seen.addresses,
    }


def _parted(stored: dict[str, Any] | list[list[str]]) -> dict[str, Any]:
    """Former versions stored the nodes alone: what each half wrote, and in which log, is unknown then."""
    if isinstance(stored, list):
        return {"parted": tuple(PartedHalf(tuple(nodes)) for nodes in stored)}
    if not stored:
        return {}
    return {
        "parted": tuple(PartedHalf(**{**half, "nodes": tuple(half["nodes"])}) for half in stored["halves"]),
        "logs": {node_id: LogMark(**mark) for node_id, mark in stored["logs"].items()},
        "is_mixed": stored["is_mixed"],
        "addresses": {node_id: (host, port) for node_id, (host, port) in stored.get("addresses", {}).items()},
    }


def side_fences(cluster_ids: Collection[str]) -> dict[str, SideFence]:
    """The runs that last fenced these clusters, by cluster."""
    return {row.cluster_id: fence_of(row) for row in SideFenceRow.objects.filter(pk__in=cluster_ids)}


def fence_of(row: SideFenceRow) -> SideFence:
    """The row as the core knows it."""
    opened_at_s = None if row.opened_at is None else row.opened_at.timestamp()
    return SideFence(row.cluster_id, row.run_id, row.kind, row.fenced_at.timestamp(), opened_at_s)


def unsafe_periods(link_ids: Collection[str]) -> dict[str, tuple[UnsafePeriod, ...]]:
    """Those that nobody settled, by link."""
    found: dict[str, tuple[UnsafePeriod, ...]] = {}
    for row in UnsafePeriodRow.objects.filter(link__in=link_ids).order_by("pk"):
        ended_at_s = None if row.ended_at is None else row.ended_at.timestamp()
        one = UnsafePeriod(row.node_id, row.node_name, row.variable, row.value, row.began_at.timestamp(), ended_at_s)
        found[row.link_id] = (*found.get(row.link_id, ()), one)
    return found


def with_site_records(
    link: LinkFacts,
    seen: Mapping[str, SeenTogether] | None = None,
    fences: Mapping[str, SideFence] | None = None,
    periods: Mapping[str, tuple[UnsafePeriod, ...]] | None = None,
) -> LinkFacts:
    """The link with what is stored of its sides; what is not given is read."""
    ids = [link.active.id, link.standby.id]
    known = seen_together(ids) if seen is None else seen
    fenced = side_fences(ids) if fences is None else fences

    def side(cluster: ClusterFacts) -> ClusterFacts:
        return replace(cluster, seen_together=known.get(cluster.id))

    found = tuple(fenced[cluster_id] for cluster_id in ids if cluster_id in fenced)
    unsafe = (unsafe_periods([link.id]) if periods is None else periods).get(link.id, ())
    stored = replace(link, active=side(link.active), standby=side(link.standby), fences=found, unsafe_periods=unsafe)
    return with_other_breaks(with_channels_elsewhere(stored))

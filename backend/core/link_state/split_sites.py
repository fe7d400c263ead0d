"""A side that is not one Primary Component, as the page of its link shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backend.core.facts.halves import Half, do_views_differ, halves, is_split, mixed_halves, was_split
from backend.core.facts.split_sites import (
    away_half_finding,
    mixed_halves_finding,
    split_finding,
    views_differ_finding,
)
from backend.core.findings import Finding
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import DirectionView
from backend.core.topology import ClusterFacts, NodeFacts

DIFFER_GRACE_S = 3.0
"""The members of a cluster are not polled in one moment: during a change of the view they show different ones."""


def have_views_differed(cluster: ClusterFacts, now_s: float) -> bool:
    """Whether its members have reported different views for longer than a change of the view takes."""
    seen = cluster.seen_together
    since_s = seen.differs_since_s if seen is not None else None
    return do_views_differ(cluster) and since_s is not None and now_s - since_s > DIFFER_GRACE_S


def is_of_parts(cluster: ClusterFacts, now_s: float) -> bool:
    """Whether its members may not be one component, or may not hold what one of its former halves holds."""
    return have_views_differed(cluster, now_s) or was_split(cluster)


def split_findings(cluster: ClusterFacts, now_s: float) -> Iterator[Finding]:
    """Halves at once: that they are apart is certain. Views that differ once they have done so for a while."""
    if is_split(cluster):
        yield split_finding(cluster)
    elif have_views_differed(cluster, now_s):
        yield views_differ_finding(cluster)
    yield from filter(None, (mixed_halves_finding(cluster), away_half_finding(cluster)))


def split_sentences(link: LinkFacts) -> list[str]:
    """For instance `milan is split: db-a1 | db-a2, db-a3.`"""
    sides = (link.active, link.standby)
    split = [(side.name, halves(side)) for side in sides if is_split(side)]
    mixed = [(side.name, nodes) for side in sides if (nodes := mixed_halves(side))]
    said = [f"{name} is split: {_shown(half.nodes for half in parts)}." for name, parts in split]
    return said + [f"{name} was split, and its nodes differ: {_shown(nodes)}." for name, nodes in mixed]


def _shown(parts: Iterable[tuple[NodeFacts, ...]]) -> str:
    return " | ".join(", ".join(node.node.name for node in nodes) for nodes in parts)


def followed_half(link: LinkFacts, forward: DirectionView) -> Half | None:
    """The half of a split active side whose transactions the standby receives; None where there is none."""
    if not is_split(link.active) or forward.channel is None:
        return None
    source = forward.channel.source_node_id
    return next((half for half in halves(link.active) if source in {n.node.id for n in half.nodes}), None)


def split_sides(link: LinkFacts) -> str:
    """The names of the sides that are split, or whose nodes differ since; empty where both are whole."""
    return " and ".join(side.name for side in (link.active, link.standby) if is_split(side) or mixed_halves(side))

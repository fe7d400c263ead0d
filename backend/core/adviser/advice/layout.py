"""Whether a cluster lies at one site or at two, as far as its nodes tell."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.options.values import number

DISTANT_S: Final = 0.005
"""A commit across a line of this round trip is told from one inside a site, which takes below a millisecond."""


class Layout(StrEnum):
    """The sites of a cluster's nodes."""

    ONE_SITE = "one_site"
    TWO_SITES = "two_sites"
    UNKNOWN = "unknown"


def layout_of(cluster: ClusterConfiguration) -> Layout:
    """By segments, else by the least latency of the writing nodes; unknown while a node or its answer is missing."""
    segments = {node.options["gmcast.segment"] for node in cluster.read if "gmcast.segment" in node.options}
    if len(segments) > 1:
        return Layout.TWO_SITES
    latency = least_latency_s(cluster)
    if latency is None:
        return Layout.UNKNOWN
    return Layout.TWO_SITES if latency >= DISTANT_S else Layout.ONE_SITE


def least_latency_s(cluster: ClusterConfiguration) -> float | None:
    """The least time of a message to all nodes and back, of the writing nodes; None while one is unknown.

    Measured: the minimum of `wsrep_evs_repl_latency` is the round trip plus 0.2 ms. It starts again each
    `evs.stats_report_period`, and a node that does not write has no samples.
    """
    found = []
    if len(cluster.read) < max(2, len(cluster.nodes)):
        return None
    for node in cluster.read:
        parts = [number(part) for part in node.status.get("wsrep_evs_repl_latency", "").split("/")]
        if len(parts) != 5 or None in parts:
            return None
        least, *_, samples = parts
        if samples and least:
            found.append(least)
    return min(found, default=None)

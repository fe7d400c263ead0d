"""A cluster over two sites whose nodes are all in one segment."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.layout import Layout, layout_of, least_latency_s
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk

_FEWEST = 3
ENTRY = AdviceEntry(
    code="segments_missing",
    risk=Risk.MEDIUM,
    title="Two sites in one segment",
    evidence=(
        "Measured on 2 + 2 nodes, 50 ms round trip, 1,600 rows, 16 writers: 5.11 MB across the line in one segment, "
        "2.47 MB in two. Commits took as long (51.8 and 52.2 ms)."
    ),
    is_measured=True,
)


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    latency = least_latency_s(cluster)
    segments = {node.name: node.options.get("gmcast.segment") for node in cluster.read}
    if layout_of(cluster) is not Layout.TWO_SITES or latency is None or None in segments.values():
        return
    if len(set(segments.values())) > 1 or len(segments) < _FEWEST:
        return
    segment = next(iter(segments.values()))
    yield Advice(
        ENTRY,
        cluster.id,
        cluster.name,
        tuple(segments),
        fact=f"A message to all nodes and back takes at least {latency * 1000:.1f} ms, and all nodes are in segment "
        f"{segment}.",
        consequence="Each write-set crosses the line between the sites once for each node there.",
        remedy="Set gmcast.segment to one number for the nodes of the one site and to another for those of the other, "
        "in the configuration files. Restart one node after the other.",
        facts={"gmcast.segment": segments},
    )


RULE = ClusterRule(ENTRY, _advise)

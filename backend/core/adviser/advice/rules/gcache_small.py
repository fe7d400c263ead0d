"""A store of write-sets that holds less than an hour of the measured write rate."""

from __future__ import annotations

import math
from collections.abc import Iterator

from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.options.values import number, size_bytes

HEADER_BYTES = 24
WANTED_S = 3_600.0
_LEAST_S = 3_600.0
_COUNTERS = ("wsrep_replicated", "wsrep_received", "wsrep_replicated_bytes", "wsrep_received_bytes", "uptime")
ENTRY = AdviceEntry(
    code="gcache_small",
    risk=Risk.MEDIUM,
    title="gcache.size holds less than an hour of writes",
    evidence=(
        "Measured: the capacity is `gcache.size` / (average bytes of a write-set + 24), with an error below 0.5 %. How "
        "long that lasts rests on the average rate, which may change."
    ),
    is_measured=True,
)


def retention_s(node: NodeConfiguration) -> float | None:
    """For how long the store holds a write-set; None where a counter is missing, young or zero."""
    size = size_bytes(node.options.get("gcache.size"))
    counted = [number(node.status.get(name)) for name in _COUNTERS]
    if size is None or None in counted:
        return None
    replicated, received, sent_bytes, received_bytes, uptime = (float(n or 0) for n in counted)
    total = sent_bytes + received_bytes + HEADER_BYTES * (replicated + received)
    return size / (total / uptime) if uptime >= _LEAST_S and total > 0 else None


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    held = {node.name: retention_s(node) for node in cluster.read}
    short = {name: seconds for name, seconds in held.items() if seconds is not None and seconds < WANTED_S}
    if not short:
        return
    sizes = {node.name: node.options["gcache.size"] for node in cluster.read if node.name in short}
    least = min(short.values())
    wanted = max(size_bytes(size) or 0 for size in sizes.values()) * WANTED_S / least
    yield Advice(
        ENTRY,
        cluster.id,
        cluster.name,
        tuple(short),
        fact="At the average write rate since the start, gcache.size holds "
        + ", ".join(f"{seconds / 60:.1f} min on {name} ({sizes[name]})" for name, seconds in short.items())
        + ".",
        consequence="A node that is away for longer needs a full state transfer, after which its binary log "
        "starts empty.",
        remedy=f"Set gcache.size to {math.ceil(wanted / 1024**2)}M or more for an hour, alike on all nodes, as far as "
        "the disks allow.",
        facts={"gcache.size": sizes, "hours": {name: round(math.log2(s)) for name, s in short.items()}},
    )


RULE = ClusterRule(ENTRY, _advise)

"""What a Galera node says of its network by SQL alone, without a program on any host."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STATUS_SQL = (
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_evs_repl_latency', 'wsrep_evs_delayed', 'wsrep_cluster_size')"
)
ROUND_TRIP_SQL = "SELECT 1"
_LATENCY = re.compile(r"([\d.e+-]+)/([\d.e+-]+)/([\d.e+-]+)/([\d.e+-]+)/(\d+)", re.ASCII)
_DELAYED = re.compile(r"[0-9a-f-]{36}:([^,]+?):(\d+)(?:,|$)", re.ASCII)
MAX_S = 3600.0


@dataclass(frozen=True, slots=True)
class GroupLatency:
    """Delivery to all members of the node's cluster since the last report; its least is a round trip and 0.2 ms."""

    min_ms: float
    mean_ms: float
    max_ms: float
    samples: int


@dataclass(frozen=True, slots=True)
class NetworkDelayed:
    """`wsrep_evs_delayed`: a member whose messages came late."""

    address: str
    times: int


@dataclass(frozen=True, slots=True)
class NodeNetwork:
    """One node. None: it did not say, or nothing was written on it since the last report."""

    group_latency: GroupLatency | None = None
    delayed: tuple[NetworkDelayed, ...] | None = None
    cluster_size: int | None = None


def read_status(rows: Sequence[Mapping[str, object]]) -> NodeNetwork:
    """From the rows of `STATUS_SQL`."""
    found = {str(row["Variable_name"]): str(row["Value"]) for row in rows}
    size = found.get("wsrep_cluster_size", "")
    is_alone = size in ("0", "1")
    return NodeNetwork(
        # Of a node without other members it is the time that the node needs to deliver to itself.
        group_latency=None if is_alone else group_latency(found.get("wsrep_evs_repl_latency", "")),
        delayed=delayed(found["wsrep_evs_delayed"]) if "wsrep_evs_delayed" in found else None,
        cluster_size=int(size) if size.isascii() and size.isdigit() and len(size) < 6 else None,
    )


def group_latency(text: str) -> GroupLatency | None:
    """`min/avg/max/stddev/samples` in seconds; without samples the zeros say nothing."""
    found = _LATENCY.fullmatch(text.strip())
    if found is None or not int(found[5][:12]):
        return None
    try:
        least, mean, most = (float(found[index]) for index in (1, 2, 3))
    except ValueError:
        return None
    if not 0 < least <= mean <= most <= MAX_S:
        return None
    least, mean, most = (round(value * 1000, 3) for value in (least, mean, most))
    return GroupLatency(least, mean, most, int(found[5][:12]))


def delayed(text: str) -> tuple[NetworkDelayed, ...]:
    """`uuid:address:count`, separated by commas."""
    return tuple(NetworkDelayed(address, int(times[:9])) for address, times in _DELAYED.findall(text))

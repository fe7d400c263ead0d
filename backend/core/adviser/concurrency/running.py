"""What a running cluster says of its distance, and what the model makes of it: node by node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.adviser.advice.facts import NodeConfiguration
from backend.core.adviser.concurrency.model import (
    DEFAULT_WINDOW,
    LARGE_WINDOW,
    LEAST_MS,
    Range,
    commits_per_s,
    writers_for,
)
from backend.core.adviser.concurrency.write_sets import WriteSetCost, cost
from backend.core.adviser.network.sql_facts import GroupLatency, group_latency
from backend.core.estimates import Unknown

WRITERS = (1, 8, 32, 64)
OVERHEAD_MS = 0.2
"""The least of `wsrep_evs_repl_latency` is a round trip and this. Measured with two sites."""
_LATENCY, _WINDOW, _PERIOD = "wsrep_evs_repl_latency", "evs.user_send_window", "evs.stats_report_period"
_LARGEST_WINDOW = 65_535
LEAST_RATE, _MOST_RATE = 0.001, 1e7
"""Commits a second that the model takes."""


@dataclass(frozen=True, slots=True)
class Written:
    """Commits a second of the whole cluster, and the average bytes of a write-set; None where none was written."""

    commits_per_s: float
    average_bytes: float | None


@dataclass(frozen=True, slots=True)
class Answers:
    """The model's answers for writers on one node."""

    rates: tuple[tuple[int, Range], ...]
    needed: Range | Unknown
    average: WriteSetCost | Unknown
    largest: WriteSetCost | Unknown


@dataclass(frozen=True, slots=True)
class NodeFigures:
    """What one node said, and the answers that follow from it."""

    node: NodeConfiguration
    members: int | None
    latency: GroupLatency | Unknown
    send_window: int | Unknown
    answers: Answers | Unknown


def figures(node: NodeConfiguration, written: Written | Unknown) -> NodeFigures:
    """One node's figures; what it did not say gives no answer."""
    members, latency, window = members_of(node), _latency(node), _window(node)
    return NodeFigures(node, members, latency, window, _answers(node, latency, window, written))


def farthest(found: Sequence[NodeFigures]) -> NodeFigures | None:
    """The node from which a delivery takes longest, of those that have samples."""
    known = [(one.latency.min_ms, one) for one in found if isinstance(one.latency, GroupLatency)]
    return max(known, key=lambda pair: pair[0])[1] if known else None


def distance(latency: GroupLatency) -> Range:
    """Milliseconds from the fastest delivery, without the overhead, to the mean one."""
    return Range(max(0.0, latency.min_ms - OVERHEAD_MS), latency.mean_ms)


def members_of(node: NodeConfiguration) -> int | None:
    """`wsrep_cluster_size`, arbitrators among them."""
    size = node.status.get("wsrep_cluster_size", "")
    return int(size) if size.isascii() and size.isdigit() and len(size) < 6 else None


def _latency(node: NodeConfiguration) -> GroupLatency | Unknown:
    text = node.status.get(_LATENCY)
    if not node.is_read:
        return Unknown(f"{node.name} did not answer: {node.error.rstrip('.')}. Make it reachable and read again.")
    if text is None or not members_of(node):
        return Unknown(f"{node.name} reports no {_LATENCY}: it is in no cluster. Let it join and read again.")
    if members_of(node) == 1:
        return Unknown(f"{node.name} is alone, so nothing is delivered. Read again when another member has joined.")
    return group_latency(text) or Unknown(
        f"No sample: nothing was written on {node.name} since its last report ({_PERIOD} "
        f"{node.options.get(_PERIOD, 'unknown')}). Read again while it writes."
    )


def _window(node: NodeConfiguration) -> int | Unknown:
    text = node.options.get(_WINDOW, "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return Unknown(f"{node.name} does not show {_WINDOW}. Make it reachable with its provider loaded.")
    return int(text)


def _answers(
    node: NodeConfiguration, latency: GroupLatency | Unknown, window: int | Unknown, written: Written | Unknown
) -> Answers | Unknown:
    if isinstance(latency, Unknown):
        return latency
    if isinstance(window, Unknown):
        return window
    if not DEFAULT_WINDOW <= window <= _LARGEST_WINDOW:
        return Unknown(f"{_WINDOW} is {window}. The model was measured from {DEFAULT_WINDOW}: set it to that or more.")
    way = distance(latency)
    if way.low < LEAST_MS:
        return Unknown(
            f"Below {LEAST_MS:g} ms the cluster's own rate limits, not the distance. Measure that rate "
            "with a load and enter it below as commits/s without distance."
        )
    return Answers(
        tuple((writers, _rate(writers, way, window)) for writers in WRITERS),
        _needed(way, window, written),
        _average(way, window, written),
        cost(node.variables.get("wsrep_max_ws_size"), "wsrep_max_ws_size", way, window),
    )


def _rate(writers: int, way: Range, window: int) -> Range:
    slow, fast = (commits_per_s(writers, ms, window, None) for ms in (way.high, way.low))
    return Range(slow.low, fast.high)


def _needed(way: Range, window: int, written: Written | Unknown) -> Range | Unknown:
    """From the fewest that may suffice to the fewest that suffice for certain."""
    if isinstance(written, Unknown):
        return written
    if written.commits_per_s < LEAST_RATE:
        return Unknown("Nothing was written in the last hour: there is no rate to reach.")
    if written.commits_per_s > _MOST_RATE:
        return Unknown(f"{written.commits_per_s:,.0f} commits a second are more than the model was made for.")
    # Of a window between the measured ones only the bounds are known, and its better one is that of a large window.
    best = window if window == DEFAULT_WINDOW else LARGE_WINDOW
    least = writers_for(written.commits_per_s, way.low, best, None)
    most = writers_for(written.commits_per_s, way.high, window, None)
    if isinstance(least, Unknown):
        return least
    return most if isinstance(most, Unknown) else Range(least, most)


def _average(way: Range, window: int, written: Written | Unknown) -> WriteSetCost | Unknown:
    if isinstance(written, Unknown):
        return written
    if written.average_bytes is None:
        return Unknown("Nothing was written in the last hour: a write-set has no average size.")
    return cost(str(round(written.average_bytes)), "the average size of a write-set", way, window)

"""The router's report as lines for a terminal. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from deploy.lab.wan.plan import CONSOLE, Plan

_DROPS = ("lost", "queue_full", "cut", "reordered")


def site_of(end: str) -> str:
    """Nodes and clients by their site; the console alone, since it counts as no site's traffic."""
    return end if end == CONSOLE else end.partition("-")[2][0]


def as_lines(plan: Plan, report: Mapping[str, Any], *, each_pair: bool) -> list[str]:
    """Rules, bytes between the sites or of each pair, and what the router says of itself."""
    lines = [f"distance {rule.source} -> {rule.target}: {rule.shape}" for rule in plan.rules] or ["distance: none"]
    lines += [f"cut: {one} -> {other}" for one, other in sorted(plan.cuts)]
    lines += [_traffic(name, counters) for name, counters in _counted(report["pairs"], each_pair)]
    return [*lines, *_own_work(report)]


def _counted(pairs: list[dict[str, Any]], each_pair: bool) -> list[tuple[str, Counter[str]]]:
    sums: dict[str, Counter[str]] = {}
    for pair in pairs:
        ends = (pair["from"], pair["to"]) if each_pair else (site_of(pair["from"]), site_of(pair["to"]))
        counters = Counter({key: pair[key] for key in ("packets", "bytes", *_DROPS)})
        sums.setdefault(" -> ".join(ends), Counter()).update(counters)
    return [(name, counters) for name, counters in sums.items() if any(counters.values())]


def _traffic(name: str, counters: Counter[str]) -> str:
    drops = [f"{key.replace('_', ' ')} {counters[key]:,}" for key in _DROPS if counters[key]]
    return ", ".join([f"  {name}: {counters['bytes']:,} bytes, {counters['packets']:,} packets", *drops])


def _own_work(report: Mapping[str, Any]) -> list[str]:
    late = report["lateness"]
    percentiles = ", ".join(f"{name} {late[f'{name}_ms']:g} ms" for name in ("p50", "p99", "max"))
    line = f"router over {report['seconds']:.0f} s: lateness {percentiles}"
    return [line, *(f"  disturbed: {reason}" for reason in report["disturbed"])]

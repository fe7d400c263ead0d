"""The load of a cluster's line against its capacity, and when it is full, as the API returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from backend.adviser.bandwidth.models import LineCapacity
from backend.clusters.models import Cluster
from backend.core.adviser.bandwidth.capacity import share, until_full
from backend.core.adviser.bandwidth.growth import Trend, trend
from backend.core.adviser.bandwidth.line import Line, line_of, peak_factor
from backend.core.adviser.bandwidth.traffic import Traffic
from backend.core.adviser.node_absence.counters import Totals
from backend.core.adviser.node_absence.rates import Rate, Window
from backend.core.estimates import Unknown

Shown = dict[str, Any]
_LOADS = (Window.HOUR, Window.WEEK, Window.BUSIEST_HOUR)


def line_shown(
    cluster: Cluster,
    found: Mapping[Window, Traffic | Unknown],
    rates: Mapping[Window, Rate | Unknown],
    readings: Sequence[Totals],
    now: datetime,
) -> Shown:
    """Which line it is, its load in each time, the growth, and the time until 80 %."""
    row = LineCapacity.objects.filter(cluster=cluster).first()
    capacity = None if row is None else row.mbit_per_s
    line = line_of(found[Window.WEEK])
    if isinstance(line, Unknown):
        line = line_of(found[Window.HOUR])
    growth = trend(readings, now.timestamp())
    copies = line if isinstance(line, Unknown) else line.copies.high
    until = until_full(growth, copies, peak_factor(rates[Window.BUSIEST_HOUR], rates[Window.WEEK]), capacity)
    return {
        "capacity": None if row is None else {"mbit_per_s": row.mbit_per_s, "by": row.by, "at": row.at},
        "line": _line(line),
        "loads": [_load(window, line, rates[window], capacity) for window in _LOADS],
        "growth": _growth(growth),
        "until_full": {
            "state": until.state.value,
            "days": None if until.days is None else round(until.days, 1),
            "reason": until.reason,
        },
    }


def _line(line: Line | Unknown) -> Shown:
    if isinstance(line, Unknown):
        return {"kind": "unknown", "sender": "", "receiver": "", "reason": line.reason}
    return {"kind": line.kind.value, "sender": line.source, "receiver": line.target, "reason": ""}


def _load(window: Window, line: Line | Unknown, rate: Rate | Unknown, capacity: float | None) -> Shown:
    missing = next((fact.reason for fact in (line, rate) if isinstance(fact, Unknown)), "")
    shown: Shown = {"window": window.value, "low": None, "high": None, "share": None, "reason": missing}
    if isinstance(line, Line) and isinstance(rate, Rate):
        load = line.copies * rate.bytes_per_s
        shown |= {"low": round(load.low, 1), "high": round(load.high, 1)}
        if capacity is not None:
            shown["share"] = round(share(load.high, capacity), 4)
    return shown


def _growth(found: Trend | Unknown) -> Shown:
    if isinstance(found, Unknown):
        return {
            "now_bytes_per_s": None, "per_day": None, "error": None, "days": None, "is_growing": None,
            "reason": found.reason,
        }  # fmt: skip
    return {
        "now_bytes_per_s": round(found.now, 1),
        "per_day": round(found.per_day, 1),
        "error": round(found.error, 1),
        "days": found.days,
        "is_growing": found.is_growing,
        "reason": "",
    }

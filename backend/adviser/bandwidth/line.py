"""The load of a cluster's line against its capacity, and when it is full, as the API returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from backend.adviser.bandwidth import models
from backend.adviser.bandwidth.outputs import BandwidthLine, Growth, LineCapacity, LineLoad
from backend.clusters.models import Cluster
from backend.core.adviser.bandwidth.capacity import UntilFull, share, until_full
from backend.core.adviser.bandwidth.growth import Trend, trend
from backend.core.adviser.bandwidth.line import Line, line_of, peak_factor
from backend.core.adviser.bandwidth.traffic import Traffic
from backend.core.adviser.node_absence.counters import Totals
from backend.core.adviser.node_absence.rates import Rate, Window
from backend.core.estimates import Unknown

Loaded = tuple[LineCapacity | None, BandwidthLine, tuple[LineLoad, ...], Growth, UntilFull]
_LOADS = (Window.HOUR, Window.WEEK, Window.BUSIEST_HOUR)


def loaded(
    cluster: Cluster,
    found: Mapping[Window, Traffic | Unknown],
    rates: Mapping[Window, Rate | Unknown],
    readings: Sequence[Totals],
    now: datetime,
) -> Loaded:
    """The capacity, which line it is, its load in each time, the growth, and the time until 80 %."""
    row = models.LineCapacity.objects.filter(cluster=cluster).first()
    capacity = None if row is None else LineCapacity(row.mbit_per_s, row.by, row.at)
    mbit_per_s = None if row is None else row.mbit_per_s
    line = line_of(found[Window.WEEK])
    if isinstance(line, Unknown):
        line = line_of(found[Window.HOUR])
    growth = trend(readings, now.timestamp())
    copies = line if isinstance(line, Unknown) else line.copies.high
    until = until_full(growth, copies, peak_factor(rates[Window.BUSIEST_HOUR], rates[Window.WEEK]), mbit_per_s)
    loads = tuple(_load(window, line, rates[window], mbit_per_s) for window in _LOADS)
    return capacity, _line(line), loads, _growth(growth), until


def _line(line: Line | Unknown) -> BandwidthLine:
    if isinstance(line, Unknown):
        return BandwidthLine("unknown", reason=line.reason)
    return BandwidthLine(line.kind, line.source, line.target)


def _load(window: Window, line: Line | Unknown, rate: Rate | Unknown, mbit_per_s: float | None) -> LineLoad:
    if isinstance(line, Unknown):
        return LineLoad(window, reason=line.reason)
    if isinstance(rate, Unknown):
        return LineLoad(window, reason=rate.reason)
    load = line.copies * rate.bytes_per_s
    return LineLoad(window, load.low, load.high, None if mbit_per_s is None else share(load.high, mbit_per_s))


def _growth(found: Trend | Unknown) -> Growth:
    if isinstance(found, Unknown):
        return Growth(reason=found.reason)
    return Growth(found.now, found.per_day, found.error, found.days, found.is_growing)

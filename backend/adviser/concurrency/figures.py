"""What a distance does to commits, as the API returns it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from backend.adviser.concurrency.outputs import CommitRate, Concurrency, SiteLatency, WritersNeeded
from backend.common.errors import invalid
from backend.core.adviser.concurrency.delays import Delays, delays_given
from backend.core.adviser.concurrency.measured import CELLS
from backend.core.adviser.concurrency.model import (
    DEFAULT_WINDOW,
    MEASURED_WRITERS,
    Range,
    commits_per_s,
    write_set_ms,
    writers_for,
)
from backend.core.estimates import FieldError, Unknown, parted

THREADS = (1, 2, 4, 8, 16, 32, 64)


def concurrency(given: Mapping[str, Any]) -> Concurrency:
    """The model of the given delays, and the table of what was measured."""
    try:
        return _model(given, delays_given(_matrix(given["delays_ms"])))
    except FieldError as error:
        raise invalid(error.field, str(error)) from error


def _matrix(text: str) -> list[list[float]]:
    """Rows separated by semicolons, values by commas."""
    try:
        return [[float(value) for value in row.split(",")] for row in text.split(";")]
    except ValueError as problem:
        message = "Give delays_ms as rows separated by semicolons and values by commas: 0,25;25,0."
        raise FieldError("delays_ms", message) from problem


def _model(given: Mapping[str, Any], delays: Delays) -> Concurrency:
    window, own_rate = given.get("send_window", DEFAULT_WINDOW), given.get("own_rate_per_s")
    latency = delays.triangle(given.get("writer", 1) - 1).ms
    wanted = given.get("wanted_per_s")
    return Concurrency(
        window,
        MEASURED_WRITERS,
        sites=tuple(_site(delays, site) for site in range(len(delays.ms))),
        rates=tuple(rate_shown(n, commits_per_s(n, latency, window, own_rate)) for n in THREADS),
        writers_needed=None if wanted is None else _writers(writers_for(wanted, latency, window, own_rate)),
        write_set_ms=write_set_ms(given.get("write_set_bytes", 0), latency, window),
        table=CELLS,
    )


def _site(delays: Delays, site: int) -> SiteLatency:
    way, round_trip = delays.triangle(site), delays.round_trip(site)
    sites = (site + 1, way.over + 1, way.back + 1, site + 1)
    return SiteLatency(site + 1, way.ms, way.ms / round_trip if round_trip else None, sites)


def rate_shown(writers: int, found: Range) -> CommitRate:
    """Without distance and without a rate of the cluster itself nothing limits: null."""
    low, high = (None if math.isinf(value) else value for value in (found.low, found.high))
    return CommitRate(writers, low, high)


def _writers(found: int | Unknown) -> WritersNeeded:
    number, reason = parted(found)
    return WritersNeeded(number, reason or beyond(number or 0))


def beyond(writers: float) -> str:
    """A remark on a number of writers that was not measured."""
    return f"More than {MEASURED_WRITERS} writers were not measured." if writers > MEASURED_WRITERS else ""

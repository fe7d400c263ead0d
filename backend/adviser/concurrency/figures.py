"""What a distance does to commits, as the API returns it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from backend.common.errors import invalid
from backend.core.adviser.concurrency.delays import Delays, delays_given
from backend.core.adviser.concurrency.measured import CELLS, Cell
from backend.core.adviser.concurrency.model import (
    DEFAULT_WINDOW,
    MEASURED_WRITERS,
    Range,
    commits_per_s,
    write_set_ms,
    writers_for,
)
from backend.core.estimates import FieldError, Unknown

Shown = dict[str, Any]
THREADS = (1, 2, 4, 8, 16, 32, 64)


def concurrency(given: Mapping[str, Any]) -> Shown:
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


def _model(given: Mapping[str, Any], delays: Delays) -> Shown:
    window, own_rate = given.get("send_window", DEFAULT_WINDOW), given.get("own_rate_per_s")
    writer = given.get("writer", 1) - 1
    latency = delays.triangle(writer).ms
    wanted = given.get("wanted_per_s")
    return {
        "send_window": window,
        "measured_writers": MEASURED_WRITERS,
        "sites": [_site(delays, site) for site in range(len(delays.ms))],
        "rates": [rate_shown(n, commits_per_s(n, latency, window, own_rate)) for n in THREADS],
        "writers_needed": None if wanted is None else _writers(writers_for(wanted, latency, window, own_rate)),
        "write_set_ms": round(write_set_ms(given.get("write_set_bytes", 0), latency, window), 1),
        "table": [_cell(cell) for cell in CELLS],
    }


def _site(delays: Delays, site: int) -> Shown:
    way, round_trip = delays.triangle(site), delays.round_trip(site)
    return {
        "site": site + 1,
        "latency_ms": round(way.ms, 3),
        "round_trips": round(way.ms / round_trip, 2) if round_trip else None,
        "way": [site + 1, way.over + 1, way.back + 1, site + 1],
    }


def rate_shown(writers: int, found: Range) -> Shown:
    """Without distance and without a rate of the cluster itself nothing limits: null."""
    low, high = (None if math.isinf(value) else round(value, 2) for value in (found.low, found.high))
    return {"writers": writers, "low_per_s": low, "high_per_s": high}


def _writers(found: int | Unknown) -> Shown:
    if isinstance(found, Unknown):
        return {"writers": None, "reason": found.reason}
    beyond = f"More than {MEASURED_WRITERS} writers were not measured." if found > MEASURED_WRITERS else ""
    return {"writers": found, "reason": beyond}


def _cell(cell: Cell) -> Shown:
    return {
        "threads": cell.threads,
        "delay_ms": cell.delay_ms,
        "article_s": cell.article,
        "lab_s": cell.lab,
        "lab_large_window_s": cell.lab_large,
        "model_s": _seconds(cell.model_default),
        "model_large_window_s": _seconds(cell.model_large),
    }


def _seconds(value: float | Unknown) -> float | None:
    return None if isinstance(value, Unknown) else round(value, 2)

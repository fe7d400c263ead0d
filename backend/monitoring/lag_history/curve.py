"""Reads the lag of a link over time, in one resolution: stored buckets, and samples that are not yet in one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import Min

from backend.core.link_state.ranks import state_of_rank
from backend.monitoring.lag_history.aggregation import MEASURES, Row, aggregated, rows_of
from backend.monitoring.lag_history.archives import Resolution, archives, at_slot, slot_of
from backend.monitoring.models import LagProgress

READ_AT_ONCE: Final = 2000
"""Points of one query: MariaDB's driver fetches a whole result at once."""
DIRECTIONS: Final = ("forward", "reverse")


def columns(directions: tuple[str, ...] = DIRECTIONS) -> tuple[str, ...]:
    """The names of a point's values, in their order."""
    measured = [name for name in MEASURES if name.split("_")[0] in directions]
    parts = [f"{name}{part}" for name in measured for part in ("", "_min", "_max", "_unknown")]
    return ("at", "state", "samples", *parts)


def points(
    link_id: str, resolution: Resolution, since: datetime, until: datetime, directions: tuple[str, ...] = DIRECTIONS
) -> Iterator[dict[str, Any]]:
    """The points whose time begins in the range, or holds its beginning; where nothing was sampled there is none."""
    names = columns(directions)
    end_slot = -((since - until) // timedelta(seconds=resolution.step_s)) + slot_of(since, resolution.step_s) + 1
    for slot in range(slot_of(since, resolution.step_s), end_slot, READ_AT_ONCE):
        begin = at_slot(slot, resolution.step_s)
        end = min(until, at_slot(min(slot + READ_AT_ONCE, end_slot), resolution.step_s))
        for row in _rows(link_id, resolution, begin, end):
            yield _point(row, resolution.step_s, names)


def _rows(link_id: str, resolution: Resolution, begin: datetime, end: datetime) -> list[Row]:
    """Stored buckets up to where they are complete, from there on samples."""
    width_s, step_s = resolution.archive.width_s, resolution.step_s
    if width_s == 1:
        return list(aggregated([link_id], 1, step_s, begin, end))
    progress = LagProgress.objects.filter(pk=width_s).first()
    rolled = progress.rolled_until if progress is not None else None
    border = min(max(rolled or begin, begin), end)
    rows = list(aggregated([link_id], width_s, step_s, begin, border))
    for late in aggregated([link_id], 1, step_s, border, end):
        if rows and rows[-1]["slot"] == late["slot"]:
            rows[-1] = _joined(rows[-1], late)
        else:
            rows.append(late)
    return rows


def _joined(one: Row, other: Row) -> Row:
    """Two parts of one bucket."""
    joined = dict(one)
    for name in ("samples", *(f"{measure}_{part}" for measure in MEASURES for part in ("sum", "known"))):
        joined[name] = _of_known(sum, one[name], other[name])
    for name in ("state_rank", *(f"{measure}_max" for measure in MEASURES)):
        joined[name] = _of_known(max, one[name], other[name])
    for name in (f"{measure}_min" for measure in MEASURES):
        joined[name] = _of_known(min, one[name], other[name])
    return joined


def _of_known(function: Any, *values: int | None) -> int | None:
    known = [value for value in values if value is not None]
    return function(known) if known else None


def _point(row: Row, step_s: int, names: tuple[str, ...]) -> dict[str, Any]:
    point = {"at": at_slot(row["slot"], step_s), "samples": row["samples"]}
    point["state"] = state_of_rank(row["state_rank"]).value
    for name in MEASURES:
        known = row[f"{name}_known"]
        point[name] = round(row[f"{name}_sum"] / known, 2) if known else None
        point[f"{name}_min"], point[f"{name}_max"] = row[f"{name}_min"], row[f"{name}_max"]
        point[f"{name}_unknown"] = row["samples"] - known
    return {name: point[name] for name in names}


def begins_at(link_id: str) -> datetime | None:
    """The time of the oldest stored lag of a link; None before the first sample."""
    firsts = [rows_of(archive.width_s).filter(link_id=link_id).aggregate(at=Min("at"))["at"] for archive in archives()]
    return min((first for first in firsts if first is not None), default=None)


def gap_after_s(step_s: int) -> float:
    """Two points that are further apart have a gap between them, in which nothing was sampled."""
    return max(1.5 * step_s, 3.0 * settings.HAWSER_POLL_INTERVAL_S + 2.0)

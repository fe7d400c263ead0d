"""What a caller asks of the lag's history: a time, a resolution, and a refusal that names the field and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from backend.common.errors import invalid
from backend.monitoring.lag_history.archives import Resolution, archives, automatic, chosen, finest

DEFAULT_MINUTES: Final = 15
MAX_POINTS: Final = 20_000
"""Points of one answer; the export is streamed and has no limit."""


@dataclass(frozen=True, slots=True)
class CurveRequest:
    """The time from `since` until before `until`. Points are read from `begin` on: before it nothing is stored."""

    since: datetime
    begin: datetime
    until: datetime
    resolution: Resolution


def curve_request(asked: Mapping[str, Any], now: datetime, begins_at: datetime | None) -> CurveRequest:
    """The checked request; `points` limits what is answered at once, and a file has no limit."""
    since, until = _range(asked, now)
    resolution = _resolution(asked, since, until, now)
    begin = min(until, max(since, begins_at or until))
    if "points" in asked:
        _check_size(begin, until, resolution.step_s)
    return CurveRequest(since, begin, until, resolution)


def _range(asked: Mapping[str, Any], now: datetime) -> tuple[datetime, datetime]:
    since, until, minutes = asked.get("from"), asked.get("to"), asked.get("minutes")
    if minutes is not None and (since or until):
        raise invalid("minutes", "Leave out minutes, or else from and to: minutes count back from now.")
    if since is None and until is not None:
        raise invalid("from", "Give from together with to, or minutes instead of both.")
    if since is None:
        return now - timedelta(minutes=minutes or DEFAULT_MINUTES), now
    if since >= now:
        raise invalid("from", f"This time is in the future. The console's clock says {_text(now)}.")
    until = min(until or now, now)
    if since >= until:
        raise invalid("to", f"Give a time after from, which is {_text(since)}.")
    return since, until


def _resolution(asked: Mapping[str, Any], since: datetime, until: datetime, now: datetime) -> Resolution:
    stored = archives()
    step_s = asked.get("resolution")
    if step_s is None and "points" not in asked:
        return chosen(stored, finest(stored, since, now).width_s, since, now)
    if step_s is None:
        return automatic(stored, since, until, now, asked["points"])
    found = chosen(stored, step_s, since, now)
    least_s = finest(stored, since, now).width_s
    if found.archive.width_s < least_s:
        raise invalid(
            "resolution",
            f"Points of {step_s} s are stored for {_span(found.archive.keep)}, and from is before that. "
            f"Use {least_s} or more, or leave it out.",
        )
    return found


def _check_size(since: datetime, until: datetime, step_s: int) -> None:
    count = (until - since).total_seconds() / step_s
    if count > MAX_POINTS:
        raise invalid(
            "resolution",
            f"That is {count:,.0f} points; one answer has at most {MAX_POINTS:,}. Use a coarser resolution, "
            "a shorter time, or the export.",
        )


def _span(keep: timedelta) -> str:
    hours = int(keep.total_seconds() // 3600)
    return f"{hours} h" if hours < 24 else f"{hours // 24} d"


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")

"""How long a run took and how long it paused writes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from backend.core.history.stored_run import StoredRun
from backend.core.runner.write_pause import PauseState, WritePause, write_pause


def duration_s(run: StoredRun) -> float | None:
    """Seconds from the confirmation to the end; None while there is none."""
    return seconds_between(run.created_at, run.ended_at)


def recovery_s(run: StoredRun) -> float | None:
    """Seconds from the confirmation to the verified result; None of one that was verified in part or not at all."""
    return duration_s(run) if run.is_verified else None


def pause_of(run: StoredRun) -> WritePause | None:
    """The write pause; None where the run paused nothing."""
    is_reverted = run.state in ("failed", "aborted") and not run.is_superseded
    steps: Any = run.steps
    return write_pause(steps, is_over=run.is_final, is_reverted=is_reverted)


def pause_phrase(run: StoredRun) -> str:
    """The write pause as a part of a sentence; empty where there was none."""
    pause = pause_of(run)
    if pause is None:
        return ""
    if pause.state is PauseState.ENDED:
        return f"writes were paused for {short(pause.duration_s)}"
    return "writes are still paused" if pause.state is PauseState.ONGOING else "the end of the write pause is unknown"


def seconds_between(start: datetime | None, end: datetime | None) -> float | None:
    """Seconds, never negative; None where an end is missing."""
    if start is None or end is None:
        return None
    return max(0.0, round((end - start).total_seconds(), 3))


def short(seconds: float | None) -> str:
    """A duration as people say it: `0.84 s`, `12.3 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`."""
    if seconds is None:
        return "an unknown time"
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    for size, unit, rest_size, rest_unit in ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            rest = whole % size // rest_size
            return f"{whole // size} {unit} {rest} {rest_unit}" if rest else f"{whole // size} {unit}"
    return f"{whole} s"

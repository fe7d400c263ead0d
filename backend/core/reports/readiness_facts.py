"""The facts of a readiness report: what a link achieved in a period, counted from its history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from statistics import median
from typing import Any, Final

from backend.core.history.loss import LossState
from backend.core.reports.rehearsal_schedule import HeldRehearsal, ScheduleSetting, missed

RECOVERY_KINDS: Final = ("failover", "relocate", "switchover", "failback", "start_channel")
"""Operations whose time is a recovery time; a reprotect takes as long as its data is large."""
_DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class NotedException:
    """Something that the rules of the link did not foresee; `run_id` is empty where no run belongs to it."""

    at: datetime
    type: str
    sentence: str
    run_id: str = ""


@dataclass(frozen=True, slots=True)
class ReadinessInput:
    """What was stored about one link. `entries` are those of the history; `ready_s` and `not_ready_s` were measured.

    `advice` is that of the time of the report, not of its period; None: unknown. `proof`: of each direction, as
    `readiness_proof` reads it.
    """

    link_id: str
    link_name: str
    since: datetime
    until: datetime
    entries: Sequence[Mapping[str, Any]]
    rehearsals: Sequence[HeldRehearsal]
    settings: Sequence[ScheduleSetting]
    ready_s: float
    not_ready_s: float
    exceptions: Sequence[NotedException]
    advice: Mapping[str, Any] | None = None
    proof: Sequence[Mapping[str, Any]] = ()


def readiness_facts(given: ReadinessInput) -> dict[str, Any]:
    """The facts as plain data: what the JSON of the report holds."""
    return {
        "link_id": given.link_id,
        "link_name": given.link_name,
        "since": given.since,
        "until": given.until,
        "switches": _switches(given.entries),
        "recovery_time": _recovery_time(given.entries),
        "recovery_point": _recovery_point(given.entries),
        "rehearsals": _rehearsals(given),
        "availability": _availability(given),
        "proof": list(given.proof),
        "exceptions": [asdict(one) for one in sorted(given.exceptions, key=lambda one: one.at)],
        "advice": given.advice,
    }


def _switches(entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    names = ("id", "kind", "state", "created_at", "sentence", "recovery_s", "write_pause_s", "loss")
    return [{name: one[name] for name in names} for one in entries]


def _recovery_time(entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for kind in RECOVERY_KINDS:
        of_kind = [one for one in entries if one["kind"] == kind]
        times = [one["recovery_s"] for one in of_kind if one["recovery_s"] is not None]
        if of_kind:
            found.append({"kind": kind, "runs": len(of_kind), **spread(times)})
    return found


def spread(values: Sequence[float]) -> dict[str, float | int | None]:
    """Number, least, median and most; None where there is no value."""
    if not values:
        return {"measured": 0, "min_s": None, "median_s": None, "max_s": None}
    return {"measured": len(values), "min_s": min(values), "median_s": round(median(values), 3), "max_s": max(values)}


_COUNTED = (LossState.COUNTED, LossState.ORPHANED, LossState.SETTLED)
"""From what was read of a lost side, later from its orphans."""


def _recovery_point(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """By certainty; an unknown loss is counted as unknown and never as none."""
    begun = [one["loss"] for one in entries if one["loss"]["state"] != LossState.NOT_STARTED]
    states = Counter(str(loss["state"]) for loss in begun)
    counted = [loss["transactions"] for loss in begun if loss["state"] in (*_COUNTED, LossState.STATED)]
    seconds = [loss["seconds"] for loss in begun if loss["seconds"] is not None and loss["transactions"]]
    return {
        "none_verified": states[LossState.NONE_VERIFIED.value],
        "counted": sum(states[state.value] for state in _COUNTED),
        "stated": states[LossState.STATED.value],
        "unknown": states[LossState.UNKNOWN.value],
        "most_transactions": max((n for n in counted if n is not None), default=None),
        "most_seconds": max(seconds, default=None),
    }


def _rehearsals(given: ReadinessInput) -> list[dict[str, Any]]:
    held = [one for one in given.rehearsals if given.since <= one.at < given.until]
    absent = missed(given.settings, given.rehearsals, given.since, given.until)
    return [
        {
            "kind": kind,
            "passed": sum(one.is_passed for one in held if one.kind == kind),
            "failed": sum(not one.is_passed for one in held if one.kind == kind),
            "missed": absent.get(kind),
        }
        for kind in sorted({one.kind for one in held} | absent.keys())
    ]


def _availability(given: ReadinessInput) -> dict[str, float]:
    """Days; what was not measured is unknown."""
    total = max(0.0, (given.until - given.since).total_seconds())
    ready, not_ready = min(given.ready_s, total), min(given.not_ready_s, max(0.0, total - given.ready_s))
    parts = {"ready_days": ready, "not_ready_days": not_ready, "unknown_days": total - ready - not_ready}
    return {name: round(seconds / _DAY_S, 4) for name, seconds in parts.items()} | {"days": round(total / _DAY_S, 4)}

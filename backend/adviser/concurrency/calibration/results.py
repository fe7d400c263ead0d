"""Results as they are stored and as the API returns them; None is unknown, with its reason beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from backend.core.adviser.calibration.commits import Compared, compared
from backend.core.adviser.calibration.heartbeat import Heartbeat
from backend.core.adviser.concurrency.model import Range
from backend.core.estimates import Unknown
from backend.gateway.calibration.commits import Written
from backend.gateway.calibration.heartbeat import Beats
from backend.gateway.connection.endpoint import NodeAccess

Shown = dict[str, Any]


def commits_shown(written: Written) -> Shown:
    """Each number of writers beside the model."""
    console_ms, latency, window = written.console_ms or 0.0, written.latency, written.window
    return {
        "console_ms": round(console_ms, 2),
        "latency": None if isinstance(latency, Unknown) else asdict(latency),
        "latency_reason": _reason(latency),
        "send_window": None if isinstance(window, Unknown) else window,
        "steps": [_step(compared(step, latency, window, console_ms)) for step in written.steps],
    }


def _step(found: Compared) -> Shown:
    model = found.model if isinstance(found.model, Range) else None
    return {
        "writers": found.writers,
        "commits": found.commits,
        "per_s": None if isinstance(found.per_s, Unknown) else round(found.per_s, 2),
        "p50_ms": _rounded(found.percentiles.get("p50_ms")),
        "p95_ms": _rounded(found.percentiles.get("p95_ms")),
        "model_low_per_s": _rounded(model.low if model else None),
        "model_high_per_s": _rounded(model.high if model else None),
        "apart_percent": None if isinstance(found.apart, Unknown) else round(found.apart * 100, 1),
        "reason": _reason(found.apart),
    }


def beats_shown(found: Beats, peers: Sequence[NodeAccess]) -> Shown:
    """Each node of the other side."""
    missing = Unknown("It was not asked.")
    nodes = [(access.ref, found.nodes.get(access.ref.id, missing)) for access in peers]
    return {"nodes": [{"node_id": ref.id, "node": ref.name, **_heartbeat(one)} for ref, one in nodes]}


def _heartbeat(found: Heartbeat | Unknown) -> Shown:
    figures = ("median_ms", "least_ms", "most_ms", "error_ms")
    if isinstance(found, Unknown):
        return {**dict.fromkeys(figures), "is_bound": False, "seen": 0, "missed": 0, "reason": found.reason}
    return {
        **{name: _rounded(getattr(found, name)) for name in figures},
        "is_bound": found.is_bound,
        "seen": found.seen,
        "missed": found.missed,
        "reason": "",
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _reason(found: object) -> str:
    return found.reason if isinstance(found, Unknown) else ""

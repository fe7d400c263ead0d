"""The verification that is stored with a succeeded run, built from the facts of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.core.plan import Plan as CorePlan
from backend.core.plans import fence_returned_side, remove_stray_channel
from backend.runs.models import RunStep


def verification_of(plan: CorePlan, steps: list[RunStep], cleaning: list[str]) -> Mapping[str, Any]:
    """The verification in the API's form."""
    probes = [step.facts for step in steps if step.code == "probe" and step.facts]
    last: Mapping[str, Any] = next((step.facts for step in reversed(steps) if step.code == "verify"), {})
    probed = (bool(probes) and last.get("probed", True)) or plan.kind in _UNPROBED
    why = (
        "The receiving side has a large backlog: its first transactions were compared."
        if probes
        else "The plan was made without probes."
    )
    return {
        "verdict": "verified" if probed else "partly",
        "probes": probes,
        "continuity": last.get("continuity", []),
        "options_equal": last.get("options_equal"),
        "stray_channels": last.get("stray_channels", []),
        "not_probed_reason": "" if probed else why,
        "cleanup_pending": cleaning,
        "write_pause_ms": write_pause_ms(steps),
    }


def write_pause_ms(steps: list[RunStep]) -> int | None:
    """Seconds from the first fence until the other side was writable; None if no side was changed."""
    closed = [s.started_at for s in steps if s.code == "fence" and s.started_at]
    opened = [s.ended_at for s in steps if s.code in _OPENING and s.ended_at]
    if not closed or not opened:
        return None
    return round((max(opened) - min(closed)).total_seconds() * 1000)


_UNPROBED = (remove_stray_channel.KIND, fence_returned_side.KIND)
"""Kinds that set up no channel for a probe."""
_OPENING = frozenset({"swap_roles", "unfence", "accept_queries"})

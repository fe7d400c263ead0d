"""The verification that is stored with a succeeded run, built from the facts of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
from backend.core.plans import (
    configure,
    fence_returned_side,
    fence_standby,
    remove_channels,
    remove_stray_channel,
    rotate_passwords,
)
from backend.core.runner.write_pause import write_pause
from backend.operations.runs.models import RunStep


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
        "write_pause_ms": _write_pause_ms(steps),
        "removed_channels": _removed_channels(plan, steps) if plan.kind == remove_channels.KIND else [],
    }


def _write_pause_ms(steps: list[RunStep]) -> int | None:
    """Milliseconds in which no side was writable; None if no side was fenced and another one opened."""
    pause = write_pause(steps, is_over=True, is_reverted=False)
    seconds = pause.duration_s if pause else None
    return None if seconds is None else round(seconds * 1000)


def _removed_channels(plan: CorePlan, steps: list[RunStep]) -> list[dict[str, Any]]:
    """Each channel, and where it stopped: with this it can be set up again by hand."""
    facts = {step.index: step.facts or {} for step in steps}
    return [_removed(step, facts[step.index]) for step in plan.steps if step.code == "stop_channel"]


def _removed(step: Step, stopped: Mapping[str, Any]) -> dict[str, Any]:
    file, _, position = str(stopped["position"]).rpartition(":")
    return {
        "direction": step.params["direction"],
        "node": step.node,
        "source_name": step.params["source_name"],
        "name": step.params["name"],
        "file": file,
        "position": int(position),
        "gtid": stopped["gtid"],
    }


_UNPROBED = (
    remove_stray_channel.KIND,
    remove_channels.KIND,
    fence_returned_side.KIND,
    fence_standby.KIND,
    configure.KIND,
    rotate_passwords.KIND,
)
"""Kinds that set up no channel for a probe."""

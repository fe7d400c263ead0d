"""A link with a history in the console's database: finished runs as their workers left them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from backend.clusters.models import Link
from backend.core.findings import Finding, Severity
from backend.core.plan import Step
from backend.operations.runs.models import Run, RunStep
from tests.support.console import core_plan, store_plan

T0 = datetime(2026, 11, 21, 3, 4, 5, tzinfo=UTC)
LOCATED = {"file": "mariadb-bin.000014", "offset": 4704, "gtid": "0-11-12"}
ATTESTED = Finding("accounts_attested", Severity.WARNING, "The accounts were attested.", "", {})


def finished_run(link: Link, number: int = 0, **fields: Any) -> Run:
    """A relocate of the link that succeeded, `number` hours after the first one."""
    core = core_plan(link)
    steps = (
        Step(0, "locate", "Locate", core.target["source_node"], core.target["source_name"], params=_OF_FORWARD),
        Step(1, "probe", "Probe", None, None),
    )
    findings = (*core.findings, ATTESTED)
    plan = store_plan(link, replace(core, steps=steps, findings=findings, options={"attest_accounts": True}))
    began = T0 + timedelta(hours=number)
    stored = {
        "plan": plan, "link": link, "kind": "relocate", "state": "succeeded", "requested_by": "anna",
        "reason": "disk failed", "outcome": "Done and verified.", "created_at": began, "started_at": began,
        "ended_at": began + timedelta(seconds=9.4), "verification": VERIFICATION,
    } | fields  # fmt: skip
    run = Run.objects.create(**stored)
    for step in steps:
        RunStep.objects.create(
            run=run, index=step.index, code=step.code, title=step.title, node=step.node or "", state="succeeded",
            facts=LOCATED if step.code == "locate" else {}, started_at=began, ended_at=began,
        )  # fmt: skip
    return run


_OF_FORWARD = {"direction": "forward"}
VERIFICATION = {
    "verdict": "verified", "probes": [], "continuity": [], "options_equal": True, "stray_channels": [],
    "not_probed_reason": "", "cleanup_pending": [], "write_pause_ms": None, "removed_channels": [],
}  # fmt: skip

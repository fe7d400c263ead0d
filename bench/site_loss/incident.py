"""The same plans by an incident: one call, and workers make them within the limits."""

from __future__ import annotations

import time
from typing import Any

from bench.console import wait_for
from bench.site_loss.console import SITE, MassConsole
from bench.site_loss.operations import Options

Json = dict[str, Any]


def planned_by_incident(console: MassConsole, wanted: Options) -> Json:
    """Opened for the site, planned again with what the operator attests, and aborted; most plans at a time of all."""
    from backend.operations.incidents.models import IncidentItem

    began = time.monotonic()
    incident = console.ask("POST", "/incidents", {"site": SITE})["id"]
    most = _wait_planned(incident)
    refused_s = time.monotonic() - began
    items = [{"link_id": link, "options": options} for link, options in wanted]
    began = time.monotonic()
    console.ask("POST", f"/incidents/{incident}/plan", {"items": items})
    most = max(most, _wait_planned(incident))
    ready_s = time.monotonic() - began
    ready = IncidentItem.objects.filter(incident=incident, plan__state="ready").count()
    console.ask("POST", f"/incidents/{incident}/abort", {"comment": "benchmark"})
    return {"first_s": round(refused_s, 2), "attested_s": round(ready_s, 2), "ready": ready, "most_at_once": most}


def _wait_planned(incident: str) -> int:
    """Until no item waits for its plan; the most that were made at a time."""
    from backend.operations.incidents.models import IncidentItem

    most = 0

    def is_planned() -> bool:
        nonlocal most
        waiting = IncidentItem.objects.filter(incident=incident, planning=True)
        most = max(most, waiting.exclude(planning_until=None).count())
        return not waiting.exists()

    wait_for(is_planned, 120, "the incident to be planned", pause_s=0.05)
    return most

"""Everything that the report of an incident tells: the incident, and the history entry of each of its runs."""

from __future__ import annotations

from typing import Any

from backend.core.history.entry import entry_of
from backend.operations.incidents.models import Incident
from backend.operations.incidents.selectors import incident_view
from backend.operations.runs.models import Run
from backend.operations.runs.stored_run import stored_runs, with_everything_told


def report_facts(incident: Incident, *, shows_rows: bool) -> dict[str, Any]:
    """The incident as it is shown; `runs` are the entries of its runs, also of earlier plans, by their start."""
    shown = incident_view(incident, shows_rows=shows_rows)
    plans = [plan_id for item in shown["items"] for plan_id in (*item["earlier_plans"], item["plan_id"]) if plan_id]
    rows = with_everything_told(Run.objects.filter(plan_id__in=plans)).order_by("created_at", "id")
    return {**shown, "runs": [entry_of(run) for run in stored_runs(rows)]}

"""What is asked again before the first statement of a run: the registration, and the change calendar."""

from __future__ import annotations

from backend.operations.change_calendar.selectors import judgement_of
from backend.operations.runs.asked_links import asked_links
from backend.operations.runs.execution.authorization import Refusal
from backend.operations.runs.models import Run
from backend.operations.runs.planning.registration_changes import registration_changed, registration_changes


def why_not_begin(run: Run) -> Refusal | None:
    """Why a run that has sent nothing yet must not begin now."""
    if run.started_at is not None:
        return None
    if changes := registration_changes(run.plan):
        return Refusal("registration_changed", registration_changed(changes))
    links = asked_links(run.plan)
    judged = judgement_of(links, run.kind, plan_id=run.plan_id, run_id=run.pk, digest=run.plan.digest)
    if judged.standing:
        return Refusal("change_not_allowed", f"{judged.standing[0].sentence} Nothing was sent.")
    return None

"""The lock under which an incident is changed, and the states that allow it."""

from __future__ import annotations

from backend.common.errors import conflict
from backend.operations.incidents.models import Incident, IncidentState


def locked(incident: Incident, *states: IncidentState) -> Incident:
    """The incident with its row locked; 409 if its state is none of these."""
    found = Incident.objects.select_for_update().get(pk=incident.pk)
    if found.state not in states:
        allowed = " or ".join(state.value for state in states)
        raise conflict(
            "wrong_incident_state",
            f"The state of the incident is {found.state}; this needs {allowed}. Nothing was changed.",
        )
    return found

"""Every problem code that an answer can have, by subject; docs/reference/problems.md is written from it."""

from __future__ import annotations

from collections.abc import Mapping

from backend.common.problem_catalogue import (
    access,
    approval,
    calibration,
    change_calendar,
    incidents,
    lab,
    network,
    plans,
    registration,
    registration_changes,
    requests,
    runs,
    second_factors,
    service,
    sign_in,
    table_comparison,
)
from backend.common.problem_catalogue.entry import ProblemEntry

SUBJECTS: Mapping[str, tuple[ProblemEntry, ...]] = {
    "Requests": requests.ENTRIES,
    "Sign-in, tokens and users": access.ENTRIES,
    "Second factors": second_factors.ENTRIES,
    "Sign-in by a provider": sign_in.ENTRIES,
    "Approval by a second person": approval.ENTRIES,
    "Change calendar": change_calendar.ENTRIES,
    "Plans": plans.ENTRIES,
    "Runs": runs.ENTRIES,
    "Incidents": incidents.ENTRIES,
    "Network measurements": network.ENTRIES,
    "Calibrations": calibration.ENTRIES,
    "Table comparisons": table_comparison.ENTRIES,
    "Registration": registration.ENTRIES,
    "Changes of a registration": registration_changes.ENTRIES,
    "Hawser itself": service.ENTRIES,
    "Lab of the demo": lab.ENTRIES,
}
_BY_CODE: Mapping[str, ProblemEntry] = {entry.code: entry for entries in SUBJECTS.values() for entry in entries}


def title_of(code: str) -> str:
    """The title of a problem code.

    A test finds codes without an entry. An answer with such a code must still reach its caller.
    """
    entry = _BY_CODE.get(code)
    return entry.title if entry else "Request failed"


def entry_of_problem(code: str) -> ProblemEntry | None:
    """What the catalogue says of a code; None where it has no such code."""
    return _BY_CODE.get(code)

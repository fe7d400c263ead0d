"""The change calendar."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="change_not_allowed",
        statuses=(409,),
        title="Not allowed by the change calendar",
        what_happened="A freeze is in force, no change window is open, or the calendar cannot be evaluated.",
        what_it_means="Nothing was sent. `objections` has the reasons, `next_start` the next time that is allowed.",
        what_to_do="Start it then. Or have a user with the role `approver` override the calendar with a reason.",
    ),
    ProblemEntry(
        code="override_not_permitted",
        statuses=(403,),
        title="Override not permitted",
        what_happened="You gave a reason to override the change calendar, and your role does not include that.",
        what_it_means="The run was not started. Nothing was sent to a server.",
        what_to_do="Start it when the calendar allows it, or have a user with the role `approver` start it.",
    ),
    ProblemEntry(
        code="too_many_calendar_entries",
        statuses=(409,),
        title="Change calendar full",
        what_happened="The change calendar has as many change windows or freezes as it can hold.",
        what_it_means="Nothing was added.",
        what_to_do="Delete entries that are over, or make one weekly window of several single ones.",
    ),
)

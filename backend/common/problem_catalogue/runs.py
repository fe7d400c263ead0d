"""Runs and what follows a failover."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="run_unfinished",
        statuses=(409,),
        title="Another run is in progress",
        what_happened="The link has a run that has not ended. `run_id` names it.",
        what_it_means="No second run was created. The other run is not affected.",
        what_to_do="Wait for that run, or decide about it (approve, resume or abort), then create a new plan.",
    ),
    ProblemEntry(
        code="wrong_state",
        statuses=(409,),
        title="Run state does not allow this",
        what_happened="The run was not in a state in which this action is possible.",
        what_it_means="The run is unchanged. It may have moved on since the page was loaded.",
        what_to_do="Reload the run and choose one of the actions that it offers.",
    ),
    ProblemEntry(
        code="abort_refused",
        statuses=(409,),
        title="Too late to abort",
        what_happened="The run has ended, is being aborted, or has passed the point of no return.",
        what_it_means="This request changed nothing. The run continues as before.",
        what_to_do="Read `next_action`. Past the point of no return, let it finish or resume it if it stopped.",
    ),
    ProblemEntry(
        code="maintenance_not_open",
        statuses=(409,),
        title="Maintenance cannot be ended now",
        what_happened="The node maintenance is still being prepared by its run, or is over.",
        what_it_means="Nothing was changed. A freeze of a donor that is left is ended automatically.",
        what_to_do="While it is prepared, abort its run. Otherwise do nothing.",
    ),
    ProblemEntry(
        code="not_diverged",
        statuses=(409,),
        title="Nothing to reconcile",
        what_happened="The link has no failover that waits to be reconciled, so there are no orphaned transactions.",
        what_it_means="No scan was made.",
        what_to_do="Check that it is the intended link. After a failover, scan before the side is reconciled.",
    ),
)

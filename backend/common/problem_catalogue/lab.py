"""The lab of the demo."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="lab_refused",
        statuses=(409,),
        title="Lab command failed",
        what_happened="The lab could not carry out the command. `detail` says why.",
        what_it_means="Servers of the lab may have changed in part. Clusters outside the lab are not affected.",
        what_to_do="Read the state of the lab, correct the cause and repeat the command.",
    ),
    ProblemEntry(
        code="rebuild_running",
        statuses=(409,),
        title="Copy already running",
        what_happened="A site of the lab is being copied. Only one copy runs at a time.",
        what_it_means="No second copy was started.",
        what_to_do="Wait until the copy has ended.",
    ),
    ProblemEntry(
        code="verify_running",
        statuses=(409,),
        title="Verification already running",
        what_happened="A verification of the lab runs. Only one runs at a time.",
        what_it_means="No second verification was started.",
        what_to_do="Wait for its result.",
    ),
)

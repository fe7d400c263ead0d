"""Plans: creating and confirming them."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="plan_refused",
        statuses=(409,),
        title="Plan refused",
        what_happened="A finding of the plan is a blocker or unknown, so the plan cannot be run.",
        what_it_means="No run was created. Nothing was sent to a server.",
        what_to_do="Read the findings of the plan, resolve each blocker, then create a new plan.",
    ),
    ProblemEntry(
        code="plan_expired",
        statuses=(410,),
        title="Plan expired",
        what_happened="The plan is older than its limit, and the servers may have changed since.",
        what_it_means="No run was created. Nothing was sent to a server.",
        what_to_do="Create a new plan and review it.",
    ),
    ProblemEntry(
        code="plan_version_mismatch",
        statuses=(409,),
        title="Plan from an older version",
        what_happened="Hawser was upgraded after this plan was created.",
        what_it_means="The plan is not run. Nothing was sent to a server.",
        what_to_do="Create a new plan. If a run of the old plan waits for approval, abort it first.",
    ),
    ProblemEntry(
        code="plan_used",
        statuses=(409,),
        title="Plan already run",
        what_happened="A run was created from this plan before. A plan is run at most once.",
        what_it_means="No second run was created. `run_id` names the first run where it is known.",
        what_to_do="Open that run. Create a new plan if the operation is still needed.",
    ),
    ProblemEntry(
        code="wrong_digest",
        statuses=(422,),
        title="Digest mismatch",
        what_happened="The digest in the request is not the digest of this plan.",
        what_it_means="Nothing was started or approved. You may have reviewed another plan.",
        what_to_do="Read this plan again and send its `digest`.",
    ),
    ProblemEntry(
        code="wrong_confirmation",
        statuses=(422,),
        title="Confirmation mismatch",
        what_happened="The name typed as confirmation is not the name of the link.",
        what_it_means="No run was created. Nothing was sent to a server.",
        what_to_do="Check that it is the intended link, then type its name exactly.",
    ),
    ProblemEntry(
        code="facts_changed",
        statuses=(409,),
        title="Cluster state changed",
        what_happened="The servers are not in the state on which the plan rests. `changes` lists each difference.",
        what_it_means="Nothing was sent to a server.",
        what_to_do="Check why the state changed, then create a new plan.",
    ),
    ProblemEntry(
        code="fence_not_confirmed",
        statuses=(409,),
        title="Fence on return not confirmed",
        what_happened="No recorded failover of this link says that the lost side is fenced when it returns.",
        what_it_means="Nothing was fenced. The returned side may accept writes.",
        what_to_do="Fence it with a reprotect (option `orphans: fence`).",
    ),
)

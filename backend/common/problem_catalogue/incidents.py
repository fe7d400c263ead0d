"""Incidents: many links with one confirmation."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="wrong_incident_state",
        statuses=(409,),
        title="Incident state does not allow this",
        what_happened="The incident was not in a state in which this action is possible.",
        what_it_means="The incident is unchanged. It may have moved on since the page was loaded.",
        what_to_do="Reload the incident. Make new plans before you order or confirm one that was stopped.",
    ),
    ProblemEntry(
        code="nothing_to_start",
        statuses=(409,),
        title="No plan can be started",
        what_happened="No link of the incident has a ready plan that was not started yet.",
        what_it_means="Nothing was confirmed. Nothing was sent to a server.",
        what_to_do="Read why each plan is refused, give the attestations that it needs, and make new plans.",
    ),
    ProblemEntry(
        code="attestation_missing",
        statuses=(422,),
        title="Attestations do not match the plans",
        what_happened="The confirmation did not repeat exactly the attestations of the plans.",
        what_it_means="Nothing was confirmed. Nothing was sent to a server.",
        what_to_do="Read the attestations of each link and send all of them, each with its link.",
    ),
    ProblemEntry(
        code="incident_runs_unfinished",
        statuses=(409,),
        title="Runs of the incident are unfinished",
        what_happened="Runs that the incident started before have not ended. They would not be counted in its limit.",
        what_it_means="Nothing was confirmed. Those runs are not affected.",
        what_to_do="Wait until they have ended, or abort them. Then make new plans and confirm.",
    ),
    ProblemEntry(
        code="incident_altered",
        statuses=(409,),
        title="Confirmed incident was changed",
        what_happened="What is stored of the incident is not what was confirmed: something else changed its rows.",
        what_it_means="The plan was not started. Nothing was sent to a server.",
        what_to_do="Find out what wrote to the console's database. Then make new plans and confirm them.",
    ),
    ProblemEntry(
        code="approver_not_permitted",
        statuses=(409,),
        title="Approver no longer permitted",
        what_happened=(
            "The user who approved the incident may not approve runs any more, or the token of the approval has ended."
        ),
        what_it_means="The run still waits for its approval. Nothing was sent to a server.",
        what_to_do="Have another user with the role `approver` approve the run.",
    ),
)

"""Measurements of the network between the sites of a link."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="probe_token_refused",
        statuses=(403,),
        title="Probe token refused",
        what_happened="The token that `hawser-network-probe` sent is unknown, expired or was already used.",
        what_it_means="The result was not stored. A token works once, within an hour.",
        what_to_do=(
            "Create a new token on the Network page of the link and measure again, or paste the printed JSON there."
        ),
    ),
    ProblemEntry(
        code="too_many_probe_tokens",
        statuses=(409,),
        title="Too many probe tokens",
        what_happened="The link has ten probe tokens that were not used yet, which is the limit.",
        what_it_means="No token was created. The existing ones still work.",
        what_to_do="Use one of them, or wait until they expire, an hour after they were created.",
    ),
)

"""Hawser itself."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="internal_error",
        statuses=(500,),
        title="Internal error",
        what_happened="An unexpected error occurred in Hawser. The server log has its trace.",
        what_it_means="It is unknown whether this request took effect. Runs in progress are not affected.",
        what_to_do="Search the server logs for `request_id`. Reload the object before you repeat the request.",
    ),
    ProblemEntry(
        code="console_database_unavailable",
        statuses=(503,),
        title="Console database unavailable",
        what_happened="Hawser's own database is not responding or cannot write.",
        what_it_means=(
            "Managed clusters are not affected. This request was not completed, and its effect may be unknown."
        ),
        what_to_do="Retry in a few seconds. If it lasts, check the database server, its disk and the connection to it.",
    ),
    ProblemEntry(
        code="audit_verification_unfinished",
        statuses=(503,),
        title="Audit verification not finished",
        what_happened="The audit log has more records than one request verifies, or another request verifies it now.",
        what_it_means="This is no sign of damage. A part of the audit log is not verified yet.",
        what_to_do="Repeat the request in a few seconds until it answers.",
    ),
)

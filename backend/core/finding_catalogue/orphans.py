"""Orphaned transactions."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="orphans_none",
        severities=(Severity.OK,),
        title="No orphaned transactions",
        what_happened="The scan found no orphaned transactions on the returned side.",
        what_it_means="The side can be attached without losing data.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="orphans_unknown",
        severities=(
            Severity.UNKNOWN,
            Severity.WARNING,
        ),
        title="Orphaned transactions unknown",
        what_happened="The orphaned transactions of the returned side could not be determined.",
        what_it_means="The plan is refused. A rebuild with option `accept_loss` continues and discards them.",
        what_to_do=(
            "Bring back a node whose binary log reaches back to the failover, and grant `REPLICATION SLAVE` and "
            "`REFERENCES` to its monitor account. Or choose a rebuild."
        ),
    ),
    FindingEntry(
        code="orphans_found",
        severities=(Severity.BLOCKER,),
        title="Orphaned transactions found",
        what_happened="The returned side holds transactions that the active side never received.",
        what_it_means="The plan is refused. Attached as it is, the side would stay different from the active side.",
        what_to_do="Look at them and choose `replay`, `undo` or `rebuild`. Export them first.",
    ),
    FindingEntry(
        code="orphans_rebuild",
        severities=(
            Severity.BLOCKER,
            Severity.WARNING,
        ),
        title="Orphaned transactions discarded by the rebuild",
        what_happened="A rebuild discards the orphaned transactions of the returned side.",
        what_it_means="Without option `accept_loss` the plan is refused. After the rebuild they exist nowhere else.",
        what_to_do="Export them, then accept the loss with option `accept_loss`.",
    ),
    FindingEntry(
        code="orphans_refused",
        severities=(Severity.BLOCKER,),
        title="Orphaned transactions cannot be handled",
        what_happened="Hawser cannot replay or undo some orphaned transactions exactly, for example a `DROP TABLE`.",
        what_it_means="The plan is refused. Nothing was changed on either side.",
        what_to_do="Export them and choose a rebuild. Apply by hand what you need from the export.",
    ),
    FindingEntry(
        code="orphans_grants",
        severities=(Severity.BLOCKER,),
        title="Grants for replay or undo missing",
        what_happened="The operator account lacks privileges on the application's tables or definitions.",
        what_it_means="The plan is refused. Nothing was changed.",
        what_to_do="Run the `GRANT` statement of the remedy, plan again, and revoke it after the run.",
    ),
    FindingEntry(
        code="orphans_replay",
        severities=(Severity.OK,),
        title="Orphaned transactions will be replayed",
        what_happened="The orphaned transactions can be replayed on the active side without conflict.",
        what_it_means="Each row is compared with the active side before it is written.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="orphans_undo",
        severities=(Severity.WARNING,),
        title="Orphaned transactions will be undone",
        what_happened="The orphaned transactions are undone on the returned side, the last one first.",
        what_it_means="They are lost unless you export them.",
        what_to_do="Export them before you confirm.",
    ),
    FindingEntry(
        code="orphans_conflict",
        severities=(
            Severity.BLOCKER,
            Severity.WARNING,
        ),
        title="Conflicts in the replay",
        what_happened="The active side changed rows that orphaned transactions changed as well.",
        what_it_means=(
            "Without a decision the plan is refused. As a warning it names transactions that are left out and lost."
        ),
        what_to_do=(
            "Decide by row or table (`conflict_decisions`), correct the rows, or set `skip_conflicts`. Export them "
            "first."
        ),
    ),
    FindingEntry(
        code="orphans_undo_conflict",
        severities=(Severity.BLOCKER,),
        title="Conflicts in the undo",
        what_happened="Rows on the returned side are not as the orphaned transactions left them.",
        what_it_means="The plan is refused. An undo could overwrite later changes.",
        what_to_do="Restore the rows on the returned side to the state before the orphan, or choose a rebuild.",
    ),
    FindingEntry(
        code="orphans_schema_changes",
        severities=(Severity.WARNING,),
        title="Orphaned schema changes",
        what_happened="Some orphaned transactions change definitions.",
        what_it_means=(
            "Each one runs in total order isolation (TOI), and the active cluster takes no other write meanwhile."
        ),
        what_to_do="Run the replay at a time of low load if large tables are affected.",
    ),
    FindingEntry(
        code="orphans_decided",
        severities=(Severity.WARNING,),
        title="Conflict decisions applied",
        what_happened="Decisions about conflicting rows are part of the plan.",
        what_it_means=(
            "Some changes of orphans are discarded, or rows of the active side are replaced, as the message counts."
        ),
        what_to_do="Check the decisions and export the orphaned transactions before you confirm.",
    ),
    FindingEntry(
        code="decision_without_conflict",
        severities=(Severity.BLOCKER,),
        title="Decision without conflict",
        what_happened="A decision names a row or table that has no conflict.",
        what_it_means="The plan is refused. The conflicts may have changed since you decided.",
        what_to_do="Remove the decision from `conflict_decisions` and read the conflicts again.",
    ),
    FindingEntry(
        code="too_many_decisions",
        severities=(Severity.BLOCKER,),
        title="Too many decisions",
        what_happened="The decisions affect more rows than one plan may resolve.",
        what_it_means="The plan is refused. Nothing was changed.",
        what_to_do="Leave the transactions out (`leave_out` or `skip_conflicts`), or choose a rebuild.",
    ),
)

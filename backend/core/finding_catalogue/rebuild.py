"""A returned side copied from the survivor."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="rebuilt",
        severities=(Severity.INFO,),
        title="Returned side rebuilt",
        what_happened="The lost side returned with a new state UUID and logged nothing of its own.",
        what_it_means="It is a copy. The plan treats it as rebuilt.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="side_rebuilt",
        severities=(
            Severity.OK,
            Severity.WARNING,
        ),
        title="Rebuilt side recognized",
        what_happened="The returned side is a copy of the survivor and logged nothing of its own.",
        what_it_means=(
            "It can be attached at the position of its backup. On the link page it is a warning until that is done."
        ),
        what_to_do="Run a reprotect with option `orphans: rebuild` and the `backup_position`.",
    ),
    FindingEntry(
        code="side_was_rebuilt",
        severities=(Severity.BLOCKER,),
        title="Side rebuilt, other choice required",
        what_happened="The returned side is a copy, but the plan attaches, replays or undoes.",
        what_it_means="The plan is refused. The earlier data of that side no longer exists on it.",
        what_to_do="Choose option `orphans: rebuild` and give the `backup_position`.",
    ),
    FindingEntry(
        code="rebuild_by_hand",
        severities=(Severity.BLOCKER,),
        title="Copy of the side required",
        what_happened="The returned side is not a copy of the survivor yet, or its state is unknown.",
        what_it_means="The plan is refused. Hawser does not copy data itself.",
        what_to_do="Export the orphaned transactions, copy the side as the guide shows, then plan again.",
    ),
    FindingEntry(
        code="not_rebuilt",
        severities=(Severity.BLOCKER,),
        title="Side is not a clean copy",
        what_happened="The returned side has a new state UUID, but its log holds transactions of its own.",
        what_it_means=(
            "The plan is refused. It was bootstrapped with its old data, or it accepted writes after the copy."
        ),
        what_to_do="If it was copied, copy it again and keep it `read_only`. Otherwise scan its orphaned transactions.",
    ),
    FindingEntry(
        code="rebuilt_state_uuid_shared",
        severities=(Severity.BLOCKER,),
        title="State UUID shared by both sides",
        what_happened="The copied side runs under the state UUID of the survivor.",
        what_it_means=(
            "The plan is refused. Two different histories have one identity, because `grastate.dat` was copied."
        ),
        what_to_do=(
            "Stop the copied side, remove its `grastate.dat` and start it with `--wsrep-new-cluster`. Let its other "
            "nodes join again."
        ),
    ),
    FindingEntry(
        code="rebuild_by_gtid",
        severities=(Severity.BLOCKER,),
        title="Rebuild not supported with GTID mode",
        what_happened="The channels use GTIDs, and a copied side would continue the GTID sequence of the survivor.",
        what_it_means="The plan is refused. GTIDs could be repeated or decrease.",
        what_to_do="Use channels by file and position (`MASTER_USE_GTID=no`), or rebuild the side without Hawser.",
    ),
    FindingEntry(
        code="backup_position_missing",
        severities=(Severity.BLOCKER,),
        title="Backup position missing",
        what_happened="The returned side is a copy, but the position of its backup was not given.",
        what_it_means="The plan is refused. Without the position no start of the channel can be proven.",
        what_to_do="Give option `backup_position` exactly as the file of the backup shows it.",
    ),
    FindingEntry(
        code="rebuild_backlog_large",
        severities=(Severity.WARNING,),
        title="Large backlog after the backup",
        what_happened="Many transactions wait for the copy since its backup was taken.",
        what_it_means="The side is attached, but the forward channel is not probed. It catches up after the run.",
        what_to_do="Wait until its lag is zero before a switchover or failback.",
    ),
    FindingEntry(
        code="rebuilt_accounts_refused",
        severities=(Severity.BLOCKER,),
        title="Accounts of the copied side refused",
        what_happened="A node of the copied side refuses an account that is registered for it.",
        what_it_means="The plan is refused. A copy has the accounts of the survivor.",
        what_to_do="Create the account as the remedy says, without logging it on the copy.",
    ),
)

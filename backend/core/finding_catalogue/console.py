"""Other runs, approval, logins and Hawser's own records."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="secret_store_unknown",
        severities=(Severity.BLOCKER,),
        title="Password store does not answer",
        what_happened="The password of an account stays in a store, and the store does not give it now.",
        what_it_means="The plan is refused: a run could need the password again, and it is unknown whether it changed.",
        what_to_do="Make the file, variable or vault readable again, or store the password in Hawser.",
    ),
    FindingEntry(
        code="run_unfinished",
        severities=(Severity.BLOCKER,),
        title="Another run is in progress",
        what_happened="The link has a run that has not ended.",
        what_it_means="The plan is refused. Two runs on one link would disturb each other.",
        what_to_do="Let that run finish, or resume or abort it.",
    ),
    FindingEntry(
        code="approval_needed",
        severities=(Severity.INFO,),
        title="Approval required",
        what_happened="The link requires the approval of a second person.",
        what_it_means="After the confirmation the run waits for an approver. Nothing is sent before.",
        what_to_do="Tell an approver, so that the plan is approved in time.",
    ),
    FindingEntry(
        code="shared_cluster",
        severities=(Severity.INFO,),
        title="Cluster of another link",
        what_happened="The plan acts on a cluster that another link joins as well.",
        what_it_means="Permissions, approval rule and calendar of that link are asked, too; the strictest holds.",
        what_to_do="Nothing. Have a user start and approve the run who may on each of these links.",
    ),
    FindingEntry(
        code="change_freeze",
        severities=(Severity.WARNING,),
        title="Change freeze",
        what_happened="The change calendar has a freeze for this link now.",
        what_it_means="This planned operation is refused when it is started, unless a permitted person overrides it.",
        what_to_do="Start it after the freeze. Or have a user with the role `approver` override it with a reason.",
    ),
    FindingEntry(
        code="outside_change_window",
        severities=(Severity.WARNING,),
        title="Outside of the change windows",
        what_happened="The link has change windows, and none of them is open.",
        what_it_means="This planned operation is refused when it is started, unless a permitted person overrides it.",
        what_to_do="Start it in the next window. Or have a user with the role `approver` override it with a reason.",
    ),
    FindingEntry(
        code="change_calendar_unknown",
        severities=(Severity.WARNING,),
        title="Change calendar unknown",
        what_happened="An entry of the change calendar cannot be evaluated.",
        what_it_means="It is unknown whether the operation may start now, so it is refused when it is started.",
        what_to_do="Delete the entry that is named and add it again with correct times.",
    ),
    FindingEntry(
        code="replication_login_works",
        severities=(Severity.OK,),
        title="Replication login works",
        what_happened="The replication account can log in to the new source from the console host.",
        what_it_means="The channel can probably connect. The source may still refuse the address of the replica.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="replication_login_refused",
        severities=(Severity.BLOCKER,),
        title="Replication login refused",
        what_happened="The replication account cannot log in to the new source.",
        what_it_means="The plan is refused. The new channel could not connect.",
        what_to_do="Check user, host pattern, password and TLS of the replication account on the new source.",
    ),
    FindingEntry(
        code="replication_login_unknown",
        severities=(Severity.UNKNOWN,),
        title="Replication login not tested",
        what_happened="The login of the replication account was not tested on the new source.",
        what_it_means="The plan is refused, because the new channel might not connect.",
        what_to_do="Create the plan again.",
    ),
    FindingEntry(
        code="check_failed",
        severities=(Severity.UNKNOWN,),
        title="Check failed with an internal error",
        what_happened="A check ended with an error in Hawser.",
        what_it_means="The plan is refused as a precaution. Nothing was sent.",
        what_to_do="Report the error with its text. Create a new plan in case the cause was temporary.",
    ),
    FindingEntry(
        code="unknown_runs_found",
        severities=(Severity.BLOCKER,),
        title="Unknown run on the servers",
        what_happened="A node has a probe of a run that this console has not recorded.",
        what_it_means=(
            "The plan is refused. The console database is an older copy, or a second console works on these clusters."
        ),
        what_to_do=(
            "Restore a newer copy or stop the other console. Compare the channels, then set option "
            "`attest_unknown_runs`."
        ),
    ),
    FindingEntry(
        code="unknown_runs_attested",
        severities=(Severity.WARNING,),
        title="Unknown run attested",
        what_happened="A node has a probe of an unrecorded run, and the request attests that the channels are right.",
        what_it_means="The plan relies on that statement.",
        what_to_do="Compare the channels on both sides with the link page before you confirm.",
    ),
)

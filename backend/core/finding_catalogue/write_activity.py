"""Activity and accounts on the side to be fenced."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="activity_unknown",
        severities=(Severity.UNKNOWN,),
        title="Activity unknown",
        what_happened="Open transactions and running DDL of a node could not be read.",
        what_it_means="The plan is refused. The fence could wait for a long time or cut off a transaction.",
        what_to_do="Grant `PROCESS` to the monitor account, then create a new plan.",
    ),
    FindingEntry(
        code="ddl_in_flight",
        severities=(Severity.BLOCKER,),
        title="DDL running",
        what_happened="A DDL statement runs on a node that will be fenced.",
        what_it_means="The plan is refused. The fence would wait for its end while writes are paused.",
        what_to_do="Wait for the end of the statement. `facts` names the connection.",
    ),
    FindingEntry(
        code="long_transaction",
        severities=(
            Severity.BLOCKER,
            Severity.WARNING,
        ),
        title="Long transaction open",
        what_happened="A transaction has been open for more than 5 s on a node that will be fenced.",
        what_it_means=(
            "Its commit fails once the node is fenced. The plan is refused unless option `allow_long_transactions` is "
            "set."
        ),
        what_to_do="Wait for it, end the connection, or accept the failure with option `allow_long_transactions`.",
    ),
    FindingEntry(
        code="accounts_write_through",
        severities=(
            Severity.OK,
            Severity.WARNING,
        ),
        title="Accounts that bypass the fence",
        what_happened="The plan lists the accounts with `SUPER` or `READ_ONLY ADMIN`, which `read_only` does not bind.",
        what_it_means="These accounts can write on a fenced side. With an empty list no account can.",
        what_to_do="Make sure that no application uses the listed accounts.",
    ),
    FindingEntry(
        code="accounts_attested",
        severities=(Severity.WARNING,),
        title="Bypassing accounts attested",
        what_happened=(
            "The list of accounts that bypass the fence could not be read, and the request attests that none writes."
        ),
        what_it_means="The plan relies on that statement. A write through the fence is orphaned.",
        what_to_do="Check accounts with `SUPER` or `READ_ONLY ADMIN` before you confirm.",
    ),
    FindingEntry(
        code="accounts_unknown",
        severities=(Severity.UNKNOWN,),
        title="Bypassing accounts unknown",
        what_happened="The list of accounts that bypass `read_only` could not be read.",
        what_it_means="The plan is refused, because an application could write on the fenced side.",
        what_to_do=(
            "Grant `SELECT` on `hawser.*` to the monitor account, and have an administrator create the view "
            "`hawser.write_through` of the remedy. Or set option `attest_accounts`."
        ),
    ),
)

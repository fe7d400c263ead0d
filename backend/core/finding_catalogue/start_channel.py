"""Starting a stopped channel."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="channel_stop_cause",
        severities=(Severity.INFO,),
        title="Cause of the stop",
        what_happened="The plan shows what the servers report about why the channel stopped.",
        what_it_means="It is information only. A server does not report every cause outside its error log.",
        what_to_do="Check that the cause is resolved before you confirm. Read the error log if the cause is unknown.",
    ),
    FindingEntry(
        code="nothing_to_start",
        severities=(Severity.BLOCKER,),
        title="No stopped channel",
        what_happened="No node that responds has a stopped current channel of this link.",
        what_it_means="The plan is refused, because there is nothing to start.",
        what_to_do="Nothing to do if both channels run. If the node of a channel is down, relocate the link.",
    ),
    FindingEntry(
        code="place_is_last_applied",
        severities=(Severity.OK,),
        title="Position of the channel confirmed",
        what_happened=(
            "The position of the channel is the end of the last transaction that the receiving cluster applied."
        ),
        what_it_means="The channel can be started without gap or repetition.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="place_not_last_applied",
        severities=(Severity.BLOCKER,),
        title="Position of the channel not the last applied",
        what_happened="The position of the channel differs from the end of the last applied transaction.",
        what_it_means="The plan is refused. Once started, the channel would repeat or omit transactions.",
        what_to_do="Relocate the link. The relocate proves the position and points the channel at it.",
    ),
    FindingEntry(
        code="place_not_in_source_logs",
        severities=(Severity.BLOCKER,),
        title="Position not in the logs of the source",
        what_happened=(
            "The source no longer has the binary log in which the channel would resume (error 1236 whose text says so)."
        ),
        what_it_means="The plan is refused. The channel cannot be started on this source.",
        what_to_do="Relocate the link to a node whose binary logs reach back far enough.",
    ),
    FindingEntry(
        code="transaction_would_fail_again",
        severities=(Severity.BLOCKER,),
        title="Transaction would fail again",
        what_happened="The SQL thread stopped on an error, and the next start tries the same transaction again.",
        what_it_means="The plan is refused. Nothing was sent, and the transaction is not skipped.",
        what_to_do="Correct the row on each node, as the remedy says. Then set option `attest_error_over`.",
    ),
    FindingEntry(
        code="transaction_mended_attested",
        severities=(Severity.WARNING,),
        title="Cause of the error attested as resolved",
        what_happened="The SQL thread stopped on an error, and the request attests that its cause is resolved.",
        what_it_means="The start tries the same transaction again. If the cause remains, the channel stops again.",
        what_to_do="Check the corrected row before you confirm.",
    ),
    FindingEntry(
        code="reading_stopped_on_an_error",
        severities=(Severity.WARNING,),
        title="Reading stopped on an error",
        what_happened="The I/O thread of the channel stopped with an error whose cause can be over.",
        what_it_means="If the cause remains, the start fails and nothing else changes.",
        what_to_do="Check the cause that the finding names: account, network, TLS, or a variable that was changed.",
    ),
    FindingEntry(
        code="direction_left_out",
        severities=(Severity.WARNING,),
        title="The other channel is not started",
        what_happened="Both channels are stopped, and only one of them can be started.",
        what_it_means="The plan starts that one alone. The finding says why the other one stays stopped.",
        what_to_do="Run the plan. Then do what the remedy says for the other channel.",
    ),
    FindingEntry(
        code="reading_would_stop_again",
        severities=(Severity.BLOCKER,),
        title="Reading would stop again",
        what_happened=(
            "The I/O thread stopped on an error whose cause still holds on these nodes, for example "
            "`slave_max_allowed_packet` smaller than a row."
        ),
        what_it_means="The plan is refused: the channel would stop on the same error again.",
        what_to_do=(
            "Do what the remedy says: it names the variable and its value, or the node that the channel must leave. "
            "Where no variable shows that the cause is fixed, set option `attest_error_over`."
        ),
    ),
    FindingEntry(
        code="reading_cause_unknown",
        severities=(Severity.UNKNOWN,),
        title="Cause of the reading error unknown",
        what_happened="The I/O thread stopped on an error whose cause is not known, or whose variable was not read.",
        what_it_means="The plan is refused. It is unknown whether the channel would stop on the same error again.",
        what_to_do="Read the error logs of both nodes and fix the cause. Then set option `attest_error_over`.",
    ),
    FindingEntry(
        code="reading_mended_attested",
        severities=(Severity.WARNING,),
        title="Cause of the reading error attested as fixed",
        what_happened="The I/O thread stopped on an error, and the request attests that its cause is fixed.",
        what_it_means="The channel reads from its position again. If the cause remains, it stops again.",
        what_to_do="Check the cause before you confirm.",
    ),
    FindingEntry(
        code="relay_log_unreadable",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Relay log cannot be read",
        what_happened="The SQL thread stopped because it cannot read the relay log (error 1594, in MySQL 13121).",
        what_it_means=(
            "No transaction failed. A start would stop on it again, so it is refused. A relocate discards the relay "
            "log and reads the transactions from the source again."
        ),
        what_to_do="Relocate the link, also onto the same nodes. Check the disk of the replica.",
    ),
)

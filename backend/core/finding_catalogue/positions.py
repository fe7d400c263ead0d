"""Proof of the resume position."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="position_proven",
        severities=(Severity.OK,),
        title="Position proven",
        what_happened="The resume position on the new source is proven by independent evidence.",
        what_it_means=(
            "The channel can be moved without gap or repetition. A provisional position is proven again after the stop."
        ),
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="position_not_proven",
        severities=(Severity.BLOCKER,),
        title="Position not proven",
        what_happened="The evidence for the resume position is missing, insufficient or contradictory.",
        what_it_means="The plan is refused. Nothing was sent, and the present channels are unchanged.",
        what_to_do=(
            "Choose another source or replica node. Read the evidence in the plan, or look up the transaction yourself "
            "(Lookup). While both sides are up, `remove_channels` and `create_channels` compare their tables and begin "
            "anew."
        ),
    ),
    FindingEntry(
        code="binlog_purged",
        severities=(Severity.BLOCKER,),
        title="Binary log purged",
        what_happened=(
            "The position, or transactions needed for its proof, lie before the oldest binary log of the new source."
        ),
        what_it_means="The plan is refused. The channel cannot resume from this node.",
        what_to_do=(
            "Choose a source node that keeps older binary logs. Raise `binlog_expire_logs_seconds` for the future."
        ),
    ),
    FindingEntry(
        code="log_event_unknown",
        severities=(Severity.BLOCKER,),
        title="Unknown event in the binary log",
        what_happened=(
            "The part of a binary log that has to be searched holds an event that is no ordinary transaction: an XA "
            "transaction, or an event of a type that Hawser does not know."
        ),
        what_it_means="The plan is refused. The event is never skipped, as what follows it could be misread.",
        what_to_do=(
            "Choose another source node. Or wait until eight other transactions of the stream follow the event, and "
            "create a new plan. Keep XA off every node of a link: a replica that is a Galera node ends on it."
        ),
    ),
    FindingEntry(
        code="position_beyond_4_gib",
        severities=(Severity.BLOCKER,),
        title="Position beyond 4 GiB",
        what_happened=(
            "The proven position lies beyond 4 GiB in its file, behind a huge transaction, and is not the end of the "
            "file."
        ),
        what_it_means=(
            "The plan is refused. The dump protocol has 32 bits for the offset: a replica would be sent events from "
            "another place of the file."
        ),
        what_to_do=(
            "Run `FLUSH BINARY LOGS` on the source and create a new plan. Or choose another source node, or wait until "
            "the channel has applied a transaction of the next file."
        ),
    ),
    FindingEntry(
        code="gtid_slave_pos_differs",
        severities=(Severity.BLOCKER,),
        title="GTID position contradictory",
        what_happened="The GTID state of source or replica does not agree with the proven position.",
        what_it_means=(
            "The plan is refused. A transaction failed or was skipped, a node was written locally, or "
            "`gtid_slave_pos` was set by hand."
        ),
        what_to_do=(
            "Find the missing transaction, correct the data and set `gtid_slave_pos` as the remedy says. Or choose "
            "another source node."
        ),
    ),
    FindingEntry(
        code="not_expressible",
        severities=(Severity.BLOCKER,),
        title="Move not supported for this channel",
        what_happened=(
            "Hawser cannot write the move as statements for this server, for example because of a channel option."
        ),
        what_it_means="The plan is refused. Nothing was sent.",
        what_to_do="Change the named channel setting while the channel is healthy, or move the channel by hand.",
    ),
    FindingEntry(
        code="candidate_left_out",
        severities=(Severity.INFO,),
        title="Other node pair rejected",
        what_happened="Hawser also tried another pair of nodes and rejected it for the reasons shown.",
        what_it_means="It is information only. Nothing was changed on these nodes.",
        what_to_do="Read the reasons if you expected that pair. Resolve them to make it available.",
    ),
    FindingEntry(
        code="not_probed",
        severities=(Severity.WARNING,),
        title="Move not probed",
        what_happened=(
            "The plan does not probe the channels after the move: on request, because `hawser.probe` is unreadable, or "
            "because a replication filter leaves it out."
        ),
        what_it_means=(
            "The continuity check still compares the transactions at the resume position. No test row confirms the "
            "channel."
        ),
        what_to_do=(
            "Create the schema `hawser`, grant the monitor account `SELECT` on `hawser.*`, and let replication filters "
            "pass it. Or plan with option `probe`."
        ),
    ),
    FindingEntry(
        code="probe_needed",
        severities=(Severity.BLOCKER,),
        title="Probe required",
        what_happened="A reprotect with `replay` or `undo` was planned without a probe.",
        what_it_means="The plan is refused. Without a probe nothing proves that the active side applied the undo.",
        what_to_do="Create the plan again with option `probe`.",
    ),
)

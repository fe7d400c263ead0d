"""Creation of a link's channels: what both sides hold before they replicate."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="channel_exists",
        severities=(Severity.BLOCKER,),
        title="Channel exists already",
        what_happened="A node has a channel of the link, running or stopped.",
        what_it_means="The plan is refused: a second channel would apply transactions twice.",
        what_to_do=(
            "Move the channels by a relocate, or start a stopped one. To create new ones, remove all channels first."
        ),
    ),
    FindingEntry(
        code="no_channel",
        severities=(Severity.OK,),
        title="No channel yet",
        what_happened="Every node reported its channels, and none of them is one of the link.",
        what_it_means="The channels can be created.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="node_needed_for_setup",
        severities=(Severity.UNKNOWN,),
        title="Node needed for the setup",
        what_happened="A registered node is not responding.",
        what_it_means="The plan is refused: the node may hold a channel, which starts when it returns.",
        what_to_do="Start the node, or remove it from the registration.",
    ),
    FindingEntry(
        code="data_unread",
        severities=(Severity.UNKNOWN,),
        title="Tables unread",
        what_happened=(
            "The operator account could not read the tables of a side, or some may be hidden from the monitor account."
        ),
        what_it_means="The plan is refused: it is unknown whether both sides hold equal data.",
        what_to_do=(
            "Run the `GRANT` that is shown for each node: `SELECT` and `SHOW VIEW` on your schemas for the operator "
            "account, `REFERENCES` on `*.*` for the monitor account."
        ),
    ),
    FindingEntry(
        code="data_differs",
        severities=(Severity.BLOCKER,),
        title="Different data",
        what_happened="A table is missing on one side, or is defined differently.",
        what_it_means="The plan is refused: replication would fail, or the difference would stay without an error.",
        what_to_do="Copy the active side onto the standby side and choose the copy. Or remove the differences.",
    ),
    FindingEntry(
        code="data_too_large",
        severities=(Severity.BLOCKER,),
        title="Too much data to compare",
        what_happened="The tables are larger than what can be compared while writes are refused.",
        what_it_means="The plan is refused: the write pause would be longer than a plan is valid.",
        what_to_do="Copy the active side onto the standby side and choose the copy: writes then continue.",
    ),
    FindingEntry(
        code="data_compared",
        severities=(Severity.INFO,),
        title="Data that is compared",
        what_happened="Both sides have the same tables with the same definitions.",
        what_it_means="The run compares the rows by checksums while writes are refused on both sides.",
        what_to_do="Run the plan when the applications can bear the write pause that it states.",
    ),
    FindingEntry(
        code="objects_not_compared",
        severities=(Severity.WARNING,),
        title="Objects that are not compared",
        what_happened="Stored routines, triggers, events and accounts are not part of the comparison.",
        what_it_means="Rows arrive all the same. A missing trigger or account shows only after a failover.",
        what_to_do="Compare `mariadb-dump --no-data --routines --triggers --events` of both sides, and the accounts.",
    ),
    FindingEntry(
        code="copy_unknown",
        severities=(Severity.UNKNOWN,),
        title="Copy unknown",
        what_happened="The nodes of the standby side do not show what they logged, or use `wsrep_gtid_mode`.",
        what_it_means="The plan is refused: transactions of its own would be missing on the active side.",
        what_to_do="Choose equal data, or set `wsrep_gtid_mode=OFF` on the standby side and copy it again.",
    ),
    FindingEntry(
        code="not_a_copy",
        severities=(Severity.BLOCKER,),
        title="Standby side is no copy",
        what_happened="A node of the standby side logged transactions of its own.",
        what_it_means="The plan is refused: these transactions would never reach the active side.",
        what_to_do=(
            "Copy the active side with `mariadb-backup`; the checks show the commands. Keep the copy `read_only` from "
            "its first start until its channels run."
        ),
    ),
    FindingEntry(
        code="copy_was_replica",
        severities=(Severity.WARNING,),
        title="Copy that was a replica",
        what_happened="The standby side logged transactions that it received. A fresh copy's log begins empty.",
        what_it_means="Rows near the backup's position are compared. Older rows that differ would stay unnoticed.",
        what_to_do="Copy the active side again, unless the standby side is known to hold all of its rows.",
    ),
)

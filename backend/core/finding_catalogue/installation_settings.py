"""Inspection of a cluster: settings."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="settings",
        severities=(Severity.OK,),
        title="Settings suitable",
        what_happened="The inspected settings of the node have the values that Hawser needs.",
        what_it_means="The node can hold channels.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="setting_unknown",
        severities=(Severity.UNKNOWN,),
        title="Setting unknown",
        what_happened="A setting that a plan or the inspection needs could not be read.",
        what_it_means="A plan that uses the node is refused, as it is unknown whether the node can hold channels.",
        what_to_do=(
            "Every account may read it. Check that the node is a server with Galera loaded "
            "(`wsrep_provider`), and no proxy."
        ),
    ),
    FindingEntry(
        code="setting_wsrep_on",
        severities=(Severity.BLOCKER,),
        title="wsrep_on not ON",
        what_happened="The node runs without Galera replication for new sessions.",
        what_it_means="What is written there stays on that node alone.",
        what_to_do="Check what was written there, then run `SET GLOBAL wsrep_on = ON` and correct the configuration.",
    ),
    FindingEntry(
        code="setting_sync_binlog",
        severities=(Severity.WARNING,),
        title="sync_binlog not 1",
        what_happened="The node does not write its binary log to disk at each commit.",
        what_it_means="After a crash of the host its binary log may lack transactions.",
        what_to_do="Run `SET GLOBAL sync_binlog = 1` and set it in the configuration as well.",
    ),
    FindingEntry(
        code="setting_innodb_flush_log_at_trx_commit",
        severities=(Severity.WARNING,),
        title="innodb_flush_log_at_trx_commit not 1",
        what_happened="The node does not write the InnoDB log to disk at each commit.",
        what_it_means="After a crash of the host committed transactions may be missing on it.",
        what_to_do="Run `SET GLOBAL innodb_flush_log_at_trx_commit = 1` and set it in the configuration as well.",
    ),
    FindingEntry(
        code="setting_relay_log_purge",
        severities=(Severity.WARNING,),
        title="relay_log_purge not ON",
        what_happened="The node keeps relay logs after they are applied.",
        what_it_means="Its disk can fill up.",
        what_to_do="Run `SET GLOBAL relay_log_purge = ON` and set it in the configuration as well.",
    ),
    FindingEntry(
        code="setting_wsrep_restart_slave",
        severities=(Severity.WARNING,),
        title="wsrep_restart_slave ON",
        what_happened="The node starts its channel automatically when it rejoins its cluster.",
        what_it_means="It may apply its last transaction again (error 1062, or duplicate rows without a unique key).",
        what_to_do="Run `SET GLOBAL wsrep_restart_slave = OFF` and set it in the configuration as well.",
    ),
    FindingEntry(
        code="retention",
        severities=(Severity.WARNING,),
        title="Binary logs kept for a short time",
        what_happened="The node keeps its binary logs for less than a day.",
        what_it_means="Logs that a plan needs may be purged, and the plan is then refused (`binlog_purged`).",
        what_to_do="Set `binlog_expire_logs_seconds` to 604800 (7 days) or more, as far as the disk allows.",
    ),
)

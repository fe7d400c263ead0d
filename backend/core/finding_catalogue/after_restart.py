"""What a node does after a restart."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="starts_closed",
        severities=(Severity.OK,),
        title="Node read-only after a restart",
        what_happened="The node starts with `read_only=ON`.",
        what_it_means="A node of a lost side does not accept writes when it is started again.",
        what_to_do="Nothing to do. On the active side unfence the node after a restart.",
    ),
    FindingEntry(
        code="starts_writable",
        severities=(Severity.WARNING,),
        title="Node writable after a restart",
        what_happened="The node accepts writes as soon as it is started.",
        what_it_means="After a failover a restarted node of the lost side would accept writes that are orphaned.",
        what_to_do="Set `read_only=ON` below `[mariadb]` in its configuration. Unfence it by hand after a restart.",
    ),
    FindingEntry(
        code="start_unknown",
        severities=(Severity.UNKNOWN,),
        title="Writability after a restart unknown",
        what_happened="`read_only` could not be read, or was set at run time and hides the configured value.",
        what_it_means="The node may accept writes when it is started again.",
        what_to_do="Check that `read_only=ON` is set below `[mariadb]` in the configuration of the node.",
    ),
    FindingEntry(
        code="restart_opens_fence",
        severities=(Severity.WARNING,),
        title="A restart may open the fence",
        what_happened=(
            "A node of a side that a run fenced is to be restarted, and it was not restarted since: `SET GLOBAL "
            "read_only=ON` hides what its option file says."
        ),
        what_it_means="Without `read_only=ON` in its file it accepts writes after the restart, beside the active side.",
        what_to_do=(
            "Set `read_only=ON` below `[mariadb]` in its file before the restart. Otherwise fence the standby side "
            "again once it runs (plan kind `fence_standby`)."
        ),
    ),
    FindingEntry(
        code="channels_stay_stopped",
        severities=(Severity.OK,),
        title="Channels stopped after a restart",
        what_happened="The node starts with `skip_slave_start=ON`.",
        what_it_means="A channel is started only after its position is proven.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="starts_channels",
        severities=(Severity.WARNING,),
        title="Channels started after a restart",
        what_happened="The node starts its channels automatically after a restart.",
        what_it_means="After a crash a channel may start at an outdated position and apply transactions again.",
        what_to_do="Set `skip_slave_start=ON` below `[mariadb]` in its configuration.",
    ),
    FindingEntry(
        code="channel_start_unknown",
        severities=(Severity.INFO,),
        title="Start of channels unknown",
        what_happened="The server does not report `skip_slave_start`. MariaDB 10.11 has no such variable.",
        what_it_means="It is unknown whether the node starts its channels automatically after a restart.",
        what_to_do="Check that `skip_slave_start=ON` is set below `[mariadb]` in its configuration.",
    ),
)

"""Settings of applying and replicating, by the table of docs/reference/server-settings.md."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="errors_skipped",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Replica skips errors",
        what_happened=(
            "A node runs with `slave_exec_mode` other than `STRICT`, with `slave_skip_errors`, or with a counter of "
            "events to skip (`sql_slave_skip_counter`)."
        ),
        what_it_means=(
            "A channel on the node goes on where a row conflicts or is missing. The sides differ from then on, and no "
            "error shows it. A plan that uses the node is refused, or takes another one; a failover only warns."
        ),
        what_to_do=(
            "Run `SET GLOBAL slave_exec_mode = STRICT`; `slave_skip_errors` needs a restart without it. Then compare "
            "the data of both sides."
        ),
    ),
    FindingEntry(
        code="present_replica_setting",
        severities=(Severity.WARNING,),
        title="Present replica applied under another setting",
        what_happened="The replica that holds the channel now has a setting with which rows are applied differently.",
        what_it_means=(
            "The plan can run. What the channel applied so far may be wrong, and on the new replica it may stop at a "
            "row that the present one skipped."
        ),
        what_to_do="Compare the data of both sides before the standby is relied on.",
    ),
    FindingEntry(
        code="replica_packet_smaller",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Replica cannot read the largest events",
        what_happened=(
            "`slave_max_allowed_packet` of a node is below `max_allowed_packet` of a node of the other side (blocker), "
            "or below twice of it (warning): an `UPDATE` logs a row twice."
        ),
        what_it_means=(
            "The channel stops at the first event that is larger, and starts no more. A plan that puts the channel on "
            "the node is refused, or takes another one."
        ),
        what_to_do=(
            "Run `SET GLOBAL slave_max_allowed_packet` with the value that the finding names, stop and start the "
            "channel, and set it in the configuration as well."
        ),
    ),
    FindingEntry(
        code="setting_not_allowed",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Setting with another value than needed",
        what_happened="A setting of a node has a value with which channels or its cluster replicate something else.",
        what_it_means=(
            "As a blocker: a plan that uses the node is refused, or takes another one; a failover only warns. As a "
            "warning: plans can run. The finding says what the value changes."
        ),
        what_to_do="Follow the remedy of the finding, which names the statement or the line of the configuration.",
    ),
    FindingEntry(
        code="setting_differs",
        severities=(Severity.WARNING,),
        title="Setting differs between nodes",
        what_happened="Nodes that take over from each other, or both sides, have different values of a setting.",
        what_it_means="After a move the same transaction is handled differently. The finding says how.",
        what_to_do="Decide which value is right, and set it on all of these nodes and in their configuration files.",
    ),
)

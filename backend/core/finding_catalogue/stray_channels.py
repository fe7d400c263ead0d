"""Second and stray channels."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="single_channel",
        severities=(Severity.OK,),
        title="Only one channel",
        what_happened="No other channel of this direction exists on any node that responds.",
        what_it_means="No transaction is applied twice.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="second_channel",
        severities=(Severity.BLOCKER,),
        title="Second channel",
        what_happened="A further channel of the same direction exists. In most cases it is running.",
        what_it_means="The plan is refused. Two channels of one direction can apply transactions twice.",
        what_to_do="Remove the stray channel first with a plan of kind `remove_stray_channel`.",
    ),
    FindingEntry(
        code="stray_channel",
        severities=(
            Severity.WARNING,
            Severity.BLOCKER,
        ),
        title="Stray channel",
        what_happened="A node has a channel in a direction that already has another, recorded channel.",
        what_it_means="A stopped one starts again with its node or by hand. A running one applies transactions twice.",
        what_to_do="Remove it with a plan of kind `remove_stray_channel`. A relocate removes a stopped one itself.",
    ),
    FindingEntry(
        code="channels_unknown",
        severities=(Severity.UNKNOWN,),
        title="Channels of a node unknown",
        what_happened="A node does not report its replication channels.",
        what_it_means="The plan is refused. The node may run a second channel, or hold transactions not yet applied.",
        what_to_do="Grant `SLAVE MONITOR` to the monitor account. If the node still does not respond, shut it down.",
    ),
    FindingEntry(
        code="connection_name_taken",
        severities=(Severity.BLOCKER,),
        title="Connection name in use",
        what_happened="The new replica uses the connection name of the link for a server outside the other cluster.",
        what_it_means="The plan is refused. `CHANGE MASTER` would overwrite that connection.",
        what_to_do="Choose another node, or rename the other connection.",
    ),
    FindingEntry(
        code="cleanup_due",
        severities=(Severity.WARNING,),
        title="Clean-up due",
        what_happened="A node that is not responding held a channel that was moved away.",
        what_it_means="When the node returns it may start the old channel and apply transactions twice.",
        what_to_do="Remove the old channel as soon as the node responds (plan kind `remove_stray_channel`).",
    ),
    FindingEntry(
        code="nothing_to_clean",
        severities=(Severity.BLOCKER,),
        title="No stray channel",
        what_happened="No node that responds has a stray channel.",
        what_it_means="The plan is refused, because there is nothing to remove.",
        what_to_do="Nothing to do. A node that is down may still have one: check again when it returns.",
    ),
    FindingEntry(
        code="current_channel_unclear",
        severities=(Severity.UNKNOWN,),
        title="Current channel unclear",
        what_happened="Several channels of one direction exist, and none is recorded as the current one.",
        what_it_means="The plan is refused, because Hawser could remove the right channel.",
        what_to_do="Decide which channel is right and stop the other one by hand.",
    ),
)

"""Removal of a link's channels: what ends, and what is unknown of it."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="replication_ends",
        severities=(Severity.WARNING,),
        title="Replication ends",
        what_happened="The plan removes every channel of the link, in both directions.",
        what_it_means="The two sides diverge from then on. The standby receives no writes and cannot take over.",
        what_to_do="Confirm only to retire the link. The result of the run has the positions of the channels.",
    ),
    FindingEntry(
        code="channel_is_removed",
        severities=(Severity.INFO,),
        title="Channel that is removed",
        what_happened="A node has this channel, at this position. The run removes it.",
        what_it_means="A running channel stops further on: the run records where.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="unapplied_transactions",
        severities=(
            Severity.OK,
            Severity.WARNING,
        ),
        title="Transactions not applied yet",
        what_happened="The monitor counted the transactions of one direction that its replica had not applied.",
        what_it_means="What is not applied when the channel stops stays on the side that wrote it.",
        what_to_do="To have both sides equal, stop all writes and wait until none is left in both directions.",
    ),
    FindingEntry(
        code="unapplied_unknown",
        severities=(
            Severity.UNKNOWN,
            Severity.WARNING,
        ),
        title="Number of transactions not applied unknown",
        what_happened="No current count shows how many transactions of one direction are not applied.",
        what_it_means="The plan is refused unless option `accept_loss` is set. They stay on the side that wrote them.",
        what_to_do="Wait until the monitor counts them. Or accept it with option `accept_loss`.",
    ),
    FindingEntry(
        code="node_may_hold_channel",
        severities=(Severity.UNKNOWN,),
        title="Node that may hold a channel",
        what_happened="A node is not responding. It holds a channel of the link, or may hold one.",
        what_it_means="The plan is refused: the channel would start again when the node returns.",
        what_to_do="Start the node and create the plan again. Or retire the link and leave its channels as they are.",
    ),
    FindingEntry(
        code="other_channel_is_removed",
        severities=(Severity.WARNING,),
        title="Other channel that is removed",
        what_happened=(
            "A node has a channel from an address of no node of the other side, and option `remove_also` names it."
        ),
        what_it_means="The run removes it with the channels of the link, and records where it stopped.",
        what_to_do="Check that nothing else needs it.",
    ),
    FindingEntry(
        code="other_channel_stays",
        severities=(Severity.BLOCKER, Severity.UNKNOWN, Severity.INFO),
        title="Other channel that stays",
        what_happened=(
            "A node has a channel from an address of no node of the other side, and option `remove_also` does not name "
            "it. The message has its name, its address and the `server_id` that answered."
        ),
        what_it_means=(
            "As a blocker or unknown the plan is refused: it may carry a direction of the link, and replication would "
            "not end. As information: a server of neither side answers."
        ),
        what_to_do="To remove it, too, name it in option `remove_also` (`NODE/CHANNEL`), or remove it by hand.",
    ),
    FindingEntry(
        code="other_channel_not_found",
        severities=(Severity.BLOCKER,),
        title="Named channel not found",
        what_happened="Option `remove_also` names a channel that no node has, or one between nodes of the link.",
        what_it_means="The plan is refused.",
        what_to_do="Take the names from the findings of the plan.",
    ),
    FindingEntry(
        code="no_channel_to_remove",
        severities=(Severity.BLOCKER,),
        title="No channel to remove",
        what_happened="No node that responds has a channel of the link.",
        what_it_means="The plan is refused, because there is nothing to remove.",
        what_to_do="Retire the link.",
    ),
)

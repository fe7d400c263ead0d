"""Whether a channel's source still has the log that the channel has read."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

_NOT_PROVEN = (
    "It is not proven that the channel continues without a gap: the standby may lack transactions, or hold some that "
    "its source no longer has. The link is not protected, the samples of before are void, and switchover and start of "
    "the channel are refused. In a relocate it is a warning: that plan proves the seam or is refused."
)
_IF_DATA_DIFFERS = (
    "If the active side's counts, remove the channels, and create them again on a copy of it. If the standby's does, "
    "fail over to it, and reprotect or rebuild the other side."
)
_WAYS = (
    "Stop the channel first. Then plan a relocate: it proves what was applied last in the log of now, or refuses. If "
    f"it is refused, the data of both sides differs. {_IF_DATA_DIFFERS} Of a side that was bootstrapped "
    "again a relocate proves nothing: compare the data at once."
)
_SEVERITIES = (Severity.BLOCKER, Severity.WARNING)

ENTRIES = (
    FindingEntry(
        code="source_log_replaced",
        severities=_SEVERITIES,
        title="Another log of the same name",
        what_happened=(
            "The source's binary log no longer has what was read of it, or its file of that name was begun at another "
            "time: after a full state transfer, RESET MASTER, or a data folder that was put back."
        ),
        what_it_means=_NOT_PROVEN,
        what_to_do=_WAYS,
    ),
    FindingEntry(
        code="source_group_differs",
        severities=_SEVERITIES,
        title="Another transaction at the same place",
        what_happened="Where the newest transaction of the source's binary log was read before, another one ends now.",
        what_it_means=_NOT_PROVEN,
        what_to_do=_WAYS,
    ),
    FindingEntry(
        code="source_counter_fell",
        severities=_SEVERITIES,
        title="Seqno fell",
        what_happened=(
            "The seqno of a cluster is lower than it was, under one state UUID: the cluster was set back, for example "
            "to copies of its data folders. It gives numbers out again."
        ),
        what_it_means=_NOT_PROVEN,
        what_to_do=_WAYS,
    ),
    FindingEntry(
        code="source_server_changed",
        severities=_SEVERITIES,
        title="Another server at the source's address",
        what_happened=(
            "A channel that was not pointed anew reads from a server with another server_id (Master_Server_Id): a "
            "proxy or virtual address leads to another node. It asks that node for a position in the former one's log."
        ),
        what_it_means=_NOT_PROVEN,
        what_to_do=_WAYS,
    ),
    FindingEntry(
        code="source_log_unread",
        severities=(Severity.UNKNOWN, Severity.WARNING),
        title="Source log not compared",
        what_happened=(
            "The source or the monitor was started, and the source's binary log could not be compared with what it "
            "held before: it could not be read, or the file is purged."
        ),
        what_it_means="Whether the channel continues without a gap is unknown. Plans that rest on it are refused.",
        what_to_do=(
            "Wait until the monitor has read the log. Its account needs REPLICATION SLAVE there. If the file is "
            "purged, relocate the link: the plan proves the seam."
        ),
    ),
    FindingEntry(
        code="seam_not_proven",
        severities=(Severity.BLOCKER,),
        title="Seam not proven",
        what_happened=(
            "A position was found in the new log, but what was applied of the old one does not stand before it, or not "
            "all that follows is applied."
        ),
        what_it_means="The plan is refused. Resumed there, the channel would hide a gap for ever.",
        what_to_do=(
            "Stop the channel. Choose another source node that kept its log. Otherwise the data of both sides differs. "
            f"{_IF_DATA_DIFFERS}"
        ),
    ),
    FindingEntry(
        code="history_continues",
        severities=(Severity.OK,),
        title="Log continues",
        what_happened="A side was bootstrapped again, and its log still holds the last transaction seen before.",
        what_it_means="The new history continues the old one.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="history_seam_unknown",
        severities=(Severity.UNKNOWN,),
        title="Seam to the old history unknown",
        what_happened="A side was bootstrapped again, and nothing that its log held before could be compared.",
        what_it_means="The plan is refused. The side may have been emptied.",
        what_to_do=(
            "Choose the node that the channel reads from. If it lost its log: stop the channel, fail over to the other "
            "side, and reprotect or rebuild this one."
        ),
    ),
    FindingEntry(
        code="side_holds_less",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Side holds less",
        what_happened=(
            "A side was bootstrapped again and lacks tables that the other side has; as a blocker, it holds less than "
            "a tenth of the data. Sizes are the servers' estimates."
        ),
        what_it_means=(
            "It may have been emptied. As a blocker the plan is refused: the channel would overwrite the last copy."
        ),
        what_to_do=(f"Stop the channel first. Compare the data of both sides. {_IF_DATA_DIFFERS}"),
    ),
    FindingEntry(
        code="side_contents_unknown",
        severities=(Severity.UNKNOWN,),
        title="Contents unknown",
        what_happened="The list of tables of a side that was bootstrapped again, or of the other one, was not read.",
        what_it_means="The plan is refused.",
        what_to_do="Create the plan again once both nodes respond.",
    ),
    FindingEntry(
        code="standby_not_proven_whole",
        severities=_SEVERITIES,
        title="Standby not proven to be whole",
        what_happened=(
            "A failover is planned to a side whose channel read on in another log than it had read before: it may lack "
            "transactions of the lost side, or hold some that the lost side no longer had."
        ),
        what_it_means="The plan is refused until the loss is accepted.",
        what_to_do="Compare the data of both sides. If the standby has the data that counts, accept the loss.",
    ),
    FindingEntry(
        code="relay_log_of_another_history",
        severities=(Severity.BLOCKER,),
        title="Relay log of another history",
        what_happened="A failover would apply what was received of a source whose log became another one.",
        what_it_means="The plan is refused. A `DROP TABLE` of the new history would destroy the last copy.",
        what_to_do="Stop the channel, discard what was received (`RESET SLAVE`), and plan again.",
    ),
)

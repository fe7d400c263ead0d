"""Whose transactions stand in the logs, and who is at the other end of a channel."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="foreign_origin",
        severities=(Severity.INFO,),
        title="Transactions of another server",
        what_happened=(
            "The logs of a cluster hold transactions under a `server_id` that no node of either cluster has, or its "
            "channel ignores such a `server_id`."
        ),
        what_it_means=(
            "It is known by which way they come, and the channel ignores them or brings them accordingly. Those that "
            "it ignores are no part of the stream whose position is proven."
        ),
        what_to_do="Nothing to do, if that server is meant to write to the cluster.",
    ),
    FindingEntry(
        code="foreign_origin_unclear",
        severities=(Severity.UNKNOWN,),
        title="Way of another server's transactions unknown",
        what_happened=(
            "The logs of both clusters hold transactions under a `server_id` of neither, no channel of the link "
            "ignores it, and no channel comes from that server."
        ),
        what_it_means=(
            "The plan is refused. A channel that carries them may apply them twice, one that ignores them lose them."
        ),
        what_to_do=(
            "Add the `server_id` to `IGNORE_SERVER_IDS` of the channel into the cluster that they are written to. "
            "Every plan keeps that list. If nothing writes under it any more, set option `attest_origins`."
        ),
    ),
    FindingEntry(
        code="foreign_origin_attested",
        severities=(Severity.WARNING,),
        title="Way of another server's transactions attested",
        what_happened="As `foreign_origin_unclear`, and an operator attested that nothing comes home.",
        what_it_means="The new channel does not ignore the `server_id`, as the present one does not.",
        what_to_do="Nothing to do, if the attestation is true.",
    ),
    FindingEntry(
        code="source_ignored",
        severities=(Severity.BLOCKER,),
        title="Source's own server_id ignored",
        what_happened="`IGNORE_SERVER_IDS` of a channel has a `server_id` under which its source cluster writes.",
        what_it_means="The plan is refused. Those transactions do not reach the other side.",
        what_to_do="Compare both sides, and take the `server_id` out of the list.",
    ),
    FindingEntry(
        code="origins_unknown",
        severities=(Severity.UNKNOWN, Severity.WARNING),
        title="Server_ids in the logs unknown",
        what_happened="A node does not tell which `server_id` values stand in its binary log (`gtid_binlog_state`).",
        what_it_means=(
            "As unknown, the plan is refused, because a replication loop cannot be ruled out. As a warning: the server "
            "is a MySQL, which has no such variable."
        ),
        what_to_do="Check that the node is a MariaDB server and no proxy. On MySQL, let nothing else write there.",
    ),
    FindingEntry(
        code="loop_guard_incomplete",
        severities=(Severity.BLOCKER,),
        title="Loop protection incomplete",
        what_happened=(
            "The channel does not ignore every `server_id` under which transactions stand in the logs of the cluster "
            "that receives, and that do not come from the other side."
        ),
        what_it_means=(
            "A plan that starts the channel is refused. While it runs, the cluster's own transactions may be applied "
            "again."
        ),
        what_to_do="Relocate the link, also onto the same nodes. The new channel ignores the complete list.",
    ),
    FindingEntry(
        code="nodes_log_under_different_ids",
        severities=(Severity.BLOCKER,),
        title="One transaction under different server_ids",
        what_happened=(
            "With `wsrep_gtid_mode=ON` nodes of a cluster log the same transaction under different `server_id` values, "
            "for instance after a full stop with changed values."
        ),
        what_it_means="The plan is refused. Logs of different nodes cannot be compared, and GTIDs differ.",
        what_to_do=(
            "Stop the cluster and start it with one `server_id`, or give the nodes that differ a full state transfer."
        ),
    ),
    FindingEntry(
        code="channel_source_unregistered",
        severities=(Severity.BLOCKER, Severity.UNKNOWN, Severity.WARNING),
        title="Channel from an unregistered address",
        what_happened=(
            "A node has a channel whose source is the address of no registered node: a virtual address, a forwarder, "
            "another name, or another server. The message says what answered there."
        ),
        what_it_means=(
            "If the other cluster, an unknown server, or one that reads the other cluster's log itself answers, no "
            "plan creates or starts a channel: a direction could be replicated twice. As a warning: a server of "
            "neither cluster answers; only `create_channels` is refused."
        ),
        what_to_do="Point the channel at the registered address of the node that it reads from, or remove it.",
    ),
    FindingEntry(
        code="log_reader_unseen",
        severities=(Severity.WARNING,),
        title="Reader of the log unseen",
        what_happened=(
            "More sessions with the accounts of the link's channels have read the binary logs of a side for 90 seconds "
            "than channels from there are known. The message has account and host of each."
        ),
        what_it_means=(
            "A server that the console does not see may replicate the direction a second time. It may also be a "
            "backup, or a session whose reader is gone; that one ends within two heartbeats."
        ),
        what_to_do=(
            "Find out who connects from that host. Register that node or remove its channel, and give every other "
            "reader an account of its own."
        ),
    ),
    FindingEntry(
        code="log_readers_unknown",
        severities=(Severity.UNKNOWN,),
        title="Readers of the log unknown",
        what_happened=(
            "A third server feeds a side, and a node of the other side does not tell which sessions read its binary "
            "log: its monitor account lacks `PROCESS`."
        ),
        what_it_means=(
            "Plans that create, move or start a channel are refused. The third server may read there and pass on what "
            "it read: transactions would arrive twice."
        ),
        what_to_do=(
            "Grant `PROCESS` to the monitor account, or let the third server's channel ignore the `server_id` values "
            "of the other side."
        ),
    ),
    FindingEntry(
        code="channel_from_third_cluster",
        severities=(Severity.INFO,),
        title="Channel from a third cluster",
        what_happened="A node has a channel from a registered node of a cluster that is not in this link.",
        what_it_means="Its transactions come into this link. The channels of the link ignore them where they must.",
        what_to_do="Nothing to do, if that is meant.",
    ),
    FindingEntry(
        code="channel_reads_another_server",
        severities=(Severity.BLOCKER,),
        title="Another server answers the channel",
        what_happened=(
            "A connected channel names a registered node, and the server that answers it has another `server_id`."
        ),
        what_it_means="The plan is refused. The position of the channel is one in the log of that other server.",
        what_to_do="Check proxies, virtual addresses and name resolution between the replica and the node.",
    ),
)

"""Channels in GTID mode."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="gtid_release_unfit",
        severities=(Severity.BLOCKER,),
        title="Release unfit for GTIDs",
        what_happened="Channels use GTIDs, and a node runs a release that stores `gtid_slave_pos` on one node alone.",
        what_it_means=(
            "The plan is refused. On the neighbours of the channel's holder the position is older than the data, so "
            "that a channel there would apply transactions twice."
        ),
        what_to_do=(
            "Upgrade, or set `MASTER_USE_GTID=no` on the channels. [Known defects](known-defects.md) has the releases."
        ),
    ),
    FindingEntry(
        code="gtid_cluster_wide",
        severities=(Severity.OK,),
        title="GTIDs valid cluster-wide",
        what_happened="Both clusters run with `wsrep_gtid_mode=ON` and have different domains.",
        what_it_means="Channels with `MASTER_USE_GTID=slave_pos` can be moved.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="channel_uses_gtid",
        severities=(Severity.BLOCKER,),
        title="GTID mode not supported",
        what_happened=(
            "The channel uses a `MASTER_USE_GTID` mode other than `slave_pos` or `no`. Or it uses "
            "`SOURCE_AUTO_POSITION=1`, and the plan is not a relocate."
        ),
        what_it_means=(
            "The plan is refused. With `current_pos` the position mixes both clusters' own transactions. Only a "
            "relocate decides by sets of GTIDs."
        ),
        what_to_do=(
            "Set `MASTER_USE_GTID=slave_pos` or `no` on the channel while it is healthy. With "
            "`SOURCE_AUTO_POSITION=1`, relocate the link."
        ),
    ),
    FindingEntry(
        code="gtid_not_cluster_wide",
        severities=(
            Severity.BLOCKER,
            Severity.UNKNOWN,
        ),
        title="GTIDs not valid cluster-wide",
        what_happened="A node does not run with `wsrep_gtid_mode=ON`, or the value could not be read.",
        what_it_means="The plan is refused. One GTID can mean different transactions on different nodes.",
        what_to_do="Set `wsrep_gtid_mode=ON` on every node, or `MASTER_USE_GTID=no` on the channels.",
    ),
    FindingEntry(
        code="gtid_server_ids_differ",
        severities=(Severity.BLOCKER,),
        title="Several server_ids with GTID mode",
        what_happened="The nodes of a cluster have different `server_id` values while its channels use GTIDs.",
        what_it_means="The plan is refused. Which `server_id` a GTID carries does not show who wrote the transaction.",
        what_to_do="Give all nodes of a cluster one `server_id`, or set `MASTER_USE_GTID=no` on the channels.",
    ),
    FindingEntry(
        code="gtid_domains_not_apart",
        severities=(
            Severity.BLOCKER,
            Severity.UNKNOWN,
        ),
        title="GTID domains not distinct",
        what_happened="`wsrep_gtid_domain_id` differs inside a cluster, is equal in both, or could not be read.",
        what_it_means="The plan is refused. GTIDs of the two clusters could not be distinguished.",
        what_to_do="Set one `wsrep_gtid_domain_id` for each cluster, the same on all of its nodes.",
    ),
    FindingEntry(
        code="gtid_state_unknown",
        severities=(Severity.UNKNOWN,),
        title="GTID state unknown",
        what_happened="`gtid_slave_pos` or `gtid_strict_mode` of the new replica could not be read.",
        what_it_means="The plan is refused, because the GTID position cannot be set safely.",
        what_to_do=(
            "Every account may read it. Check that the node is a server with Galera loaded "
            "(`wsrep_provider`), and no proxy."
        ),
    ),
    FindingEntry(
        code="gtid_other_channel",
        severities=(Severity.BLOCKER,),
        title="Other connection on the replica",
        what_happened=(
            "The new replica has another replication connection, and `gtid_slave_pos` applies to the whole server."
        ),
        what_it_means="The plan is refused. The variable can be set only while no connection of the server runs.",
        what_to_do="Choose another replica, or remove the other connection.",
    ),
    FindingEntry(
        code="gtid_auto_position",
        severities=(Severity.OK,),
        title="Every node logs GTIDs",
        what_happened="A channel uses `SOURCE_AUTO_POSITION=1`, and every node runs with `gtid_mode=ON`.",
        what_it_means="What the new source would send can be decided by sets of GTIDs, beside the position.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="gtid_mode_off",
        severities=(Severity.BLOCKER,),
        title="A node logs no GTIDs",
        what_happened="A channel relies on GTIDs, but `gtid_mode` is not `ON` on a node of the link.",
        what_it_means=(
            "The plan is refused. What that node writes has no GTID: it could return to its origin, and no set tells "
            "whether it was applied."
        ),
        what_to_do="Set `gtid_mode=ON` on every node of both sides.",
    ),
    FindingEntry(
        code="channel_fails_over_itself",
        severities=(Severity.BLOCKER,),
        title="Channel moved by its server",
        what_happened="The channel has `SOURCE_CONNECTION_AUTO_FAILOVER=1`.",
        what_it_means="The plan is refused. The server itself may point the channel at another source, unproven.",
        what_to_do="Set `SOURCE_CONNECTION_AUTO_FAILOVER=0` on the channel.",
    ),
    FindingEntry(
        code="gtid_set_unknown",
        severities=(Severity.BLOCKER, Severity.UNKNOWN),
        title="Sets of GTIDs unknown",
        what_happened=(
            "`gtid_executed`, `gtid_purged`, `gtid_mode` or `server_uuid` of a node could not be read, or both sides "
            "write under the same UUID."
        ),
        what_it_means="The plan is refused, because it is unknown what the new source would send.",
        what_to_do=(
            "Every account may read them: let the node respond, with `gtid_mode=ON`. Servers that were copied need a "
            "`server_uuid` of their own."
        ),
    ),
    FindingEntry(
        code="gtid_purged_needed",
        severities=(Severity.BLOCKER,),
        title="Needed transactions purged",
        what_happened="The new source has purged transactions that the replica has not executed.",
        what_it_means="The plan is refused. The source would send nothing and answer with error 1236.",
        what_to_do="Choose a source whose binary logs reach back further, or copy the receiving side again.",
    ),
    FindingEntry(
        code="gtid_errant",
        severities=(Severity.BLOCKER,),
        title="Errant transactions",
        what_happened=(
            "The replica has executed transactions that the new source lacks and its own side did not write. Or the "
            "new source would send what one of its nodes wrote past its cluster."
        ),
        what_it_means="The plan is refused. The data of the two sides differs, or the source is behind.",
        what_to_do=(
            "Choose another source node. Where no node has them, compare the data first. Empty transactions under the "
            "same GTIDs on the source side then record that they are dealt with."
        ),
    ),
    FindingEntry(
        code="gtid_set_differs",
        severities=(Severity.BLOCKER,),
        title="Sets of GTIDs contradictory",
        what_happened=(
            "The sets of GTIDs do not agree with the proven position, with those of a neighbour, or among themselves: "
            "a transaction is missing before later ones, or a number may have been given out twice."
        ),
        what_it_means="The plan is refused. The channel would skip a transaction, or apply one out of order.",
        what_to_do="Find out what is missing, compare the data, and correct it as the remedy says.",
    ),
)

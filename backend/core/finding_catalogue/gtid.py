"""Channels in GTID mode."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
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
        what_happened="The channel uses a `MASTER_USE_GTID` mode other than `slave_pos` or `no`.",
        what_it_means="The plan is refused. With `current_pos` the position mixes both clusters' own transactions.",
        what_to_do="Set `MASTER_USE_GTID=slave_pos` or `no` on the channel while it is healthy.",
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
)

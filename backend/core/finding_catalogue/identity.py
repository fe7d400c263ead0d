"""Identity, version, clock and server_id of servers."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="known_defect",
        severities=(Severity.INFO, Severity.WARNING),
        title="Known defect of a release",
        what_happened="A node runs a release of the server, or of Galera, with a known defect that touches this link.",
        what_it_means="The message says what can happen. `warning`: data or a server may be lost by it.",
        what_to_do="Do as the remedy says. [Known defects](known-defects.md) has them all, with the releases.",
    ),
    FindingEntry(
        code="identity_unknown",
        severities=(Severity.UNKNOWN,),
        title="Server identity unknown",
        what_happened="The node responds, but the variables that identify the server could not be read.",
        what_it_means="The plan is refused, because statements could reach another server than intended.",
        what_to_do=(
            "Every account may read `hostname`, `port`, `wsrep_node_name` and `datadir`. Check that no proxy "
            "responds, or shut the node down."
        ),
    ),
    FindingEntry(
        code="server_replaced",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Server replaced",
        what_happened="Another server responds at the node's address than the one that is recorded.",
        what_it_means=(
            "A plan that uses the node is refused until a person confirms the replacement. Otherwise it is a warning."
        ),
        what_to_do=(
            "If the server was replaced, confirm it on the page of its cluster. If it was not, correct the address."
        ),
    ),
    FindingEntry(
        code="version_unknown",
        severities=(Severity.UNKNOWN,),
        title="Server version unknown",
        what_happened="The version of source or replica is unknown.",
        what_it_means="The plan is refused, because the replica may not understand the binary log of the source.",
        what_to_do="Every account may read `version`. Check that no proxy responds.",
    ),
    FindingEntry(
        code="families_differ",
        severities=(Severity.BLOCKER,),
        title="Server families differ",
        what_happened="Source and replica belong to different server families, for example MariaDB and MySQL.",
        what_it_means=(
            "The plan is refused. Binary logs, GTIDs and statements of the two families differ, and no position of one "
            "can be proven in the other."
        ),
        what_to_do="Choose two nodes of one server family.",
    ),
    FindingEntry(
        code="server_watched_only",
        severities=(Severity.BLOCKER,),
        title="Server is watched only",
        what_happened=(
            "A node runs a family or release with which Hawser was never tried, or whose binary log does not number "
            "the transactions of a cluster."
        ),
        what_it_means="Its state and its channels are shown, but the plan is refused.",
        what_to_do=(
            "Move the channels by hand. The page of compatibility names the families and releases with which plans "
            "are made. Plans with Percona XtraDB Cluster or Galera Cluster for MySQL, 8.0 or 8.4, are made once an "
            "administrator accepts in writing, on the pages of both clusters, that they were never tried."
        ),
    ),
    FindingEntry(
        code="server_not_tried_accepted",
        severities=(Severity.WARNING,),
        title="Server was never tried, and is accepted",
        what_happened=(
            "The servers are of a family and release series with which Hawser was never tried. An administrator "
            "accepted plans with them for this cluster, in writing; the finding quotes it."
        ),
        what_it_means=(
            "The plan is made as for a server that was tried. The effect of its statements on these servers is known "
            "from documentation alone and was never observed. Nothing is started automatically."
        ),
        what_to_do=(
            "Compare each statement of the plan with the documentation of your servers, and rehearse it. Withdraw the "
            "acceptance on the cluster's page to refuse such plans again. It ends with the release series."
        ),
    ),
    FindingEntry(
        code="replica_older",
        severities=(Severity.WARNING, Severity.BLOCKER),
        title="Replica older than its source",
        what_happened=(
            "The new replica has an older release series than its source. The finding states what is known to differ "
            "between the two, and whether Hawser was tested with them."
        ),
        what_it_means=(
            "A link that replicates already can be moved: in a rolling upgrade one direction has an older replica "
            "until both sides are upgraded. The creation of the channels of a new link is refused. What only the newer "
            "server can store stops the channel."
        ),
        what_to_do=(
            "Finish the upgrade of the replica's side soon, and make no table definitions that it lacks until then. "
            "For a new link choose a replica of the same or a later version, or upgrade this one first."
        ),
    ),
    FindingEntry(
        code="channel_tls_not_verifiable",
        severities=(Severity.BLOCKER,),
        title="The channel cannot verify the new source",
        what_happened=(
            "The replica has MariaDB 11.4 or later and verifies its source without a CA, by the password of the "
            "replication account. The new source is older and cannot prove itself in that way."
        ),
        what_it_means="The plan is refused: the channel would stop with error 2026 on the new source.",
        what_to_do=(
            "Choose another source, or stop the channel and set `MASTER_SSL_CA` (recommended) or "
            "`MASTER_SSL_VERIFY_SERVER_CERT=0` by `CHANGE MASTER`, then start it and plan again."
        ),
    ),
    FindingEntry(
        code="channel_tls_without_ca",
        severities=(Severity.INFO,),
        title="The channel verifies its source without a CA",
        what_happened=(
            "MariaDB 11.4 and later use TLS and verify the source unless `CHANGE MASTER` says otherwise. Without a CA "
            "the source proves itself by the password of the replication account."
        ),
        what_it_means=(
            "The plan can run. Each server that knows the account passes, so this does not tell one node from another."
        ),
        what_to_do="Set `MASTER_SSL_CA` of the channel if it must tell one node from another.",
    ),
    FindingEntry(
        code="channel_files_unseen",
        severities=(Severity.WARNING,),
        title="The files of the channel must be on its new replica",
        what_happened=(
            "The channel proves itself by a client certificate. The authority, certificate and key are files. The "
            "new replica reads them from its own disk, and its server tells no client what is there."
        ),
        what_it_means=(
            "The plan can run. A missing or unreadable file shows only when the new channel connects: the run stops "
            "there with error 2026, after the old channel was removed, and continues once the file is in place."
        ),
        what_to_do=(
            "Check on the new replica that its server can read each file, with the same content as on the present one. "
            "Keep them under the same path on every node of a side."
        ),
    ),
    FindingEntry(
        code="version_fits",
        severities=(Severity.OK,),
        title="Versions compatible",
        what_happened="The replica has the same or a later major version than its source.",
        what_it_means="Replication in this direction is supported.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="clock_unknown",
        severities=(Severity.INFO,),
        title="Clock unknown",
        what_happened="The clock of the node could not be compared with the clock of the console.",
        what_it_means="Lag in seconds may be inaccurate. Positions do not depend on clocks.",
        what_to_do="Nothing to do for this plan.",
    ),
    FindingEntry(
        code="clock_skew",
        severities=(Severity.WARNING,),
        title="Clock inaccurate",
        what_happened="The clock of the node differs from the clock of the console by more than 2 s.",
        what_it_means="Lag and ages in seconds are inaccurate by that difference. Positions are not affected.",
        what_to_do="Synchronize the clocks of the node and of the console host by NTP.",
    ),
    FindingEntry(
        code="server_id_on_both_sides",
        severities=(Severity.BLOCKER,),
        title="server_id used in both clusters",
        what_happened="Both clusters have nodes with the same `server_id`.",
        what_it_means="The plan is refused. `IGNORE_SERVER_IDS` would discard transactions of the other cluster.",
        what_to_do="Give the clusters different `server_id` values, in the configuration as well.",
    ),
    FindingEntry(
        code="server_id_unknown",
        severities=(Severity.UNKNOWN,),
        title="server_id unknown",
        what_happened="The `server_id` of a registered node has never been read.",
        what_it_means="The plan is refused, because a replication loop cannot be ruled out.",
        what_to_do="Start the node once so that the monitor reads it.",
    ),
    FindingEntry(
        code="loop_guard_complete",
        severities=(Severity.OK,),
        title="Loop protection complete",
        what_happened="Every `server_id` is known, and none occurs in both clusters.",
        what_it_means="Each new channel ignores all `server_id` values of the cluster that receives.",
        what_to_do="Nothing to do.",
    ),
)

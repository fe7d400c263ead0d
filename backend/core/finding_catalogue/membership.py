"""Membership in the Primary Component."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="node_not_primary",
        severities=(Severity.BLOCKER,),
        title="Node not in the Primary Component",
        what_happened="A node that the plan needs is not in the Primary Component of its cluster.",
        what_it_means="The plan is refused. The node has lost its cluster, and its data may be outdated.",
        what_to_do="Choose a node of the Primary Component, or restart this one so that it joins again.",
    ),
    FindingEntry(
        code="node_non_primary",
        severities=(Severity.BLOCKER,),
        title="Node not in the Primary Component",
        what_happened="The monitor sees a node that has lost its cluster (`wsrep_cluster_status` is not `Primary`).",
        what_it_means=(
            "The node refuses most queries. A channel on it replicates nothing, and its data may be outdated."
        ),
        what_to_do="Restart the node. Without any Primary node, set `pc.bootstrap` on the most advanced node only.",
    ),
    FindingEntry(
        code="node_not_synced",
        severities=(
            Severity.BLOCKER,
            Severity.WARNING,
        ),
        title="Node not Synced",
        what_happened="The node is in the Primary Component but is not Synced, not ready or desynchronized.",
        what_it_means="A plan that needs this node is refused. On the link page it is a warning.",
        what_to_do="Wait until it is Synced. If it stays in its state, read its error log, or choose another node.",
    ),
    FindingEntry(
        code="node_synced",
        severities=(Severity.OK,),
        title="Node Synced",
        what_happened="The node is Synced, ready and in the Primary Component.",
        what_it_means="The node applies and logs everything that its cluster commits.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="wsrep_unknown",
        severities=(Severity.UNKNOWN,),
        title="Galera status unknown",
        what_happened="The Galera status of a node that the plan needs could not be read.",
        what_it_means="The plan is refused, because the node may not belong to its cluster.",
        what_to_do=(
            "Every account may read it. Check on the node that Galera is loaded: `wsrep_provider` and `wsrep_on=ON`."
        ),
    ),
    FindingEntry(
        code="node_not_ready",
        severities=(Severity.BLOCKER,),
        title="Node not ready",
        what_happened="A node with a stray channel is not Synced, and would refuse `RESET SLAVE` with error 1047.",
        what_it_means="The plan is refused. Until the node is Synced it commits nothing.",
        what_to_do="Wait until the node is Synced, then create a new plan.",
    ),
    FindingEntry(
        code="wsrep_off",
        severities=(Severity.BLOCKER,),
        title="Galera replication switched off on a node",
        what_happened="The node runs with `wsrep_on=OFF`.",
        what_it_means=(
            "Everything written or applied there stays on that node alone, and the cluster becomes inconsistent."
        ),
        what_to_do=(
            "If anything was written there, let the node join by SST. Otherwise run `SET GLOBAL wsrep_on=ON` and "
            "restart its channels."
        ),
    ),
    FindingEntry(
        code="wsrep_on_unknown",
        severities=(Severity.UNKNOWN,),
        title="Galera replication of a node unknown",
        what_happened="The variable `wsrep_on` of the node could not be read.",
        what_it_means="It is unknown whether writes on the node reach its cluster. A plan that needs it is refused.",
        what_to_do=(
            "Every account may read it. Check that the node is a server with Galera loaded "
            "(`wsrep_provider`), and no proxy."
        ),
    ),
    FindingEntry(
        code="member_not_registered",
        severities=(
            Severity.BLOCKER,
            Severity.WARNING,
        ),
        title="Member not registered",
        what_happened="The cluster counts more servers as members than registered nodes can be.",
        what_it_means=(
            "The console neither sees nor fences that server: it could accept writes behind a fence, hold a second "
            "channel, or write transactions that return to their origin. Plans are refused; a failover and the link "
            "page warn."
        ),
        what_to_do="Add the node on the page of its cluster, which offers it, or stop that server.",
    ),
    FindingEntry(
        code="member_not_recognised",
        severities=(Severity.WARNING,),
        title="Member not recognised",
        what_happened="The cluster counts a member that no responding node is, at an address that is not registered.",
        what_it_means=(
            "It is a registered node that does not respond and states another address, or a server that is not "
            "registered. The second would not be covered by a fence."
        ),
        what_to_do=(
            "Compare `wsrep_incoming_addresses` of a member with the registered nodes before you attest that one is "
            "fenced."
        ),
    ),
)

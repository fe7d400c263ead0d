"""Sides that are not, or not certainly, one Primary Component."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="site_is_split",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Side split into several Primary Components",
        what_happened=(
            "Responding nodes of one registered cluster are in views without a common member, or have different state "
            "UUIDs: a node was bootstrapped while the others ran on (`--wsrep-new-cluster`, `pc.bootstrap=YES`)."
        ),
        what_it_means=(
            "Each half accepts writes that reach neither the other half nor, without a channel of its own, the other "
            "side; the same seqno is another transaction in each. Every plan is refused that moves, creates or starts "
            "a channel or changes the active side. A failover from the split side warns; its loss is unknown. "
            "The seqno named is the lower counter of two nodes when they were last seen in one view."
        ),
        what_to_do=(
            "Decide which half stays. Set `read_only=ON` on the others, export from their binary logs what they wrote "
            "after that seqno, and enter it on the half that stays. Stop the others, move their data folders "
            "aside, and start them empty with the addresses of the half that stays: they must be copied whole (SST)."
        ),
    ),
    FindingEntry(
        code="site_views_differ",
        severities=(Severity.UNKNOWN,),
        title="Members report different views",
        what_happened=(
            "Responding members of one cluster report different views (`wsrep_cluster_conf_id`, members) that may be "
            "of one Primary Component: the membership is changing, or a node waits and shows an old view."
        ),
        what_it_means=(
            "Plans are refused until the views are the same. On the link page it is said after a few seconds."
        ),
        what_to_do=(
            "Create the plan again. If it stays, compare `wsrep_cluster_conf_id` and `wsrep_incoming_addresses` on all "
            "nodes; a node under a backup lock shows an old view until the lock ends."
        ),
    ),
    FindingEntry(
        code="site_was_split",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Side was split, its nodes not proven equal since",
        what_happened=(
            "The side was split. Nodes of one half have not been seen in its Primary Component since (a warning), or "
            "nodes of several halves are in one component again, and those of all halves but one are not proven to be "
            "copied whole (SST). A node that is started under the same state UUID gets nothing at the same seqno, and "
            "else an IST. A half that the console could not see is found by its log, once its nodes are back: one "
            "seqno is another transaction there (of another server_id or of other tables; where Galera numbers GTIDs, "
            "of other tables alone)."
        ),
        what_it_means=(
            "A node that was not copied whole keeps what its half wrote, and lacks what the others wrote: rows differ "
            "between the nodes, and replication does not mend that. Nodes that are away may hold transactions that no "
            "other node has. Where nodes of several halves are one component, every plan is refused as for "
            "`site_is_split`, also a failover onto that side; a failover from it warns. Proven is a copy by the "
            "node's binary log: since the last start it is another one than before. Where the logs are unknown, where "
            "the donor may have been of either half, or where the record is of a former version, nothing is proven. A "
            "half that certainly committed nothing, not even a change of its members, needs no copy."
        ),
        what_to_do=(
            "Decide which nodes stay; it does not matter which half is larger. Export from the binary logs of the "
            "others what only they wrote, and keep copies of these logs. Stop all the others. Remove `grastate.dat` "
            "from their data folders (or move the folders aside), and start them one after the other: each is copied "
            "whole. Enter the exported writes on the nodes that stay. For a failover onto that side it is enough that "
            "the others are stopped. A node that never returns: remove it from the registration. A copied node that "
            "stays named (by rsync, which brings the log of its donor): remove it there, and register it again."
        ),
    ),
    FindingEntry(
        code="membership_unknown",
        severities=(Severity.UNKNOWN,),
        title="Membership of a responding node unknown",
        what_happened="A node responds, and its Galera status could not be read.",
        what_it_means="It is unknown whether it is in the same Primary Component as the others. Plans are refused.",
        what_to_do=(
            "Every account may read it. Check that Galera is loaded there (`wsrep_provider`, `wsrep_on=ON`), or shut "
            "the node down."
        ),
    ),
)

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
        severities=(Severity.WARNING,),
        title="Nodes of a split side have not returned",
        what_happened="The side was split, and nodes of one half have not been seen in its Primary Component since.",
        what_it_means="They may hold transactions that no other node has. An IST would let them keep those.",
        what_to_do=(
            "Export what only they wrote. Move their data folders aside before the start, so that they are copied "
            "whole (SST). A node that never returns: remove it from the registration."
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

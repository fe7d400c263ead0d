"""Identity of a cluster's history (state UUID)."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="state_uuid_unknown",
        severities=(Severity.UNKNOWN,),
        title="State UUID unknown",
        what_happened="The state UUID of a cluster is not recorded, or a node does not report one.",
        what_it_means="The plan is refused. A seqno is valid in one state UUID only.",
        what_to_do="Wait until the monitor has read a Synced node of the cluster, then create a new plan.",
    ),
    FindingEntry(
        code="state_uuid_changed",
        severities=(Severity.BLOCKER,),
        title="State UUID changed",
        what_happened="The cluster or one of its nodes has another state UUID than the recorded one.",
        what_it_means=(
            "It was bootstrapped again or restored, and its earlier seqnos are not comparable. The plan is refused."
        ),
        what_to_do=(
            "Find out what happened to the cluster. If its data is right, use a plan of kind `accept_state_uuid`. "
            "If its log is another one, too, that plan is refused: fail over, or remove the channels and create them "
            "again."
        ),
    ),
    FindingEntry(
        code="state_uuid_same",
        severities=(
            Severity.OK,
            Severity.BLOCKER,
        ),
        title="State UUID as recorded",
        what_happened="The clusters have the state UUIDs that were recorded.",
        what_it_means=(
            "Seqnos are comparable. A plan of kind `accept_state_uuid` is refused, because nothing has changed."
        ),
        what_to_do="Nothing to do. To move channels, use a relocate.",
    ),
    FindingEntry(
        code="state_uuids_differ",
        severities=(Severity.BLOCKER,),
        title="Several state UUIDs in one cluster",
        what_happened="The nodes of one registered cluster report different state UUIDs.",
        what_it_means="The plan is refused. Two separate clusters may accept writes under one name.",
        what_to_do="Decide which history is right. Stop the other nodes and let them join by state transfer (SST).",
    ),
    FindingEntry(
        code="state_uuid_to_accept",
        severities=(Severity.WARNING,),
        title="New state UUID to accept",
        what_happened="The cluster was bootstrapped again and has one new state UUID.",
        what_it_means=(
            "The plan records it only if the content of the logs proves that the replication stream is complete."
        ),
        what_to_do=(
            "Check that the bootstrap was intended and that the cluster has its latest data, then confirm the plan."
        ),
    ),
)

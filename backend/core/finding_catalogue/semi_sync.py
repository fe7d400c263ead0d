"""Semi-synchronous replication."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="semi_sync_unknown",
        severities=(Severity.UNKNOWN,),
        title="Semi-synchronous wait unknown",
        what_happened="A node that responds does not report `rpl_semi_sync_master_enabled`.",
        what_it_means="The plan is refused. Commits of the node could wait for a replica that the plan stops.",
        what_to_do=(
            "Every account may read `rpl_semi_sync_master_enabled`. Check that the node is a server and no proxy. On "
            "MySQL replace the plugin from before 8.0.26 by `rpl_semi_sync_source`."
        ),
    ),
    FindingEntry(
        code="semi_sync_turned_off",
        severities=(Severity.WARNING,),
        title="Commits are kept going",
        what_happened=(
            "A node has `rpl_semi_sync_master_enabled=ON`, and the plan stops the last replica that acknowledges its "
            "commits, or none does already."
        ),
        what_it_means=(
            "Each commit of the node would wait until `rpl_semi_sync_master_timeout`. The node's appliers would wait, "
            "too, and flow control would then stop every commit of its cluster. The run turns the wait off first, and "
            "an abort turns it on again. The message says whether it is on at the end."
        ),
        what_to_do=(
            "Read whether the wait is given back. If it stays off, let a replica acknowledge, then turn it on. Look "
            "for `rpl_semi_sync_master_enabled` in the option file of a node that is a source no more."
        ),
    ),
    FindingEntry(
        code="semi_sync_kept",
        severities=(Severity.INFO,),
        title="Commits go on",
        what_happened="A source waits for acknowledgements, and does not depend on the replica that the plan stops.",
        what_it_means=(
            "Another replica acknowledges, or `rpl_semi_sync_master_wait_no_slave=OFF` lets commits go on without one."
        ),
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="semi_sync_after",
        severities=(Severity.INFO, Severity.WARNING),
        title="Mode of the channel afterwards",
        what_happened="A source of this plan's channels is set to wait for acknowledgements.",
        what_it_means=(
            "The message says whether the channel is semi-synchronous once the plan is done. `warning`: it was, and is "
            "asynchronous then, so that a commit may be acknowledged to a client before a replica has it."
        ),
        what_to_do="If it is to be semi-synchronous, set both variables as the remedy says, the replica first.",
    ),
    FindingEntry(
        code="semi_sync_privilege_unknown",
        severities=(Severity.UNKNOWN,),
        title="Privilege for the wait unknown",
        what_happened="The privileges of the operator account on a node could not be read.",
        what_it_means="The plan is refused. A run that cannot turn the wait off would hold all commits of a cluster.",
        what_to_do=(
            "Check that the operator account can log in to the node, and that it holds `REPLICATION MASTER ADMIN`."
        ),
    ),
    FindingEntry(
        code="semi_sync_privilege_missing",
        severities=(Severity.BLOCKER,),
        title="Privilege for the wait missing",
        what_happened="The operator account lacks `REPLICATION MASTER ADMIN`, or `SYSTEM_VARIABLES_ADMIN` on MySQL.",
        what_it_means="The plan is refused. A run that cannot turn the wait off would hold all commits of a cluster.",
        what_to_do=(
            "Grant it. Or turn `rpl_semi_sync_master_enabled` off by hand, run the plan, and turn it on again once a "
            "replica acknowledges."
        ),
    ),
    FindingEntry(
        code="semi_sync_waits",
        severities=(Severity.BLOCKER, Severity.WARNING),
        title="Commits wait for an acknowledgement",
        what_happened=(
            "`rpl_semi_sync_master_enabled` is ON on a node, and too few replicas that acknowledge are connected to it."
        ),
        what_it_means=(
            "`blocker`: commits wait now, each until `rpl_semi_sync_master_timeout`. The node responds and can be "
            "read; it is neither hung nor lost. `warning`: the next commit waits."
        ),
        what_to_do=(
            "Start the replica's channel, or run `SET GLOBAL rpl_semi_sync_master_enabled=OFF`: commits that wait go "
            "on at once. A plan that moves the channel does that first. A KILL frees one client's commit, which stays; "
            "on a Galera node it is refused for DDL (1095)."
        ),
    ),
    FindingEntry(
        code="semi_sync_on",
        severities=(Severity.INFO,),
        title="Semi-synchronous source",
        what_happened="Commits of a node wait for the acknowledgement of a replica.",
        what_it_means="Where the replica stops, each commit waits until the timeout that the message names.",
        what_to_do="Nothing to do. Plans keep commits going, and say the mode of the channel afterwards.",
    ),
)

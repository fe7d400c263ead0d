"""State of the channels."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="channel_unknown",
        severities=(Severity.UNKNOWN,),
        title="Channel unknown",
        what_happened=(
            "On the link page: the state of the channel is unknown. In a plan: no channel was found or recorded."
        ),
        what_it_means=(
            "It is unknown whether data is replicated. A plan is refused, because the channel settings are unknown."
        ),
        what_to_do=(
            "Bring back the node that held the channel, and grant `SLAVE MONITOR` to the monitor account if it "
            "lacks it. If there never was a channel, create both with an operation of the kind `create_channels`."
        ),
    ),
    FindingEntry(
        code="channel_missing",
        severities=(Severity.BLOCKER,),
        title="Channel missing",
        what_happened="No channel of this direction exists on any node, and none is recorded.",
        what_it_means=(
            "Nothing is replicated in this direction. Without the forward channel the active side is unprotected."
        ),
        what_to_do=(
            "If neither direction has a channel, create both with an operation of the kind `create_channels`. If only "
            "this one is missing, have an administrator set it up once from a node of the source side."
        ),
    ),
    FindingEntry(
        code="channel_stopped",
        severities=(Severity.BLOCKER,),
        title="Channel stopped",
        what_happened="A thread of the channel is stopped without an error.",
        what_it_means="Nothing is replicated in this direction until the channel is started. Its position is kept.",
        what_to_do=(
            "Find out why it was stopped: a transaction above `wsrep_max_ws_size` does it, too, and the error log of "
            "the replica tells. If so, set `wsrep_trx_fragment_size` globally on the replica. Then use a plan of kind "
            "`start_channel`, which proves the position first."
        ),
    ),
    FindingEntry(
        code="channel_broken",
        severities=(Severity.BLOCKER,),
        title="Channel broken",
        what_happened="The channel stopped with an error, cannot connect, or its source or replica is not in service.",
        what_it_means="Nothing is replicated in this direction. The standby side falls behind.",
        what_to_do="Follow the remedy of the finding. Resolve an SQL error first, and never skip a transaction.",
    ),
    FindingEntry(
        code="channel_not_seen",
        severities=(Severity.UNKNOWN,),
        title="Channel not found",
        what_happened="No node that responds has the channel of this direction.",
        what_it_means="The plan is refused. After a switchover the new active side could be unprotected.",
        what_to_do=(
            "Grant `SLAVE MONITOR` to the monitor account if it lacks it. Otherwise relocate the link first, or "
            "bring back the node that held the channel."
        ),
    ),
    FindingEntry(
        code="channel_not_running",
        severities=(Severity.BLOCKER,),
        title="Channel not running",
        what_happened="The I/O thread or the SQL thread of a channel does not run.",
        what_it_means="The plan is refused. A switchover or failback needs both channels running.",
        what_to_do="Start the channel or relocate the link, then create a new plan.",
    ),
    FindingEntry(
        code="channel_runs",
        severities=(Severity.OK,),
        title="Channel running",
        what_happened="Both threads of the channel run.",
        what_it_means="The channel can be used for this operation.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="channel_sql_error",
        severities=(Severity.BLOCKER,),
        title="Channel stopped by an SQL error",
        what_happened="The SQL thread stopped because a transaction failed on the replica.",
        what_it_means="The plan is refused. A new channel would fail at the same transaction.",
        what_to_do=(
            "Correct the row on the replica. For errors 1062 and 1032 the link page shows it. Never skip the "
            "transaction."
        ),
    ),
    FindingEntry(
        code="channel_stopped_by_galera",
        severities=(Severity.WARNING,),
        title="Channel stopped by Galera",
        what_happened="The SQL thread stopped with error 1047, because its node had left the Primary Component.",
        what_it_means="No transaction failed. The plan continues from the proven position.",
        what_to_do="Nothing to do for this plan. Find out why the node left its cluster.",
    ),
    FindingEntry(
        code="channel_behind_its_data",
        severities=(Severity.WARNING,),
        title="Channel position behind its data",
        what_happened="The channel stopped at a transaction that the receiving cluster already has.",
        what_it_means="After a crash the position stored by the replica was older than its data. No data is lost.",
        what_to_do="Run the plan. It resumes after the last applied transaction, so none is applied twice.",
    ),
    FindingEntry(
        code="site_path_unknown",
        severities=(Severity.UNKNOWN,),
        title="Path between the sites unknown",
        what_happened="The replica is not connected to its source although both are up.",
        what_it_means=(
            "The plan is refused. The network between the sites may be down, and a new channel would fail as well."
        ),
        what_to_do=(
            "If no error is reported yet, the channel may be connecting again: plan again after some seconds. "
            "Otherwise restore the network. If only this address is blocked, set option `attest_site_path`."
        ),
    ),
    FindingEntry(
        code="site_path_attested",
        severities=(Severity.WARNING,),
        title="Path between the sites attested",
        what_happened="The replica is not connected to its source, and the request attests that the path works.",
        what_it_means="The plan continues. If the path is down, the new channels will not connect either.",
        what_to_do="Check firewall and routing between the new nodes before you confirm.",
    ),
    FindingEntry(
        code="lag_too_long",
        severities=(Severity.BLOCKER,),
        title="Replication lag too long",
        what_happened="A channel is more than 30 s behind.",
        what_it_means="The plan is refused. Writes would be paused until the standby side has applied the backlog.",
        what_to_do="Wait until the lag is 30 s or less. Check for large transactions and the load of the replica.",
    ),
    FindingEntry(
        code="already_there",
        severities=(Severity.BLOCKER,),
        title="Channels already on these nodes",
        what_happened="Both channels already run between the chosen nodes.",
        what_it_means="The plan is refused, because there is nothing to move.",
        what_to_do="Choose other nodes, or do nothing.",
    ),
    FindingEntry(
        code="already_home",
        severities=(Severity.BLOCKER,),
        title="Home site already active",
        what_happened="The home site of the link is already the active side.",
        what_it_means="The failback is refused, because there is nothing to fail back.",
        what_to_do="Nothing to do. To activate the other side, use a switchover.",
    ),
)

"""Failover: loss of the active side."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="active_site_lost",
        severities=(Severity.OK,),
        title="Active side lost",
        what_happened="No node of the active side is in service, and no standby node is connected to it.",
        what_it_means="A failover is the right operation.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="active_site_lives",
        severities=(Severity.BLOCKER,),
        title="Active side in service",
        what_happened=(
            "The active side is in service. Its channel is connected, or the standby side does not read from it for "
            "another cause than the network: a stopped channel, a refused position, another history."
        ),
        what_it_means="The failover is refused, because it could lose transactions without need.",
        what_to_do="Use a switchover, which loses nothing. Where the channel does not read, mend that first.",
    ),
    FindingEntry(
        code="sites_are_parted",
        severities=(Severity.BLOCKER,),
        title="Sites partitioned",
        what_happened=(
            "The console reaches the active side, but the standby side does not. Both sides have the recorded history."
        ),
        what_it_means="The failover is refused. This is a network partition, not the loss of a site.",
        what_to_do=(
            "Restore the network between the sites. Option `override_partition` fails over anyway, and both sides may "
            "accept writes."
        ),
    ),
    FindingEntry(
        code="active_site_seen_by_standby",
        severities=(Severity.BLOCKER,),
        title="Active side connected to the standby side",
        what_happened="The console sees no node of the active side in service, but a standby node is connected to it.",
        what_it_means="The failover is refused. The active side is probably in service.",
        what_to_do=(
            "Restore the connection from the console to the active side. Option `override_partition` fails over anyway."
        ),
    ),
    FindingEntry(
        code="partition_overridden",
        severities=(Severity.WARNING,),
        title="Partition overridden",
        what_happened="The active side may be in service, and the request overrides this.",
        what_it_means="Both sides may accept writes. What the old side still accepts becomes orphaned.",
        what_to_do="Keep all clients away from the old side before you confirm.",
    ),
    FindingEntry(
        code="relay_log_drains",
        severities=(Severity.OK,),
        title="Relay log will be applied",
        what_happened="The replica applies everything that it received from the lost side.",
        what_it_means="No received transaction is lost.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="relay_log_not_drained",
        severities=(
            Severity.BLOCKER,
            Severity.WARNING,
        ),
        title="Relay log not applied",
        what_happened="The SQL thread is stopped, and the relay log holds transactions that are not applied.",
        what_it_means="These transactions would be lost. The plan is refused unless option `accept_loss` is set.",
        what_to_do="Resolve the cause and start the SQL thread. Or accept the loss with option `accept_loss`.",
    ),
    FindingEntry(
        code="relay_log_gone",
        severities=(Severity.WARNING,),
        title="Relay log lost",
        what_happened="No node that responds holds the channel from the lost side.",
        what_it_means="Received transactions that were not yet applied are lost with that node.",
        what_to_do="Bring that node back first if it can be done in reasonable time.",
    ),
    FindingEntry(
        code="loss_none_seen",
        severities=(
            Severity.OK,
            Severity.WARNING,
        ),
        title="No known loss",
        what_happened="Every transaction that was read on the lost side has arrived, and the replica has no later one.",
        what_it_means="No loss is known. A warning means that nothing shows when the lost side stopped writing.",
        what_to_do="Nothing to do, or keep clients away from the lost side if it may still run.",
    ),
    FindingEntry(
        code="loss_accepted",
        severities=(Severity.WARNING,),
        title="Loss accepted",
        what_happened="Transactions of the lost side are missing or their number is unknown, and the loss is accepted.",
        what_it_means="The other side is activated without them. They are orphaned if the lost side returns.",
        what_to_do="Read the loss statement again before you confirm.",
    ),
    FindingEntry(
        code="loss_not_accepted",
        severities=(
            Severity.BLOCKER,
            Severity.UNKNOWN,
        ),
        title="Loss not accepted",
        what_happened="Transactions of the lost side have not arrived, or their number is unknown.",
        what_it_means="The plan is refused. Nothing was sent.",
        what_to_do="Bring a node of the lost side back, or accept the loss with option `accept_loss`.",
    ),
    FindingEntry(
        code="lost_side_fenced_on_return",
        severities=(Severity.INFO,),
        title="Lost side fenced on return",
        what_happened="The lost side will be fenced automatically when it returns.",
        what_it_means="A separate run sets `read_only` and stops its channels. It relies on this confirmation.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="lost_side_not_fenced_on_return",
        severities=(Severity.WARNING,),
        title="Lost side not fenced on return",
        what_happened="The plan was made with `fence_on_return` switched off.",
        what_it_means="What clients write on the lost side after its return is orphaned.",
        what_to_do="Plan with `fence_on_return`, or keep clients away until you have fenced the side.",
    ),
)

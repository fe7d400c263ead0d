"""Whether nodes respond."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="node_reachable",
        severities=(Severity.OK,),
        title="Node reachable",
        what_happened="The node responds, and its data is at most 10 s old.",
        what_it_means="The node can be used for this plan.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="node_unreachable",
        severities=(
            Severity.BLOCKER,
            Severity.UNKNOWN,
        ),
        title="Node unreachable",
        what_happened="A node that the plan needs is down, hung, refuses the login, or has not been polled yet.",
        what_it_means="The plan is refused. A hung or unreachable node may still accept writes.",
        what_to_do=(
            "Choose another node, or bring this one back: check process, port, network and the account of Hawser."
        ),
    ),
    FindingEntry(
        code="node_down",
        severities=(Severity.WARNING,),
        title="Node down",
        what_happened="The port of the node is closed. No server runs there.",
        what_it_means=(
            "The node is not applying or accepting anything. The other nodes of its cluster are not affected."
        ),
        what_to_do=(
            "Start the node. If every node of the cluster is down, start the most advanced one first "
            "(`--wsrep-recover`)."
        ),
    ),
    FindingEntry(
        code="node_hung",
        severities=(Severity.UNKNOWN,),
        title="Node hung",
        what_happened="The node accepts connections but does not respond in time.",
        what_it_means="It may still accept writes and run a channel. Hawser does not treat it as down.",
        what_to_do=(
            "Check disk, memory, locks and load of the node. Before a failover fence it and attest it (option "
            "`attest_fenced`)."
        ),
    ),
    FindingEntry(
        code="node_refused",
        severities=(Severity.UNKNOWN,),
        title="Login refused",
        what_happened="The node responds but refuses the login of Hawser.",
        what_it_means="The state of the node is unknown. It may be healthy and accept writes.",
        what_to_do="Check user, host pattern, password and TLS of the monitor account on the node.",
    ),
    FindingEntry(
        code="node_unknown",
        severities=(Severity.UNKNOWN,),
        title="Node unreachable from the console",
        what_happened="The node was not polled yet, or no connection from the console to its address is possible.",
        what_it_means="The state of the node is unknown. It may be healthy and accept writes.",
        what_to_do="Check network, firewall and name resolution between the console and the node.",
    ),
    FindingEntry(
        code="facts_stale",
        severities=(Severity.UNKNOWN,),
        title="Outdated data",
        what_happened="The data of a node that the plan needs is older than 10 s.",
        what_it_means="The plan is refused, because the node may have changed since.",
        what_to_do="Wait until the node responds again, then create a new plan.",
    ),
)

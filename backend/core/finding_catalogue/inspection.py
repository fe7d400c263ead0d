"""Inspection of a cluster: connection, accounts and members."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="connection",
        severities=(
            Severity.OK,
            Severity.BLOCKER,
        ),
        title="Connection to the node",
        what_happened="The inspection tried to connect to the node.",
        what_it_means="As a blocker: Hawser cannot use the node until it connects.",
        what_to_do="Check host, port, firewall, TLS settings and the monitor account.",
    ),
    FindingEntry(
        code="tls",
        severities=(
            Severity.OK,
            Severity.WARNING,
        ),
        title="TLS of the connection",
        what_happened="The inspection checked how the connection to the node is protected.",
        what_it_means="As a warning: the connection is not encrypted, or the server is not verified.",
        what_to_do="Register the cluster with TLS mode `verify_identity` and the certificate of the authority.",
    ),
    FindingEntry(
        code="connection_not_verified",
        severities=(Severity.WARNING,),
        title="Connection not verified",
        what_happened="The registered TLS mode of a cluster does not verify its servers.",
        what_it_means=(
            "`CHANGE MASTER` sends the replication password there. An attacker on the network path can read it."
        ),
        what_to_do="Register the cluster again with TLS mode `verify_identity` and the certificate of the authority.",
    ),
    FindingEntry(
        code="authority_rotation",
        severities=(Severity.OK, Severity.WARNING),
        title="Authority of a node's certificate",
        what_happened=(
            "Several authorities are trusted for the cluster, as while one replaces another, and the inspection tried "
            "with which of them a connection to the node is verified."
        ),
        what_it_means="As a warning: the node does not show a certificate of the new authority (the last listed) yet.",
        what_to_do="Install a certificate of the new authority on the node, and run `FLUSH SSL`; no restart is needed.",
    ),
    FindingEntry(
        code="authority_unknown",
        severities=(Severity.UNKNOWN,),
        title="Authority of a node's certificate unknown",
        what_happened="No connection to the node could be verified with one of the trusted authorities alone.",
        what_it_means="The old authority cannot be removed: the node would perhaps be refused.",
        what_to_do="Start the node, then check again.",
    ),
    FindingEntry(
        code="authority_replaced",
        severities=(Severity.INFO,),
        title="The new authority verifies every node",
        what_happened="Every node shows a certificate of the authority that is listed last.",
        what_it_means="The authorities before it are trusted without need.",
        what_to_do="Store the new authority alone, under *Change TLS*. It is tried on every node before.",
    ),
    FindingEntry(
        code="login",
        severities=(Severity.BLOCKER,),
        title="Login failed",
        what_happened="One of the accounts cannot log in to the node.",
        what_it_means="Plans that need this account on the node will fail.",
        what_to_do="Create the account as the remedy shows, or correct its password and host pattern.",
    ),
    FindingEntry(
        code="host_not_usable",
        severities=(Severity.BLOCKER,),
        title="Host not usable in statements",
        what_happened="The registered host of a node cannot be written safely in `CHANGE MASTER`.",
        what_it_means="Every plan that names the node is refused.",
        what_to_do="Register the cluster again with a host that fits the rule in the remedy.",
    ),
    FindingEntry(
        code="account_not_usable",
        severities=(Severity.BLOCKER,),
        title="Account name not usable in statements",
        what_happened="The registered name of an account cannot be written safely in statements.",
        what_it_means="Every plan that names the account is refused.",
        what_to_do="Register the cluster again with an account name that fits the rule in the remedy.",
    ),
    FindingEntry(
        code="grants",
        severities=(Severity.OK,),
        title="Grants complete",
        what_happened="The account has the privileges that its role needs.",
        what_it_means="Hawser can work with this account on the node.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="grants_missing",
        severities=(Severity.BLOCKER,),
        title="Grants missing",
        what_happened="The account lacks privileges that its role needs.",
        what_it_means="Checks or steps on this node will fail.",
        what_to_do="Run the `GRANT` statement of the remedy. The message names what is unknown or refused without it.",
    ),
    FindingEntry(
        code="grants_orphans",
        severities=(Severity.WARNING,),
        title="Grants for orphan scans missing",
        what_happened="The monitor account lacks `REPLICATION SLAVE` or `REFERENCES`.",
        what_it_means=(
            "After a failover the orphaned transactions of this node would be unknown. Without `REFERENCES` tables "
            "outside InnoDB are not found."
        ),
        what_to_do="Run the `GRANT` statement of the remedy.",
    ),
    FindingEntry(
        code="grants_probe",
        severities=(Severity.WARNING,),
        title="Grants for probes missing",
        what_happened="The operator account cannot write to `hawser.probe`.",
        what_it_means="Runs on this node end without the proof that a probe gives.",
        what_to_do="Run the `GRANT` statement of the remedy.",
    ),
    FindingEntry(
        code="grants_hawser",
        severities=(Severity.WARNING,),
        title="Grant to read the schema hawser missing",
        what_happened="The monitor account lacks `SELECT` on `hawser.*`.",
        what_it_means="A switchover or failback is refused (`accounts_unknown`), and runs are not probed.",
        what_to_do="Run the `GRANT` statement of the remedy.",
    ),
    FindingEntry(
        code="grants_events",
        severities=(Severity.WARNING,),
        title="Grant to read events missing",
        what_happened="The event scheduler runs, and the monitor account lacks `SELECT` on `mysql.event`.",
        what_it_means="A switchover or failback is refused (`events_unknown`), unless it leaves events as they are.",
        what_to_do="Run the `GRANT` statement of the remedy, or switch the event scheduler off.",
    ),
    FindingEntry(
        code="accounts_listed",
        severities=(Severity.OK,),
        title="Bypassing accounts listed",
        what_happened="The view `hawser.write_through` lists the accounts that bypass `read_only`.",
        what_it_means="A switchover or failback can name them.",
        what_to_do="Nothing to do.",
    ),
    FindingEntry(
        code="accounts_not_listed",
        severities=(Severity.WARNING,),
        title="Bypassing accounts not listed",
        what_happened="The view `hawser.write_through` does not exist, or cannot be read.",
        what_it_means=(
            "A switchover or failback is refused (`accounts_unknown`), unless you attest that no such account writes."
        ),
        what_to_do="Have an administrator run the statements of the remedy.",
    ),
    FindingEntry(
        code="accounts_listed_in_part",
        severities=(Severity.WARNING,),
        title="Bypassing accounts listed in part",
        what_happened="The view `hawser.write_through` lacks the operator account, which bypasses `read_only`.",
        what_it_means="A switchover or failback would not name every account that can write on the fenced side.",
        what_to_do=(
            "The definer of the view lacks `SELECT` on `mysql.*`. Have another administrator run the statements of the "
            "remedy."
        ),
    ),
    FindingEntry(
        code="grants_excess",
        severities=(Severity.WARNING,),
        title="Grants excessive",
        what_happened=(
            "The account has privileges, roles or the grant option that its role does not need. The rights on rows "
            "that replaying orphans needs do not count for the operator account."
        ),
        what_it_means="A stolen password of this account would do more harm.",
        what_to_do="Run the `REVOKE` statement of the remedy. Keep `SUPER` only if you use option `reject_queries`.",
    ),
    FindingEntry(
        code="grants_unknown",
        severities=(Severity.UNKNOWN,),
        title="Grants unknown",
        what_happened="The grants of the account on the node could not be read.",
        what_it_means="It is unknown whether plans will work with this account.",
        what_to_do="No privilege is needed for `SHOW GRANTS`. Read the error in the message and repeat the inspection.",
    ),
    FindingEntry(
        code="same_cluster",
        severities=(Severity.BLOCKER,),
        title="Nodes of different clusters",
        what_happened="The nodes registered as one cluster report different state UUIDs.",
        what_it_means="Plans for this cluster are not reliable, because the nodes have different histories.",
        what_to_do="Check the addresses, and check whether a node was bootstrapped separately.",
    ),
    FindingEntry(
        code="nodes_are_members",
        severities=(Severity.WARNING,),
        title="Unregistered members",
        what_happened="The cluster has more members than nodes are registered.",
        what_it_means="Hawser does not monitor, fence or unfence the other members.",
        what_to_do="Register the cluster again with all of its nodes.",
    ),
    FindingEntry(
        code="tables_unknown",
        severities=(Severity.UNKNOWN,),
        title="Table engines unknown",
        what_happened="The engines of the tables on a node could not be read.",
        what_it_means="The node may have tables that Galera does not fully replicate.",
        what_to_do=(
            "Read the error in the message and repeat the inspection. The monitor account needs `REFERENCES` to see "
            "tables."
        ),
    ),
)

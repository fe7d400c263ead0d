"""Settings that a plan changes on running nodes, and why it may not."""

from __future__ import annotations

from backend.core.finding_catalogue.entry import FindingEntry
from backend.core.findings import Severity

ENTRIES = (
    FindingEntry(
        code="password_not_rotatable",
        severities=(Severity.BLOCKER,),
        title="Password cannot be rotated by a plan",
        what_happened=(
            "An account has its password in a store, logs in by another plugin or password than is stored, or shares "
            "its name with another account of the other side."
        ),
        what_it_means="The plan is refused. The statement would change more than this password, or lock someone out.",
        what_to_do="Follow the remedy of the finding: change it in the store, or store the account again.",
    ),
    FindingEntry(
        code="rotation_privilege_missing",
        severities=(Severity.BLOCKER, Severity.UNKNOWN),
        title="Privilege to change passwords missing",
        what_happened="The operator account does not hold `CREATE USER`, or it is unknown whether it does.",
        what_it_means="The plan is refused. `ALTER USER` would fail.",
        what_to_do="Grant `CREATE USER` for the rotation and revoke it afterwards: it allows to change any account.",
    ),
    FindingEntry(
        code="rotation_channel_stopped",
        severities=(Severity.BLOCKER,),
        title="Channel stopped before a rotation",
        what_happened="A channel that logs in with the replication account does not run.",
        what_it_means="The plan is refused. It could not be shown that the channel logs in with the new password.",
        what_to_do="Start the channel, then create the plan again.",
    ),
    FindingEntry(
        code="setting_is_changed",
        severities=(Severity.WARNING,),
        title="Setting that is changed",
        what_happened="The plan changes this setting on the named nodes, one node after the other.",
        what_it_means="It takes effect at once and until a node restarts. A failed step sets all values back.",
        what_to_do="To keep it, also add the line of the page Configuration to the file of each node.",
    ),
    FindingEntry(
        code="setting_needs_restart",
        severities=(Severity.BLOCKER,),
        title="Setting needs a restart",
        what_happened="The requested setting is read only when a node starts.",
        what_it_means="The plan is refused: `SET GLOBAL` would fail.",
        what_to_do="Use the lines for the configuration files and the order of restarts of the page Configuration.",
    ),
    FindingEntry(
        code="setting_not_changed_by_plans",
        severities=(Severity.BLOCKER,),
        title="Setting is not changed by plans",
        what_happened="The requested setting is unknown to Hawser, or not on its list of settings for plans.",
        what_it_means="The plan is refused: no safe range is known, or channels or applications rest on the setting.",
        what_to_do="Leave it out. Change it by hand, one node at a time.",
    ),
    FindingEntry(
        code="setting_out_of_range",
        severities=(Severity.BLOCKER,),
        title="Value out of range",
        what_happened="The requested value has another form than the setting, or is outside the accepted range.",
        what_it_means="The plan is refused.",
        what_to_do="Choose a value in the range that the plan names.",
    ),
    FindingEntry(
        code="settings_out_of_order",
        severities=(Severity.BLOCKER,),
        title="One setting above its bound",
        what_happened="With the requested values one option would be greater than another one that bounds it.",
        what_it_means="The plan is refused: the server would refuse the statement.",
        what_to_do="Choose values for both options in one plan.",
    ),
    FindingEntry(
        code="setting_by_provider_plugin",
        severities=(Severity.BLOCKER,),
        title="Provider options are variables of a plugin",
        what_happened="A node loads the plugin `wsrep_provider` (MariaDB 11.3 and later).",
        what_it_means="The plan is refused: `wsrep_provider_options` is read-only there.",
        what_to_do="Set the variables of the plugin by hand, one node at a time, and watch that the node stays Synced.",
    ),
    FindingEntry(
        code="settings_unread",
        severities=(Severity.UNKNOWN,),
        title="Settings unread",
        what_happened="A node's settings could not be read, or one of them is not shown.",
        what_it_means="The plan is refused: what the values were before could not be restored.",
        what_to_do="Bring the node back and create the plan again. Or leave the setting out.",
    ),
    FindingEntry(
        code="setting_privilege_missing",
        severities=(Severity.BLOCKER,),
        title="Privilege for SET GLOBAL missing",
        what_happened="The operator account lacks the privilege with which the setting is changed on a node.",
        what_it_means="The plan is refused, because its first statement would fail.",
        what_to_do="Grant the privilege for the time of the change. Or run the statements by hand.",
    ),
    FindingEntry(
        code="setting_privilege_unknown",
        severities=(Severity.UNKNOWN,),
        title="Privilege for SET GLOBAL unknown",
        what_happened="The privileges of the operator account on a node could not be read.",
        what_it_means="The plan is refused, because it could stop between two nodes.",
        what_to_do="Check that the operator account can log in to the node. It needs `SUPER` for most settings.",
    ),
    FindingEntry(
        code="nothing_to_configure",
        severities=(Severity.BLOCKER,),
        title="Nothing to change",
        what_happened="Every node has the requested values already.",
        what_it_means="The plan is refused, because it would do nothing.",
        what_to_do="Do nothing.",
    ),
    FindingEntry(
        code="cluster_run_unfinished",
        severities=(Severity.BLOCKER,),
        title="Another run on the cluster",
        what_happened="A link of the cluster has a run that is not finished, or that waits for an operator.",
        what_it_means="The plan is refused: settings do not change under a switch.",
        what_to_do="Finish, resume or abort that run first.",
    ),
)

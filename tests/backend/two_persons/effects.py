"""What no person alone should have, the functions by which it comes about, and what keeps one person from it there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Effect(StrEnum):
    """What needs a second person, or what one person has to prove instead."""

    ACTS_AS = "act as somebody else"
    TOUCHES = "touch a cluster"
    RECEIVES = "have a stored secret sent elsewhere"
    ENDS_RULE = "end the rule"
    ENDS_OBJECTORS = "end those who could object"
    READS_ROWS = "read rows"


@dataclass(frozen=True, slots=True)
class Door:
    """Functions (below `backend.`) with an effect, what keeps one person from it, and the test that shows it."""

    effect: Effect
    kept_by: str
    test: str
    functions: tuple[str, ...]


WRITTEN: Final = frozenset(
    {
        *("role", "is_active", "os_users", "second_person_from", "members", "revoked_at", "requires_approval"),
        *("approvers", "environment", "retired_at", "tls_mode", "tls_ca", "host", "port"),
    }
)
"""Columns by which an effect comes about, where an attribute or an update of rows has that name."""
MADE: Final = frozenset(
    {
        *("User", "ApiToken", "Identity", "RoleAssignment", "Team", "Passkey", "RecoveryCode", "SignIn", "Run"),
        *("Approval", "Cluster", "Node", "Credential", "Link", "LinkApprovalRule", "Hook"),
    }
)
"""Models whose new or deleted rows have one."""
CALLED: Final = frozenset({"setattr", "set_password", "Writer", "writer"})
"""Calls that have one: any column of a row, a password, a session that may write to a node."""

_ACCOUNTS, _REGISTRATION = "identity.accounts", "registration"
_TWO, _THREATS, _API = "tests/backend/two_persons", "tests/backend/threats", "tests/api"

DOORS: Final = (
    Door(
        Effect.ACTS_AS,
        "A new or promoted user, a reset password and a mapped account of the host count as a second person only when "
        "another administrator confirms it, or after the waiting time.",
        f"{_TWO}/test_protected_changes.py::test_second_person__made_by_one_administrator__counts_when_another_agrees",
        (
            f"{_ACCOUNTS}.services.user_create",
            f"{_ACCOUNTS}.services.user_update",
            f"{_ACCOUNTS}.services._set_password",
            f"{_ACCOUNTS}.services._map_os_users",
        ),
    ),
    Door(
        Effect.ACTS_AS,
        "Confirming is for another administrator, whose account counts already and is in nobody else's hands.",
        f"{_THREATS}/test_one_administrator.py::"
        "test_confirm__change_asked_for_by_an_administrator_in_ones_own_hands__refused",
        (
            f"{_ACCOUNTS}.services.second_person_confirmed",
            f"{_ACCOUNTS}.services.os_users_confirmed",
            f"{_ACCOUNTS}.token_services.token_confirmed",
        ),
    ),
    Door(
        Effect.ACTS_AS,
        "A token for another account is announced, and its maker cannot approve what is asked with it; rotating it is "
        "making it.",
        f"{_API}/test_access.py::"
        "test_token_of_a_service_account__rotated_by_another_administrator__who_cannot_approve_for_it_yet",
        (f"{_ACCOUNTS}.token_services.token_create", f"{_ACCOUNTS}.token_services.token_rotate"),
    ),
    Door(
        Effect.ACTS_AS,
        "Who may run or approve more by an assigned role, a team or an environment waits like a promoted user.",
        f"{_API}/test_access.py::test_assigned_role__of_an_approver__counts_after_the_waiting_time",
        (
            "identity.access.assignments.role_assign",
            "identity.access.teams.team_create",
            "identity.access.teams.team_update",
            "identity.access.environments.environment_set",
        ),
    ),
    Door(
        Effect.ACTS_AS,
        "The provider vouches for it; a new approver by a group waits, and no local user is taken over.",
        "tests/backend/single_sign_on/test_second_person.py::"
        "test_new_approver_by_group__second_person_after_the_waiting_time_only",
        (
            f"{_ACCOUNTS}.provider_users._created",
            f"{_ACCOUNTS}.provider_users._bind",
            f"{_ACCOUNTS}.provider_users._with_role",
        ),
    ),
    Door(
        Effect.ACTS_AS,
        "Only after the password and the second factor, or the provider's answer in the browser that began.",
        f"{_API}/test_second_factors.py::test_sign_in__with_an_app__password_alone_opens_nothing",
        (f"{_ACCOUNTS}.sign_ins.begin",),
    ),
    Door(
        Effect.ACTS_AS,
        "For the own account, after a fresh proof.",
        f"{_API}/test_step_up.py::test_adding_a_factor__old_proof__refused_whatever_the_setting",
        ("identity.second_factors.passkeys.add", "identity.second_factors.recovery_codes.renew"),
    ),
    Door(
        Effect.ENDS_OBJECTORS,
        "Refused while a change that the same person requested waits; told to the user and in the audit log.",
        f"{_THREATS}/test_objectors.py::test_objector__to_a_change_of_ones_own_that_waits__stays",
        (f"{_ACCOUNTS}.services.user_update", f"{_ACCOUNTS}.services.factors_remove"),
    ),
    Door(
        Effect.ENDS_OBJECTORS,
        "Ends sessions and tokens, not the account: its user signs in again.",
        f"{_API}/test_tokens_users.py::test_session__of_somebody_else__seen_and_ended_by_administrators",
        (
            f"{_ACCOUNTS}.access.end_access",
            f"{_ACCOUNTS}.access.end_all_access",
            f"{_ACCOUNTS}.token_services.token_revoke",
            f"{_ACCOUNTS}.token_services.token_rejected",
        ),
    ),
    Door(
        Effect.ENDS_OBJECTORS,
        "Rejecting a change of an account disables it: refused like disabling where its user could object.",
        f"{_THREATS}/test_objectors.py::test_objector__by_rejecting_an_earlier_change_of_his_account__stays",
        (f"{_ACCOUNTS}.services.second_person_rejected", f"{_ACCOUNTS}.services.os_users_rejected"),
    ),
    Door(
        Effect.ENDS_OBJECTORS,
        "A receiver that is deleted, silenced or led elsewhere is told of that, and of protected changes for as long "
        "as they wait, where it was.",
        f"{_THREATS}/test_silenced_receivers.py::"
        "test_receiver__silenced_before_a_change_is_asked_for__told_of_it_where_it_was",
        ("notifications.hooks.notifications.announce_change", "notifications.hooks.notifications.delete_receiver"),
    ),
    Door(
        Effect.ENDS_OBJECTORS,
        "Of accounts that are disabled already.",
        f"{_API}/test_first_steps.py::"
        "test_retention__what_ended_long_ago_and_users_disabled_since__deleted_but_for_the_name",
        (f"{_ACCOUNTS}.retention.forget", f"{_ACCOUNTS}.retention.erase"),
    ),
    Door(
        Effect.ENDS_RULE,
        "Waits for another administrator, or for the waiting time; nothing of the run that waits changes.",
        f"{_TWO}/test_protected_changes.py::test_rule__switched_off_by_one_administrator__stays_on_until_another_agrees",
        (
            f"{_REGISTRATION}.links._store",
            "operations.approval_rules.services.rule_update",
            "operations.approval_rules.services._row",
            "operations.approval_rules.services.weaker_rule_begins",
            "operations.approval_rules.switching.approval_rule_off",
        ),
    ),
    Door(
        Effect.ENDS_RULE,
        "A link with the rule is retired by nobody alone.",
        f"{_API}/test_registration_changes.py::test_link__with_approval__retired_by_nobody_alone",
        (f"{_REGISTRATION}.retirement.retire_link_row", f"{_REGISTRATION}.retirement.retire_cluster_row"),
    ),
    Door(
        Effect.ENDS_RULE,
        "Another link over the same cluster is no way around: a run asks every link of the clusters that it touches.",
        f"{_TWO}/test_shared_clusters.py::test_run__on_a_cluster_of_a_link_with_a_rule__waits_for_its_approvers",
        ("clusters.services.link_register",),
    ),
    Door(
        Effect.TOUCHES,
        "Rights, the strictest rule, approvers and calendar of every link of the touched clusters; asked again at "
        "approval, resumption and claim.",
        f"{_TWO}/test_shared_clusters.py::test_run__both_links_have_rules__the_strictest_of_both",
        (
            "operations.runs.services.start._insert",
            "operations.runs.services.approval.run_approve",
            "operations.runs.services.approval.run_except",
            "operations.runs.services.approval._store",
            "operations.runs.services.decisions.move",
        ),
    ),
    Door(
        Effect.TOUCHES,
        "Statements of a claimed run alone: a worker asks for the approval and the rights again.",
        f"{_TWO}/test_authorization.py::test_claim__set_to_queued_by_hand__refused",
        ("operations.runs.execution.claim.RunClaim.claim",),
    ),
    Door(
        Effect.TOUCHES,
        "An incident begins only as it was confirmed, by its digest; each of its runs keeps the rules of its links.",
        "tests/backend/incidents/test_approvals.py::test_approval__written_by_something_else__counts_for_nothing",
        ("operations.incidents.sequence.change_state",),
    ),
    Door(
        Effect.TOUCHES,
        "Ends what an approved run began, on the server that its plan named.",
        f"{_API}/test_node_maintenance.py::test_unfreeze__another_server_at_the_address__nothing_is_sent",
        ("adviser.maintenance.unfreeze._send",),
    ),
    Door(
        Effect.TOUCHES,
        "The three accounts, by statements that were shown and confirmed, with a password that is typed.",
        f"{_API}/test_registrations.py::test_accounts__digest_not_confirmed__nothing_sent",
        ("gateway.account_creation.create_accounts",),
    ),
    Door(
        Effect.TOUCHES,
        "Hawser's own tables in the probe schema alone: no second person.",
        f"{_API}/test_calibration.py::test_calibration__link_run_standby_or_old_state__refused",
        (
            "clusters.probe_table._send",
            "gateway.calibration.commits.table",
            "gateway.calibration.commits._connections",
            "gateway.calibration.commits.write_commits",
            "gateway.calibration.heartbeat.write_beats",
            "gateway.calibration.node.around",
        ),
    ),
    Door(
        Effect.RECEIVES,
        "Another address, mode or authority needs the present passwords of the accounts, but at the shell.",
        f"{_THREATS}/test_moved_passwords.py::"
        "test_node__added_without_the_stored_passwords__refused_before_a_connection",
        (f"{_REGISTRATION}.clusters._store", f"{_REGISTRATION}.nodes._insert", f"{_REGISTRATION}.nodes._store"),
    ),
    Door(
        Effect.RECEIVES,
        "A password is typed, or a reference names a secret that belongs to the cluster's environment.",
        f"{_THREATS}/test_moved_passwords.py::test_reference__of_another_environment__refused",
        (f"{_REGISTRATION}.credentials._store",),
    ),
    Door(
        Effect.RECEIVES,
        "Passwords are typed, or references name what the settings allow, of any environment: who registers clusters "
        "for everything can.",
        f"{_THREATS}/test_moved_passwords.py::"
        "test_limit__registered_for_everything__a_reference_of_any_environment_may_be_named",
        ("clusters.services._insert", "clusters.services._credential"),
    ),
    Door(
        Effect.RECEIVES,
        "The accounts stay with the addresses that they had.",
        "tests/backend/test_cluster_replacement.py::test_replace__another_cluster_responds__new_history_under_the_same_name",
        (f"{_REGISTRATION}.replacement._registered_anew",),
    ),
    Door(
        Effect.RECEIVES,
        "A secret is typed with its address, and a mail server at another one needs its password again.",
        f"{_API}/test_destinations.py::test_mail_server__moved__its_password_is_asked_for_again",
        (
            "notifications.hooks.services.hook_create",
            "notifications.hooks.services.hook_update",
            "notifications.hooks.destinations.services.destination_create",
            "notifications.hooks.destinations.services.destination_update",
            "notifications.web_push.services.subscribe",
        ),
    ),
    Door(
        Effect.RECEIVES,
        "A run asks every link of the cluster whose replication password it sends. Where none has the rule, one person "
        "can have it sent to a cluster of his own.",
        f"{_TWO}/test_registered_twice.py::"
        "test_limit__replication_password_of_a_cluster_without_a_rule__sent_to_a_link_that_one_person_makes",
        ("operations.runs.execution.driver.Driver._secrets",),
    ),
    Door(
        Effect.READS_ROWS,
        "With the permission to look up transactions on the link alone; others see the same without rows.",
        f"{_API}/test_orphans.py::test_rows_of_orphans__in_plans_and_runs__for_operators_alone",
        (
            "operations.incidents.report_facts.report_facts",
            "operations.incidents.selectors.incident_view",
            "operations.runs.rest.response_cache.run_page_response",
            "operations.runs.rest.response_cache.run_response",
            "operations.runs.selectors.plan_findings",
            "operations.runs.selectors.plan_view",
            "operations.runs.selectors.run_view",
            "transactions.orphans.selectors.scan_view",
            "transactions.orphans.selectors.view",
        ),
    ),
    Door(
        Effect.READS_ROWS,
        "With the permission to look up transactions on the link alone; others see where rows differ, without values.",
        f"{_API}/test_table_comparison.py::test_differences__viewer_and_operator__values_for_the_operator_alone",
        (
            "transactions.table_comparison.selectors.difference_view",
            "transactions.table_comparison.selectors.differences_page",
        ),
    ),
    Door(
        Effect.READS_ROWS,
        "The permission to look up transactions on the link, and the export is recorded.",
        f"{_API}/test_table_comparison.py::test_export__statements_for_a_node__recorded_and_none_for_what_is_not_known",
        (
            "transactions.table_comparison.selectors.export_jsonl",
            "transactions.table_comparison.selectors.export_sql",
        ),
    ),
    Door(
        Effect.READS_ROWS,
        "The permission to look up transactions on the link, and the look is recorded.",
        f"{_API}/test_lookup.py::test_rows__operator__values_shown_and_the_look_recorded_without_them",
        (
            "transactions.lookup.services.transaction_lookup",
            "transactions.lookup.services.transaction_rows",
            "transactions.channel_errors.services.channel_error",
            "transactions.orphans.selectors.to_export",
        ),
    ),
)

NAMED: Final = frozenset(
    {
        f"{_ACCOUNTS}.services.factors_remove",
        "notifications.hooks.notifications.announce_change",
        "notifications.hooks.notifications.delete_receiver",
        "operations.runs.execution.claim.RunClaim.claim",
        "operations.runs.execution.driver.Driver._secrets",
        "transactions.lookup.services.transaction_lookup",
        "transactions.lookup.services.transaction_rows",
        "transactions.channel_errors.services.channel_error",
        "transactions.orphans.selectors.to_export",
        "transactions.table_comparison.selectors.export_jsonl",
        "transactions.table_comparison.selectors.export_sql",
    }
)
"""Functions that have one without anything of the above."""
WITHOUT: Final = {
    "adviser.advice": "what the adviser says",
    "api.lab._verify": "the demo's lab",
    "audit.verification.checkpoints.advance": "how far the record was verified",
    "clusters.identity.identify": "which server answered at a node",
    "clusters.management.commands.hawser_reseal.Command.handle": "the same secrets under another key",
    "common.rest.csv_lines.csv_line": "a file",
    "gateway.gateway.NodeGateway.writer": "opens the session for those that are listed",
    "history.readiness_tally._count": "a tally",
    "identity.accounts.services.hold_back": "what keeps one person",
    "monitoring.recording.link_writes.LinkWrites.add_status": "what the monitor saw",
    "monitoring.ownership.leases.StoredLeases.renew": "which monitor leads",
    "operations.runs.execution.claim.RunClaim._write_end": "the end of a claimed run",
    "operations.runs.services.decisions._ask_abort": "nothing more is sent but what reverts",
    "operations.runs.execution.unfinished_sessions.QuarantineGateway.writer": "the session of a claimed run",
    "registration.guide": "a draft: passwords are typed, and go to what was seen",
    "registration.management.commands.hawser_discover.Command.handle": "a password is typed",
    "registration.management.commands.hawser_record_answers._endpoint": "a password is typed",
    "registration.removal._delete": "a node fewer",
}
"""What is found and has none of the effects: the function or package, and why."""

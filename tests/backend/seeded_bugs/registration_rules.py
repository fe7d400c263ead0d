"""Rules of changes of the registration."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

ON_GUARDS = "tests.backend.test_registration_guards"
VERSIONS, CHANGES = "backend.clusters.versions", "backend.registration.changes"
REMOVAL, TRIALS = "backend.registration.removal", "backend.registration.trials"

GUIDE, ON_GUIDE = "backend.registration.guide", "tests.api.test_registrations"
ON_OWNER = "tests.api.test_registration_owner"
ON_FILES, ON_APPLIED = "tests.backend.declaration.test_document", "tests.backend.declaration.test_apply_command"

ACCEPTANCE, ON_ACCEPTANCE = "backend.registration.acceptance", "tests.api.test_server_acceptance"

REGISTRATION_RULES = (
    OuterRule(
        "what_is_accepted_is_what_the_nodes_run",
        ACCEPTANCE,
        "        if (facts.flavor, observed) != (flavor, series) or facts.wsrep is None:",
        "        if False:",
        f"{ON_ACCEPTANCE}::test_acceptance__nodes_were_upgraded_since_they_were_shown__refused",
        "an acceptance of one server is in force for another",
    ),
    OuterRule(
        "an_acceptance_ends_with_its_series",
        "backend.registration.acceptance_end",
        "plan_refusal(one.flavor, one.version, row.accepted) is not None",
        "False",
        f"{ON_ACCEPTANCE}::test_acceptance__another_series_is_observed__ended_for_good",
        "what was accepted of the servers before an upgrade and back counts again",
    ),
    OuterRule(
        "a_key_stands_once_in_a_declared_file",
        "backend.registration.declaration.yaml_text",
        "            if name in seen:",
        "            if False:",
        f"{ON_FILES}::test_yaml__key_twice__refused",
        "the nodes listed first are lost silently, and --prune removes them from the registration",
    ),
    OuterRule(
        "a_file_is_applied_to_the_versions_it_was_compared_with",
        "backend.registration.declaration.execution",
        "version=self._links[difference.name]",
        "version=None",
        f"{ON_APPLIED}::test_apply__changed_by_another_administrator_since__refused",
        "a file overwrites what another administrator changed after the comparison",
    ),
    OuterRule(
        "nothing_but_an_account_changes_under_a_run",
        CHANGES,
        "    if run is not None:",
        "    if False:",
        f"{ON_GUARDS}::test_change__run_unfinished__refused",
        "a run sends its statements to nodes that are registered no more",
    ),
    OuterRule(
        "a_change_names_the_version_it_was_decided_on",
        VERSIONS,
        "given is not None and given != row.version",
        "False",
        f"{ON_GUARDS}::test_change__decided_on_an_older_version__refused",
        "one administrator overwrites the change of another",
    ),
    OuterRule(
        "a_change_outdates_the_plans_made_before",
        "backend.operations.runs.services.start",
        "plan.registered_versions == registered_versions(plan.link)",
        "True",
        f"{ON_GUARDS}::test_plan__of_an_older_registration__refused",
        "a plan is run that knows nothing of a node added since",
    ),
    OuterRule(
        "a_member_is_not_removed",
        REMOVAL,
        "    if is_absent or is_expelled(facts, seen):",
        "    if True:",
        f"{ON_GUARDS}::test_node__member_of_its_cluster__stays",
        "a member that the console does not know accepts writes through a switchover",
    ),
    OuterRule(
        "a_node_is_removed_only_where_another_one_tells_that_it_left",
        REMOVAL,
        "members is not None and members.absent is not None and node.pk in members.absent",
        "not seen.is_up",
        f"{ON_GUARDS}::test_node__unreachable_and_perhaps_the_third_member__stays",
        "a node behind a partition is forgotten, so that a failover does not ask whether it is fenced",
    ),
    OuterRule(
        "a_protected_link_is_retired_by_two",
        "backend.registration.retirement",
        "    if not link.requires_approval:\n        return False",
        "    return False",
        f"{ON_GUARDS}::test_link__that_needs_a_second_person__not_retired_by_one",
        "one administrator retires a link and registers it again without its approval rule",
    ),
    OuterRule(
        "an_account_that_a_node_refuses_is_not_stored",
        TRIALS,
        "    if refused:",
        "    if False:",
        f"{ON_GUARDS}::test_account__refused_by_one_node__the_old_one_is_used",
        "the console loses a node by a typing error",
    ),
    OuterRule(
        "an_account_that_was_not_tried_is_not_stored",
        TRIALS,
        "    if unreached and not accepts_unreachable:",
        "    if False:",
        f"{ON_GUARDS}::test_account__not_tried_on_one_node__the_old_one_is_used",
        "a node returns and refuses the console's new password",
    ),
    OuterRule(
        "a_trial_takes_no_other_account",
        "backend.registration.credentials",
        "endpoint_for(access, role), newest=None)",
        "endpoint_for(access, role))",
        f"{ON_GUARDS}::test_account__tried__never_replaced_by_the_stored_one",
        "every account passes its trial, because the session falls back on the stored one",
    ),
    OuterRule(
        "a_tick_with_an_older_registration_is_not_stored",
        "backend.monitoring.monitor",
        "            if registration_stamp() != self._registration.stamp:",
        "            if False:",
        "tests.monitoring.test_lease::test_store__registration_changed_meanwhile__nothing_is_stored",
        "facts of a removed node are stored, and the tick of all others fails",
    ),
    OuterRule(
        "the_monitor_sees_what_a_run_changed",
        "backend.monitoring.registration",
        "if not is_due and stamp == self.stamp:",
        "if stamp == self.stamp:",
        "tests.monitoring.test_lease::test_registration__a_run_swapped_the_roles__read_again_within_seconds",
        "after a failover the monitor stores nothing of the link any more",
    ),
    OuterRule(
        "the_registration_is_kept_only_while_each_row_is_the_same",
        "backend.monitoring.registration",
        "if rows == self._rows:",
        "if self._rows is not None:",
        "tests.monitoring.test_lease::test_registration__a_run_swapped_the_roles__read_again_within_seconds",
        "after a failover the monitor stores nothing of the link any more",
    ),
    OuterRule(
        "accounts_are_created_only_by_the_confirmed_digest",
        f"{GUIDE}.accounts",
        "if not statements or not secrets.compare_digest(digest, digest_of(content)):",
        "if not statements:",
        f"{ON_GUIDE}::test_accounts__digest_not_confirmed__nothing_sent",
        "an administrator's account runs statements that no user has read",
    ),
    OuterRule(
        "a_guided_registration_is_its_owners",
        f"{GUIDE}.drafts",
        "    if draft.owner != actor:",
        "    if False:",
        f"{ON_OWNER}::test_draft__of_another__seen_and_neither_changed_nor_used",
        "one administrator has another one's database administrator log in to a host of the first one's choice",
    ),
    OuterRule(
        "a_password_goes_where_its_user_saw_that_it_goes",
        f"{GUIDE}.endpoints",
        "    if not secrets.compare_digest(seen, digest_of_endpoints(draft)):",
        "    if False:",
        f"{ON_OWNER}::test_password__draft_leads_elsewhere_by_now__refused_and_sent_nowhere",
        "a password is typed for one server over verified TLS, and sent to another one without",
    ),
    OuterRule(
        "what_was_found_is_stored_only_of_the_draft_that_was_read",
        f"{GUIDE}.discovery",
        "    return changed_by_owner(draft.pk, store, actor=actor, seen=endpoints_digest)",
        "    from backend.registration.guide.drafts import changed\n\n    return changed(draft.pk, store)",
        f"{ON_OWNER}::test_discover__taken_over_meanwhile__nothing_is_stored",
        "what one server told is stored as that of another one",
    ),
    OuterRule(
        "a_takeover_is_told",
        f"{GUIDE}.takeover",
        "        events.raised(",
        "        dict(",
        f"{ON_OWNER}::test_takeover__recorded_told_and_in_one_hand_afterwards",
        "an administrator's registration is in other hands and nobody hears of it",
    ),
    OuterRule(
        "an_account_statement_grants_what_is_needed_and_no_more",
        "backend.gateway.account_statements",
        'return set(grant["names"].split(", ")) <= allowed',
        "return True",
        f"{ON_GUIDE}::test_statement__more_than_the_three_accounts_need__never_sent",
        "an account of the console gets privileges on the data of applications",
    ),
    OuterRule(
        "access_that_is_unknown_is_not_registered",
        f"{GUIDE}.registering",
        "    must = [one for one in points if one.must]",
        "    must: list[OpenPoint] = []",
        f"{ON_GUIDE}::test_register__access_unknown_or_refused__never_passes",
        "a cluster is registered that the console cannot observe",
    ),
    OuterRule(
        "grants_beyond_the_role_are_told",
        "backend.gateway.excess_grants",
        "if name not in _allowed(role, where, needs)]",
        "if False]",
        f"{ON_GUIDE}::test_grants__more_than_the_role_needs__said_with_the_statement_that_revokes_it",
        "an attacker of the console takes over the servers, too",
    ),
    OuterRule(
        "the_password_of_an_administrator_is_stored_nowhere",
        f"{GUIDE}.discovery",
        '"user": content.administrator,',
        '"user": f"{content.administrator} {login.password}",',
        f"{ON_GUIDE}::test_password_of_the_administrator__in_no_table_log_or_answer",
        "the console's database and its backups open every managed server",
    ),
)

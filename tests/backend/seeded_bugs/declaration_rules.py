"""Rules of a declaration that a request carries, and of the client that sends it."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

DECLARATION, ON_CALLS = "backend.registration.declaration", "tests.api.test_declarations"

ON_MOVES = "tests.backend.threats.test_moved_passwords"
ON_GUIDE = "tests.backend.threats.test_guided_passwords"

DECLARATION_RULES = (
    OuterRule(
        "no_reference_of_a_request_is_read_on_this_host",
        f"{DECLARATION}.given_sources",
        "        if name not in self._values:\n            raise MissingValueError(name)",
        "        import os, pathlib\n"
        "        if name.startswith('env:'):\n            return os.environ[name[4:]]\n"
        "        if name not in self._values:\n            return pathlib.Path(name.removeprefix('file:')).read_text()",
        f"{ON_CALLS}::test_references__that_this_host_could_resolve__never_read",
        "an administrator without a shell learns the environment and the files of the console host",
    ),
    OuterRule(
        "a_declaration_is_applied_as_it_was_read",
        f"{DECLARATION}.requested",
        "    if not secrets.compare_digest(digest, compared.digest):",
        "    if False:",
        f"{ON_CALLS}::test_apply__changed_by_another_administrator_since_it_was_read__refused",
        "differences are made that no user has read",
    ),
    OuterRule(
        "a_compared_password_is_in_the_audit_log",
        f"{DECLARATION}.requested",
        "    record_comparison(DECLARED, actor, _accounts(declaration, stored), reason)\n",
        "",
        f"{ON_CALLS}::test_comparison__of_a_stored_password__recorded_without_its_result",
        "a stolen token tries passwords against the stored ones, and no log shows it",
    ),
    OuterRule(
        "compared_passwords_are_few",
        "backend.clusters.password_comparisons",
        "    if any(counts[one] >= MAX_COMPARISONS for one in secrets):",
        "    if False:",
        f"{ON_CALLS}::test_comparison__too_many_of_one_account__refused_before_the_result_is_told",
        "a stolen token tries thousands of passwords an hour",
    ),
    OuterRule(
        "a_plan_that_compares_stored_passwords_is_counted",
        "backend.operations.runs.planning.passwords",
        "        record_comparison(PLANNED, actor, (row, *named))\n",
        "        pass\n",
        "tests.backend.threats.test_planned_rotations"
        "::test_plan__guesses_beyond_the_limit__refused_before_the_result_is_told",
        "who stores guesses at a cluster of his own reads from plans whether they are the password of the other side",
    ),
    OuterRule(
        "a_renamed_cluster_has_the_guesses_that_it_had",
        "backend.clusters.password_comparisons",
        'f"{account.cluster_id}/{account.role}"',
        'f"{account.cluster.name}/{account.role}"',
        f"{ON_MOVES}::test_guesses__cluster_renamed_meanwhile__counted_as_before",
        "a stolen token renames the cluster after each thirty guesses",
    ),
    OuterRule(
        "names_of_one_file_have_the_guesses_of_one_secret",
        "backend.clusters.password_comparisons",
        "secret_of(account.reference) if",
        "account.reference if",
        f"{ON_MOVES}::test_guesses__one_file_under_two_names__counted_together",
        "a secret has thirty guesses an hour more for each link that leads to it",
    ),
    OuterRule(
        "a_node_at_another_address_is_sent_no_stored_password",
        "backend.registration.nodes",
        "    compared = check_passwords(change, cluster, passwords)\n",
        "    compared = None\n",
        f"{ON_MOVES}::test_node__added_without_the_stored_passwords__refused_before_a_connection",
        "an administrator adds a host of his own as a node and is sent the passwords of production",
    ),
    OuterRule(
        "a_node_that_moves_is_sent_no_stored_password",
        "backend.registration.nodes",
        "        compared = check_passwords(change, node.cluster, passwords)\n",
        "",
        f"{ON_MOVES}::test_node__moved_without_the_stored_passwords__refused_before_a_connection",
        "an administrator moves a node to a host of his own and is sent the passwords of production",
    ),
    OuterRule(
        "another_authority_is_sent_no_stored_password",
        "backend.registration.clusters",
        "            compared = check_passwords(change, cluster, passwords)\n",
        "            pass\n",
        f"{ON_MOVES}::test_tls__changed_without_the_stored_passwords__refused_before_a_connection",
        "a host with a certificate of an administrator's own authority is handed over passwords",
    ),
    OuterRule(
        "a_registration_that_leads_elsewhere_forgets_its_passwords",
        "backend.registration.guide.drafts",
        "    leads_elsewhere = _leads_elsewhere(before, after)",
        "    leads_elsewhere = False",
        "tests.api.test_registration_owner::test_passwords__stored_and_the_draft_leads_elsewhere_then__forgotten",
        "whoever holds a session names a host of his own in a registration and is sent its passwords",
    ),
    OuterRule(
        "a_generated_password_stays_with_the_clusters_that_it_was_made_for",
        "backend.registration.guide.drafts",
        "        _end_sharing(draft)\n",
        "",
        f"{ON_GUIDE}::test_generated__other_cluster_leads_elsewhere_since__not_sent_to_it",
        "whoever holds a session names a host of his own as the second cluster and is sent the passwords of the first",
    ),
    OuterRule(
        "a_password_that_was_entered_is_given_to_no_other_cluster",
        "backend.registration.guide.accounts",
        "(one == side or side_of(row, one).may_share)",
        "(True)",
        f"{ON_GUIDE}::test_entered__asked_for_at_the_other_cluster__generated_there",
        "who takes a registration over has passwords of a store sent to a host of his own",
    ),
    OuterRule(
        "who_takes_a_registration_over_gets_no_stored_password",
        "backend.registration.guide.takeover",
        "        row.credentials.filter(role__in=ROLES, reference=None).delete()\n",
        "",
        "tests.api.test_registration_owner::test_takeover__stored_passwords__forgotten",
        "an administrator takes over a registration, names a host of his own and is sent its passwords",
    ),
    OuterRule(
        "a_password_given_again_is_compared",
        "backend.registration.repeated_passwords",
        "    if wrong:",
        "    if False:",
        f"{ON_MOVES}::test_change__with_another_password__refused_before_a_connection_and_recorded",
        "any text counts as the stored password",
    ),
    OuterRule(
        "a_password_that_was_not_given_does_not_follow_a_change",
        "backend.registration.repeated_passwords",
        "        if replaced:",
        "        if False:",
        f"{ON_MOVES}::test_change__password_replaced_while_it_is_tried__not_stored",
        "a slow server of one's own is added with the old passwords and sent the new one",
    ),
    OuterRule(
        "a_trial_of_another_authority_takes_no_newer_password",
        "backend.registration.clusters",
        "tls=tls, newest=None)",
        "tls=tls)",
        f"{ON_MOVES}::test_change__server_refuses_the_login_of_the_trial__sent_no_newer_password",
        "a host under one's own authority refuses the old password and is sent the new one at once",
    ),
    OuterRule(
        "a_reference_stays_in_its_environment",
        "backend.clusters.secret_stores.bound",
        "    if environment is not None and",
        "    if False and",
        f"{ON_MOVES}::test_reference__of_another_environment__refused",
        "who may change test clusters is sent passwords of production",
    ),
    OuterRule(
        "calls_at_the_same_time_do_not_pass_the_limit_together",
        "backend.clusters.password_comparisons",
        '    _check(facts["counted"], _record(action, actor, facts, reason))',
        "    _record(action, actor, facts, reason)",
        f"{ON_CALLS}::test_comparison__others_recorded_at_the_same_moment__the_limit_counts_them",
        "many calls at once try as many passwords",
    ),
    OuterRule(
        "aliases_are_counted_as_what_they_stand_for",
        f"{DECLARATION}.yaml_text",
        "        if size > MAX_VALUES:",
        "        if False:",
        "tests.backend.declaration.test_document::"
        "test_yaml__aliases_that_stand_for_too_much__refused_before_they_are_written_out",
        "a request of a hundred lines keeps a web process busy for ever",
    ),
    OuterRule(
        "a_file_holds_no_private_key",
        f"{DECLARATION}.schema",
        "        if not isinstance(data, str) or not is_reference(data):\n"
        '            raise serializers.ValidationError(f"A private key',
        '        if not isinstance(data, str):\n            raise serializers.ValidationError(f"A private key',
        "tests.backend.declaration.test_document::test_file__private_key_in_plain_text__refused_and_not_repeated",
        "a private key is kept under version control, and a fault prints it",
    ),
    OuterRule(
        "a_declared_key_belongs_to_its_certificate",
        f"{DECLARATION}.document",
        '            self._check(path, check_tls, {"ca": "", **tls})',
        "            pass",
        "tests.backend.declaration.test_document::test_file__key_of_another_certificate__refused_at_its_place",
        "the differences before it are made, and the file ends in its middle",
    ),
    OuterRule(
        "a_declaration_changes_only_links_that_the_caller_may_change",
        f"{DECLARATION}.requested",
        "    _check_may_change_links(privileges, compared.found)\n",
        "",
        "tests.api.test_declarations::test_apply__new_link_by_a_token_for_clusters__refused_before_anything_is_made",
        "a token for clusters registers links, and switches the approval rule of one on",
    ),
    OuterRule(
        "a_certificate_that_is_not_declared_stays",
        f"{DECLARATION}.execution",
        "        if cluster.client is None:\n            return tls",
        '        if cluster.client is None:\n            return {**tls, "cert": ""}',
        "tests.backend.declaration.test_apply_command::"
        "test_apply__client_certificate__sealed_renewed_moved_to_a_store_and_never_printed",
        "a file that names no certificate removes the one that accounts require",
    ),
    OuterRule(
        "the_client_reads_only_what_the_file_names",
        "deploy.client.hawser",
        '    return any(not one["end"].strip() or has_open_brace(text[: one.start()]) for one in found)',
        "    return True",
        "tests.api.test_client_apply::test_values__not_named_by_the_file__never_read",
        "a hostile console reads files and variables of a laptop",
    ),
)

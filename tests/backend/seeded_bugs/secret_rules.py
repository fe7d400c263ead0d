"""Rules of passwords by reference, and of their rotation."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

STORES, ON_REFERENCES = "backend.clusters.secret_stores", "tests.backend.secret_stores.test_references"
ON_API, ON_ROTATION = "tests.api.test_password_references", "tests.backend.test_rotation"

SECRET_RULES = (
    OuterRule(
        "a_reference_names_files_of_allowed_folders",
        f"{STORES}.bound",
        "    if not parts:\n        raise ReferenceRefusedError(refusal)",
        "    if not parts:\n        return",
        f"{ON_REFERENCES}::test_file__link_that_leads_out__not_read",
        "an administrator of the console sends any file of its host to a server",
    ),
    OuterRule(
        "a_file_has_one_reference",
        f"{STORES}.registry",
        "        check_spelling(name)\n",
        "        pass\n",
        f"{ON_REFERENCES}::test_file__spelt_otherwise__refused_with_the_one_spelling",
        "two clusters have one secret, and whoever looks for its name in the audit log finds one of them",
    ),
    OuterRule(
        "a_reference_names_no_key_of_the_console",
        f"{STORES}.files",
        "        if path in _own_files() or _real(path) in {_real(own) for own in _own_files()}:",
        "        if False:",
        f"{ON_REFERENCES}::test_file__of_the_consoles_own_keys__refused",
        "the key that seals all passwords leaves the console as a password",
    ),
    OuterRule(
        "a_reference_names_no_setting_of_the_console",
        f"{STORES}.environment",
        'if name.upper().startswith("HAWSER_"):',
        "if False:",
        f"{ON_REFERENCES}::test_variable__listed__read_and_others_refused",
        "a key of the console leaves it as a password",
    ),
    OuterRule(
        "an_account_that_changes_is_for_the_monitor_only",
        "backend.clusters.references",
        "role is not CredentialRole.MONITOR",
        "False",
        f"{ON_API}::test_register__account_that_changes__for_the_monitor_only",
        "a successor takes the open session of a dead worker for ended, and its statement runs beside the next one",
    ),
    OuterRule(
        "a_plan_is_refused_while_a_store_does_not_answer",
        "backend.operations.runs.planning.planner",
        "*reference_findings(sides)",
        "*()",
        f"{ON_API}::test_plan__store_does_not_answer__unknown_and_refused",
        "a run stops in its middle, because the password that it needs cannot be read",
    ),
    OuterRule(
        "an_account_is_not_stored_while_a_run_rotates_it",
        "backend.registration.credentials",
        "    if row.rotation_run and",
        "    if False and",
        f"{ON_ROTATION}::test_account__stored_again_during_a_rotation__refused",
        "a run exchanges the password that an administrator has just stored",
    ),
    OuterRule(
        "no_account_gets_an_empty_password",
        "backend.operations.runs.execution.passwords",
        "for name, password in known.items() if password}",
        "for name, password in known.items()}",
        f"{ON_ROTATION}::test_secrets__old_password_is_gone__no_mark_is_filled_with_an_empty_one",
        "anyone logs in to the operator account",
    ),
    OuterRule(
        "the_old_password_is_kept_until_the_new_one_is_used",
        "backend.clusters.rotation",
        "rotation_run=run_id, is_rotated=True)",
        "rotation_run=run_id)",
        f"{ON_ROTATION}::test_end__before_the_new_one_is_used__nothing_is_forgotten",
        "the console forgets a password that a server may already require",
    ),
    OuterRule(
        "a_key_is_sent_to_no_server_as_a_password",
        "backend.clusters.secret_stores.cache",
        "if is_pem(secret.password):",
        "if False:",
        "tests.api.test_client_certificate::test_password__by_reference_to_a_key__refused",
        "the private key of the console is sent to a server as a password",
    ),
    OuterRule(
        "a_client_key_is_deleted_with_its_cluster",
        "backend.registration.retirement",
        'cluster.tls_key_sealed, cluster.tls_key_reference, cluster.tls_cert = "", None, ""',
        "pass",
        "tests.api.test_client_certificate::test_key__resealed_and_deleted_with_its_cluster",
        "the private key of a retired cluster stays stored",
    ),
    OuterRule(
        "a_plan_waits_for_the_store_of_the_client_key",
        "backend.clusters.references",
        'problem = cache.problem_of(cluster.tls_key_reference, is_key=True) if cluster.tls_key_reference else ""',
        'problem = ""',
        "tests.api.test_client_certificate::test_key__by_reference__read_when_needed_and_a_password_is_none",
        "a run begins that cannot connect again",
    ),
)

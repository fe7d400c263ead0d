"""V1 Architecture."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_applicable

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V1.1.1",
        "secure development life cycle",
        "Each change goes through the steps of CONTRIBUTING: design against the threat model, tests that fail "
        "without the rule, review, every check in one command.",
        "CONTRIBUTING.md#security-of-a-change",
        "tests/deploy/test_stages.py::test_ci__runs__make_test",
    ),
    met(
        "V1.1.2",
        "threat modelling of each change",
        "A change that opens a way in adds its row to the threat model, which a test compares with the tests that"
        " it names.",
        "CONTRIBUTING.md#security-of-a-change",
        "tests/backend/test_security_page.py::test_row__whatever_it_claims__is_filled_and_names_a_test",
    ),
    met(
        "V1.1.3",
        "security limits stated for each feature",
        "Each route states by method which permission it needs, and a route without that turns a test red.",
        "tests/api/test_roles.py::test_url_map__every_route__states_what_its_methods_need",
    ),
    met(
        "V1.1.4",
        "trust boundaries, components, data flows documented",
        "The security page has the trust boundaries and what crosses each, the architecture page the components.",
        "docs/explanation/security.md#trust-boundaries",
        "tests/deploy/test_architecture_page.py",
    ),
    met(
        "V1.1.5",
        "analysis of architecture and remote services",
        "Every holder of something, remote servers included, has a row with what he can and cannot do.",
        "tests/backend/test_security_page.py::test_holders__all_of_them__have_a_row_each",
    ),
    met(
        "V1.1.6",
        "central controls, used everywhere",
        "One permission class, one writer of the audit log, one place for sealed secrets, and one way to managed "
        "servers; the layers are a contract.",
        "tests/api/test_roles.py::test_url_map__every_route__states_what_its_methods_need",
        "tests/backend/common/test_problem_catalogue.py::test_codes__of_the_source__are_those_of_the_catalogue",
    ),
    met(
        "V1.1.7",
        "checklist for developers and testers",
        "CONTRIBUTING has the checklist and recipes that say which test turns red.",
        "CONTRIBUTING.md#security-of-a-change",
    ),
    met(
        "V1.2.1",
        "operating system accounts with few privileges",
        "Web, worker and monitor have an account each, without shell, capabilities or write access.",
        "tests/deploy/test_least_secrets.py::test_units__each_has_an_account_of_its_own_that_is_made",
        "tests/deploy/test_compose.py::test_service__rights__are_the_least",
    ),
    met(
        "V1.2.2",
        "authenticated connections between components, least privileges",
        "Database and Redis ask each process for a password, under accounts with the privileges that are needed.",
        "tests/backend/test_database_grants.py::test_grants__each_table__the_record_can_be_added_to_and_read_alone",
        "tests/backend/execution/test_broker_acl.py::test_user__anything_but_the_queue__refused",
        "tests/deploy/test_least_secrets.py::test_compose_service__secrets__are_those_that_the_process_needs",
    ),
    met(
        "V1.2.3",
        "one vetted authentication mechanism",
        "Password, directory, provider and passkey end in one function that begins the session; apps, passkeys and "
        "providers make it strong. Failures are recorded, counted in a metric and slowed.",
        "tests/api/test_session.py::test_sign_in__right_password__me_and_new_session_id",
        "tests/backend/single_sign_on/test_oidc.py::test_sign_in__of_a_group_with_a_role__session_with_that_role",
        "tests/backend/single_sign_on/test_ldap.py::test_sign_in__right_password__session_with_the_role_of_the_group",
        "tests/api/test_second_factors.py::test_sign_in__with_an_app__password_alone_opens_nothing",
        "tests/api/test_metrics.py::test_access__failed_sign_in_and_break_glass__counted_from_the_audit_log",
    ),
    met(
        "V1.2.4",
        "equal strength of every way in",
        "Sessions of every way in need the second factor that the role needs, and a recent proof. A token of such a "
        "role is made in a session with a factor, and is accepted from its ranges of addresses alone. It ends, and "
        "cannot make tokens or change factors.",
        "tests/api/test_step_up.py::test_required_factor__token_of_that_role__needs_ranges_of_addresses",
        "tests/api/test_step_up.py::test_required_factor__session_without_one__can_only_add_one",
        "tests/backend/single_sign_on/test_factors.py"
        "::test_sign_in__password_of_the_provider_alone__adds_no_other_factor",
        "tests/backend/two_persons/test_shell.py::test_approve__right_password_of_a_user_with_an_app__needs_its_code",
    ),
    met(
        "V1.4.1",
        "access decided on the server",
        "The API decides each call, and workers ask again; the pages only hide what would be refused.",
        "tests/api/test_matrix.py::test_cell__route_verb_caller__is_what_the_role_table_says",
        "tests/api/test_access.py::test_worker__asks_for_the_role_on_the_link_of_the_run",
    ),
    met(
        "V1.4.4",
        "one mechanism of access control",
        "Every view inherits the permission class, one function computes the privileges, and the matrix tries "
        "every caller, call and object.",
        "tests/api/test_matrix.py::test_cell__route_verb_caller__is_what_the_role_table_says",
        "tests/api/test_access_matrix.py::test_matrix__every_caller_call_and_object__as_declared",
    ),
    met(
        "V1.4.5",
        "privileges by feature and object, not by role name",
        "Views ask for a permission on the link or cluster; roles are sets of permissions and are assigned for scopes.",
        "tests/api/test_access_matrix.py::test_matrix__every_caller_call_and_object__as_declared",
        "tests/api/test_access.py::test_link__of_an_operator_of_it__lists_what_the_caller_may_do",
        "tests/api/test_preferences.py::test_roles__for_every_user__the_table_that_calls_are_checked_against",
    ),
    met(
        "V1.5.1",
        "rules of input and output by type and content",
        "The OpenAPI schema describes every field and answer, and generated calls are compared with it.",
        "tests/api/test_service.py::test_schema__served__is_openapi_3_1_and_the_committed_file",
        "tests/api/test_fuzz.py::test_api__generated_calls__never_fail_and_answer_as_described",
    ),
    met(
        "V1.5.2",
        "no serialised objects from clients",
        "Clients send JSON only; the queue takes JSON only and drops anything else.",
        "tests/api/test_problems.py::test_problem__form_body__415",
        "tests/backend/execution/test_foreign_messages.py"
        "::test_worker__garbage_and_foreign_messages__dropped_and_the_next_proper_one_is_carried_out",
    ),
    met(
        "V1.5.3",
        "input validated on the server",
        "Serializers refuse unknown, missing and wrong fields before a service is called.",
        "tests/api/test_problems.py::test_problem__unknown_field__400_names_it_and_the_known_ones",
    ),
    met(
        "V1.5.4",
        "output encoded where it is interpreted",
        "React encodes for HTML, the dialects quote for SQL, the exports for CSV and Markdown.",
        "tests/core/dialects/test_mariadb_statements.py"
        "::test_statements__any_name_a_server_takes__quoted_in_every_one_and_one_statement",
        "tests/api/test_audit.py::test_audit__export_csv__runs_no_formula",
        "tests/api/test_reports.py::test_report_of_run__markup_of_a_value__is_text",
    ),
    met(
        "V1.6.1",
        "policy of keys and their life cycle",
        "A table has each key with its purpose, after which time it is replaced, and how it is destroyed; a test holds "
        "that none is missing.",
        "docs/how-to/rotate-keys.md#how-long-is-each-key-used",
        "tests/backend/config/test_key_policy.py::test_policy__every_secret_of_the_settings__has_its_times",
        "tests/backend/common/test_security.py::test_seal__key_rotated__old_opens_until_resealed",
    ),
    met(
        "V1.6.2",
        "secrets kept in a vault or behind an interface",
        "Keys of the console and passwords of managed servers can be references into a vault, read by its interface. "
        "Without a vault systemd hands them over, sealed by the host's security module if you turn that on.",
        "tests/backend/config/test_own_secrets.py::test_key__by_reference__is_what_the_vault_holds_and_never_shown",
        "tests/backend/config/test_own_secrets.py::test_key__where_users_may_name_references__refused",
        "tests/backend/secret_stores/test_references.py::test_vault__approle__field_read_and_other_paths_refused",
        "tests/deploy/test_units.py::test_unit__secrets__come_as_credentials",
    ),
    met(
        "V1.6.3",
        "every key and password can be replaced",
        "Keys are lists, the first one seals, a command seals everything again, and a plan replaces the "
        "passwords of managed servers.",
        "tests/backend/test_commands.py::test_hawser_reseal__key_rotated__old_key_can_go",
        "tests/backend/test_commands.py::test_hawser_reseal__every_sealed_field__is_listed",
        "tests/backend/test_rotation.py::test_reseal__during_a_rotation__both_passwords_stay_readable",
        "tests/galera/test_rotate_passwords.py::test_rotate__under_load__every_node_has_the_new_passwords_only",
    ),
    met(
        "V1.6.4",
        "secrets of clients are not trusted",
        "The page holds no secret: its script cannot read the session cookie, and of a passkey the console has the "
        "public key alone.",
        "tests/api/test_session.py::test_sign_in__right_password__me_and_new_session_id",
        "tests/api/test_push.py::test_browser__added__shown_to_its_user_without_its_address",
        "tests/api/test_second_factors.py::test_passkey__stored__its_public_key_alone",
    ),
    met(
        "V1.7.1",
        "one log format",
        "Every process writes one JSON line for each event through one configuration.",
        "tests/backend/common/test_request_log.py"
        "::test_request_log__with_a_token__names_caller_address_and_what_was_asked",
        "tests/backend/execution/test_log_context.py::test_deliver__log_context_in_a_header__taken_away",
    ),
    met(
        "V1.7.2",
        "logs sent securely to another system",
        "The audit log goes to syslog over TLS with verification, or to a file that is shipped, and its head is "
        "signed.",
        "tests/backend/audit_forwarding/test_receivers.py"
        "::test_records__sent_by_syslog__arrive_whole_in_order_with_the_signed_head",
        "tests/backend/audit_forwarding/test_receivers.py::test_tls__certificate_of_another_ca__nothing_is_sent",
    ),
    met(
        "V1.8.1",
        "sensitive data classified",
        "The table of data on the security page gives each kind a level.",
        "docs/explanation/security.md#what-data-is-there",
        "tests/backend/asvs/test_data_page.py::test_data__table_of_the_page__has_every_application_with_tables",
    ),
    met(
        "V1.8.2",
        "requirements for each protection level",
        "The same table says of each kind how it is protected and how long it is kept.",
        "docs/explanation/security.md#what-data-is-there",
        "tests/backend/asvs/test_data_page.py::test_data__table_of_the_page__has_every_application_with_tables",
    ),
    met(
        "V1.9.1",
        "encryption between components",
        "Proxy and web, database, Redis, syslog, managed servers, webhooks and mail: over TLS. web listens with TLS "
        "alone, on loopback too.",
        "tests/deploy/test_proxy.py::test_web__called_in_clear_text_or_with_a_weak_cipher__not_reached",
        "tests/deploy/test_compose.py::test_own_service__in_clear_text__not_reached",
        "tests/backend/config/test_production_settings.py"
        "::test_process__what_others_could_read_or_forge__does_not_start",
    ),
    met(
        "V1.9.2",
        "authenticity of both sides of a connection",
        "web, database, Redis and receivers are verified by their CA and name. The proxy proves itself to web by a "
        "secret, and the console to the others by its login.",
        "tests/deploy/test_proxy.py::test_web__certificate_of_another_authority__gets_nothing_from_the_proxy",
        "tests/deploy/test_proxy.py::test_audit_log__forged_headers_at_the_port_of_web__has_the_address_of_the_peer",
        "tests/backend/config/test_own_connections.py::test_database__not_verified__no_login_is_sent",
        "tests/backend/config/test_own_connections.py::test_redis__not_verified__refused",
    ),
    met(
        "V1.10.1",
        "source control with traceable changes",
        "Git names author and reason of each change, and the procedure asks for an issue and a review.",
        "CONTRIBUTING.md#security-of-a-change",
    ),
    met(
        "V1.11.1",
        "components documented by function",
        "The architecture page has every package, process and table with its purpose.",
        "tests/deploy/test_architecture_page.py",
        "tests/backend/test_architecture_page.py",
    ),
    met(
        "V1.11.2",
        "no unsynchronised shared state in important flows",
        "Runs have a lease and an epoch in every write, sign-ins and audit records are serialised by the database.",
        "tests/backend/execution/test_store.py::test_stale_epoch__every_write__raises_and_changes_nothing",
        "tests/backend/test_audit.py::test_record__many_writers__one_gapless_chain",
        "tests/api/test_session.py::test_sign_in__parallel_guesses__no_more_than_the_limit_are_looked_at",
    ),
    not_applicable(
        "V1.12.2",
        "uploaded files are served as downloads",
        "No file is uploaded; the declaration in YAML is read by the command line client or a command and sent as"
        " JSON.",
        "tests/api/test_problems.py::test_problem__form_body__415",
    ),
    met(
        "V1.14.1",
        "components of unequal trust are separated",
        "Proxy, web, worker, monitor, database and Redis are processes of their own, on networks that reach what "
        "they need.",
        "tests/deploy/test_compose.py::test_inner_network__nothing_on_it__reaches_the_world",
        "tests/deploy/test_helm_chart.py::test_network_policies__of_all_values__let_nobody_in_but_named_peers_to_web",
    ),
    met(
        "V1.14.2",
        "signatures and verified ways for deployed binaries",
        "The checksums of a release are signed, and none is made without; images of others can be named by digest.",
        "tests/deploy/test_release_signature.py::test_signature__of_the_key_and_these_checksums__is_right_and_no_other",
        "tests/deploy/test_release_signature.py::test_page__what_it_says_to_verify_by__does_so",
        "tests/deploy/test_release_signature.py::test_release__without_a_key__is_not_made",
        "tests/deploy/test_release_contents.py::test_checksums__of_every_other_file__are_right",
        "tests/deploy/test_release_contents.py::test_release__made_again_under_another_mask__has_the_same_bytes",
    ),
    met(
        "V1.14.3",
        "the build warns of outdated components",
        "The whole test run asks the registries for advisories on the locked packages, and base images past their end "
        "are refused.",
        "tests/deploy/test_advisories.py::test_audit__report__counts_as",
        "tests/deploy/test_compose.py::test_bases__of_ended_lines__are_gone",
    ),
    met(
        "V1.14.4",
        "the build makes and checks the deployment",
        "One command lints compose file, units and chart, and starts them as they will be started.",
        "tests/deploy/test_compose.py::test_compose_file__against_the_specification__valid",
        "tests/deploy/test_units.py::test_units__verified_by_systemd__have_no_fault",
        "tests/deploy/test_helm_chart.py::test_rendered__by_helm_again__is_the_same",
        "tests/containers/test_production.py",
    ),
    met(
        "V1.14.5",
        "deployments are sandboxed",
        "Containers are read-only without capabilities and bounded; units have a system call filter and no devices.",
        "tests/deploy/test_compose.py::test_service__rights__are_the_least",
        "tests/deploy/test_units.py::test_unit__judged_by_systemd__is_exposed_little",
        "tests/deploy/test_helm_chart.py::test_pod__rights__are_none_too_many",
    ),
    met(
        "V1.14.6",
        "no outdated browser technologies",
        "The pages are HTML, CSS and modules of JavaScript; the policy allows neither objects nor plug-ins.",
        "tests/api/test_service.py::test_headers__every_answer__carries_the_policy",
    ),
)

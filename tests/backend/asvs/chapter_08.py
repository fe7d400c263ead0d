"""V8 Data protection."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V8.1.1",
        "no sensitive data in caches of the server",
        "Answers say no-store, and the proxy samples do not cache.",
        "tests/api/test_problems.py::test_api__answers__are_not_cached",
    ),
    met(
        "V8.1.2",
        "temporary copies are protected",
        "What a process keeps of answers is for those who may read them, and goes with the process.",
        "tests/api/test_response_cache.py::test_read__kept__still_only_for_those_who_may",
        "tests/api/test_idempotency.py::test_key__answer_with_a_secret__is_never_kept",
    ),
    met(
        "V8.1.3",
        "few parameters in requests",
        "Unknown ones are refused; the page sends a cookie and one header.",
        "tests/api/test_problems.py::test_problem__unknown_field__400_names_it_and_the_known_ones",
    ),
    met(
        "V8.1.4",
        "unusual numbers of requests are noticed",
        "Calls beyond the rate of a user or address are refused and recorded, a metric counts the records, and an"
        " alert rule watches it.",
        "tests/api/test_call_rate.py::test_calls__many_refused__one_record_with_their_number",
        "tests/deploy/test_alert_rules.py::test_rules__each__fires_and_is_silent_next_to_it",
        "tests/api/test_metrics.py::test_requests__of_a_route_and_of_no_route__counted_by_route_not_by_path",
    ),
    met(
        "V8.2.1",
        "no caching in browsers",
        "no-store on each answer of the API and on the page.",
        "tests/api/test_problems.py::test_api__answers__are_not_cached",
        "tests/api/test_service.py::test_page__any_other_address__index_with_a_fresh_nonce",
    ),
    met(
        "V8.2.2",
        "no sensitive data in browser storage",
        "Only choices of display, the address asked for around a sign-in and the time of a reload are stored there.",
        "tests/backend/asvs/test_source.py::test_source__browser_storage__only_through_the_module_of_preferences",
        "tests/ui/guide.spec.ts",
    ),
    met(
        "V8.2.3",
        "data is cleared when the session ends",
        "The page forgets its data at sign-out, and no answer is kept in a cache.",
        "tests/ui/account.spec.ts",
        "tests/api/test_problems.py::test_api__answers__are_not_cached",
    ),
    met(
        "V8.3.1",
        "sensitive data in body or header, not in the query",
        "Secrets are fields of bodies; a token in the query is not taken.",
        "tests/api/test_tokens_users.py::test_token__in_query_or_cookie__is_not_taken",
        "tests/api/test_answer_headers.py::test_schema__secrets__are_fields_of_bodies_alone",
    ),
    met(
        "V8.3.2",
        "users can export or remove their data",
        "Settings, sessions, tokens and browsers are read and removed by their user, and the audit log is "
        "exported by actor. Its records stay, as their purpose demands.",
        "docs/explanation/security.md#what-data-is-there",
        "tests/api/test_push.py::test_browser__removed__gone_and_recorded",
        "tests/api/test_audit.py::test_audit__filters_and_pages__newest_first",
    ),
    met(
        "V8.3.3",
        "clear words on personal data, and consent",
        "After the first sign-in a page says what is kept of a person, for how long and why; nothing else opens until "
        "the user agrees, and the agreement can be withdrawn.",
        "docs/explanation/security.md#what-data-is-there",
        "tests/api/test_first_steps.py::test_notice__not_agreed_to__nothing_else_until_then_and_after_it_is_withdrawn",
        "tests/ui/first-steps.spec.ts",
    ),
    met(
        "V8.3.4",
        "sensitive data is identified, with a policy",
        "The table of data on the security page.",
        "docs/explanation/security.md#what-data-is-there",
        "tests/backend/asvs/test_data_page.py::test_data__table_of_the_page__has_every_application_with_tables",
    ),
    met(
        "V8.3.5",
        "access to sensitive data is recorded",
        "Exports of rows and of the log are audit records; every read is a line of the request log with user, "
        "address and what was read.",
        "tests/api/test_orphans.py::test_export__jsonl__each_transaction_and_recorded",
        "tests/api/test_audit.py::test_audit__verify_and_export_often__one_record_a_minute_each",
        "tests/backend/common/test_request_log.py"
        "::test_request_log__with_a_token__names_caller_address_and_what_was_asked",
    ),
    met(
        "V8.3.6",
        "secrets are overwritten in memory",
        "Units, compose file and chart let the allocator overwrite whatever Python frees, at once. Passwords are "
        "opened for one connection and not kept, and no process writes a core dump.",
        "tests/deploy/test_freed_memory.py"
        "::test_password__let_go__is_left_in_memory_without_the_settings_and_not_with_them",
        "tests/deploy/test_freed_memory.py::test_process__of_units_compose_and_chart__has_the_settings",
        "tests/backend/common/test_secrets_canary.py::test_canary__opened_for_the_gateway__does_not_show_in_a_repr",
        "tests/deploy/test_units.py::test_unit__hardening__stands_there_once",
    ),
    met(
        "V8.3.7",
        "approved encryption with integrity",
        "Fernet: AES-128-CBC with HMAC-SHA-256, bound to its row.",
        "tests/backend/common/test_security.py::test_seal__opened_for_its_row_only",
        "tests/backend/common/test_security.py::test_seal__rows_swapped_in_the_database__are_refused",
    ),
    met(
        "V8.3.8",
        "old personal data is deleted",
        "Sessions are deleted 90 days after their end, tokens after 400; so is what is kept of users who were "
        "disabled for 400 days, but for the name. Events, deliveries and messages end by age. The audit log is kept "
        "as long as the console, because its chain proves it.",
        "tests/api/test_first_steps.py"
        "::test_retention__what_ended_long_ago_and_users_disabled_since__deleted_but_for_the_name",
        "docs/reference/limits.md#retention",
        "tests/backend/test_limits_page.py::test_limits__every_row_that_names_a_constant__is_compared",
    ),
)

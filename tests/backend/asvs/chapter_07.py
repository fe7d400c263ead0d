"""V7 Errors and logging."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V7.1.1",
        "no credentials in logs",
        "One filter masks them, and a canary is looked for everywhere.",
        "tests/backend/common/test_secrets_canary.py"
        "::test_canary__registered_and_used__appears_in_no_answer_log_row_or_audit",
        "tests/backend/common/test_security.py::test_redact__sql_headers_and_nested_keys__are_masked",
    ),
    met(
        "V7.1.2",
        "no other sensitive data in logs",
        "Rows of applications are taken out of error texts before they are stored or shown.",
        "tests/backend/common/test_row_redaction.py::test_audit__error_with_a_row__kept_without_the_row",
        "tests/backend/common/test_row_redaction.py::test_text__of_a_server__told_without_the_row",
    ),
    met(
        "V7.1.3",
        "security events are logged",
        "Sign-ins and refusals are audit records; every request, the refused ones too, is a line with its status.",
        "tests/backend/accounts/test_refused_access.py::test_api__403__recorded_under_the_user_with_route_and_code",
        "tests/backend/accounts/test_refused_access.py::test_sign_in__throttled_many_times__one_record_with_the_count",
        "tests/backend/common/test_request_log.py::test_request_log__stranger__names_the_address_alone",
    ),
    met(
        "V7.1.4",
        "each event says enough to investigate",
        "Time, actor, address, request id, token or session, what was asked and how it ended.",
        "tests/backend/common/test_request_log.py"
        "::test_request_log__with_a_token__names_caller_address_and_what_was_asked",
        "tests/backend/accounts/test_refused_access.py::test_api__revoked_token__recorded_with_its_id",
    ),
    met(
        "V7.2.1",
        "authentication decisions are logged",
        "Each success and failure, without the password.",
        "tests/api/test_metrics.py::test_access__failed_sign_in_and_break_glass__counted_from_the_audit_log",
        "tests/api/test_tokens_users.py::test_token__events__are_recorded_without_the_secret",
    ),
    met(
        "V7.2.2",
        "access decisions are logged",
        "Every refusal of 401 and 403 with credentials, many of a kind as one record a minute.",
        "tests/backend/accounts/test_refused_access.py::test_api__403__recorded_under_the_user_with_route_and_code",
        "tests/backend/accounts/test_refused_access.py::test_api__csrf_missing__recorded_under_the_user_or_anonymous",
    ),
    met(
        "V7.3.1",
        "no log injection",
        "Lines are JSON, and fields that a sender names are replaced.",
        "tests/backend/execution/test_log_context.py::test_deliver__log_context_in_a_header__taken_away",
        "tests/api/test_problems.py::test_request_id__well_formed_is_kept_and_ill_formed_replaced",
    ),
    met(
        "V7.3.3",
        "security logs are protected",
        "Records are chained with a key, triggers refuse changes, and the head is kept outside.",
        "tests/backend/test_audit.py::test_database__update_or_delete__is_refused_by_itself",
        "tests/backend/test_audit_heads.py"
        "::test_verify__rewritten_by_a_holder_of_the_key__the_head_outside_names_the_record",
    ),
    met(
        "V7.3.4",
        "one time and zone",
        "All times are UTC; leases use the clock of the database.",
        "tests/backend/config/test_production_settings.py::test_logs__times__are_utc",
    ),
    met(
        "V7.4.1",
        "a plain message with an id for unexpected errors",
        "A problem without a trace and with the request's id.",
        "tests/backend/common/test_problems.py::test_database__refuses_what_was_asked__500",
    ),
    met(
        "V7.4.2",
        "exceptions are handled everywhere",
        "Every problem has a code with text and remedy; generated calls find no other answer.",
        "tests/backend/common/test_problem_catalogue.py::test_codes__of_the_source__are_those_of_the_catalogue",
        "tests/api/test_fuzz.py::test_api__generated_calls__never_fail_and_answer_as_described",
    ),
    met(
        "V7.4.3",
        "a last handler catches the rest",
        "The exception handler of the API makes a problem of anything.",
        "tests/backend/common/test_problems.py::test_database__refuses_what_was_asked__500",
    ),
)

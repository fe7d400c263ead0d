"""V13 API."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_applicable

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V13.1.1",
        "equal parsers everywhere",
        "Proxy and console agree on an address however it is spelt.",
        "tests/deploy/test_proxy.py::test_metrics__asked_by_the_world__denied_however_they_are_spelt",
    ),
    met(
        "V13.1.3",
        "no secrets in addresses",
        "Addresses hold ids; a token in the query is not taken.",
        "tests/api/test_tokens_users.py::test_token__in_query_or_cookie__is_not_taken",
        "tests/api/test_answer_headers.py::test_schema__secrets__are_fields_of_bodies_alone",
    ),
    met(
        "V13.1.4",
        "decisions by address and by object",
        "The view states the permission, and the object is looked up among those that the caller may see.",
        "tests/api/test_access_matrix.py::test_matrix__every_caller_call_and_object__as_declared",
        "tests/api/test_matrix.py::test_cell__route_verb_caller__is_what_the_role_table_says",
    ),
    met(
        "V13.1.5",
        "wrong content types are refused",
        "415 and 406.",
        "tests/api/test_problems.py::test_problem__form_body__415",
        "tests/api/test_problems.py::test_problem__accept_html__406",
    ),
    met(
        "V13.2.1",
        "only methods that fit the role",
        "Each method states its permission; others are 405.",
        "tests/api/test_matrix.py::test_cell__route_verb_caller__is_what_the_role_table_says",
        "tests/api/test_problems.py::test_problem__unknown_method__405",
    ),
    met(
        "V13.2.2",
        "JSON is validated by a schema",
        "Before a service is called.",
        "tests/api/test_problems.py::test_problem__missing_fields__400_names_each",
        "tests/api/test_fuzz.py::test_api__generated_calls__never_fail_and_answer_as_described",
    ),
    met(
        "V13.2.3",
        "cookies are protected from cross-site requests",
        "The header with the token, and SameSite.",
        "tests/api/test_session.py::test_unsafe_call__session_without_csrf__403",
    ),
    met(
        "V13.2.5",
        "the content type of requests is checked",
        "Only JSON is taken.",
        "tests/api/test_problems.py::test_problem__form_body__415",
    ),
    met(
        "V13.2.6",
        "messages are protected in transit",
        "TLS to the proxy, and HMAC on webhooks.",
        "tests/api/test_client.py::test_console__token_would_leave_unencrypted__refused_before_anything_is_sent",
        "tests/backend/hooks/test_run_hooks.py::test_secret__resealed_with_a_new_key__still_signs",
    ),
    not_applicable(
        "V13.3.1",
        "XSD validation",
        "There is no SOAP.",
        "tests/api/test_service.py::test_schema__served__is_openapi_3_1_and_the_committed_file",
    ),
    not_applicable(
        "V13.3.2",
        "WS-Security",
        "There is no SOAP.",
        "tests/api/test_service.py::test_schema__served__is_openapi_3_1_and_the_committed_file",
    ),
    not_applicable(
        "V13.4.1",
        "bounds of GraphQL queries",
        "There is no GraphQL.",
        "tests/api/test_service.py::test_schema__served__is_openapi_3_1_and_the_committed_file",
    ),
    not_applicable(
        "V13.4.2",
        "authorisation below GraphQL",
        "There is no GraphQL.",
        "tests/api/test_service.py::test_schema__served__is_openapi_3_1_and_the_committed_file",
    ),
)

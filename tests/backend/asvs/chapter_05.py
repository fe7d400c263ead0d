"""V5 Validation and encoding."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_applicable

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V5.1.1",
        "HTTP parameter pollution",
        "A query parameter given twice or unknown is refused, and so is a name twice in a body.",
        "tests/api/test_problems.py::test_problem__unknown_or_repeated_query__400",
        "tests/api/test_limits.py::test_body__name_twice_in_one_object__refused_by_name",
    ),
    met(
        "V5.1.2",
        "mass assignment",
        "Serializers take the fields they name; others are refused.",
        "tests/api/test_problems.py::test_problem__unknown_field__400_names_it_and_the_known_ones",
    ),
    met(
        "V5.1.3",
        "positive validation of all input",
        "Types, lengths, patterns and choices are stated for each field, and generated calls try them.",
        "tests/api/test_fuzz.py::test_api__generated_calls__never_fail_and_answer_as_described",
    ),
    met(
        "V5.1.4",
        "structured data is typed and validated by a schema",
        "The same for declarations in YAML, with every fault named by its place.",
        "tests/api/test_declarations.py::test_document__with_faults__one_problem_with_every_place",
        "tests/api/test_fuzz.py::test_api__generated_calls__never_fail_and_answer_as_described",
    ),
    met(
        "V5.1.5",
        "redirects only to allowed addresses",
        "The server redirects nowhere; after the sign-in only a path of the console is followed.",
        "tests/ui/failures.spec.ts",
        "tests/api/test_client.py::test_send__redirected_elsewhere__the_token_does_not_follow",
    ),
    not_applicable(
        "V5.2.1",
        "HTML from editors is sanitised",
        "No input is HTML; React shows every text as text.",
        "tests/api/test_reports.py::test_report_of_run__markup_of_a_value__is_text",
    ),
    met(
        "V5.2.2",
        "unstructured text is bounded",
        "Comments and names have lengths and may hold no control characters.",
        "tests/api/test_tokens_users.py::test_token__label_too_long_or_role_too_high__400",
        "tests/api/test_fuzz.py::test_api__generated_calls__never_fail_and_answer_as_described",
    ),
    met(
        "V5.2.3",
        "no injection into mail",
        "Addresses are checked one by one, and the library builds the message.",
        "tests/api/test_destinations.py::test_settings__wrong__400_names_the_field",
        "tests/backend/hooks/messages/test_mail.py::test_mail__event__one_mail_to_all_recipients",
    ),
    met(
        "V5.2.4",
        "no eval",
        "Neither Python nor pages run built code; linters refuse it and the policy forbids it.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.2.5",
        "no template injection",
        "The one template is a file of the build; no text of a user becomes a template.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.2.6",
        "no requests to forbidden addresses",
        "Each address is judged when it is stored and at each connection, with the address that was judged.",
        "tests/backend/hooks/test_http_client.py::test_post__name_leads_to_a_refused_address_by_now__is_not_called",
        "tests/gateway/test_addresses.py::test_session__name_leads_elsewhere_by_now__no_login_is_sent",
        "tests/backend/common/test_security.py::test_address__never_a_server__is_refused_even_in_the_demo",
    ),
    not_applicable(
        "V5.2.7",
        "no scripts in SVG of users",
        "Users supply no SVG, and pictures come from the console alone.",
        "tests/api/test_service.py::test_headers__every_answer__carries_the_policy",
    ),
    not_applicable(
        "V5.2.8",
        "no scripts in Markdown, CSS or the like of users",
        "Users supply none; reports escape markup.",
        "tests/api/test_reports.py::test_report_of_run__markup_of_a_value__is_text",
    ),
    met(
        "V5.3.1",
        "output encoding by context",
        "HTML by React, SQL by the dialects, CSV and Markdown by the exports, shell lines by quoting.",
        "tests/core/dialects/test_mariadb_statements.py"
        "::test_statements__any_name_a_server_takes__quoted_in_every_one_and_one_statement",
        "tests/api/test_audit.py::test_audit__export_csv__runs_no_formula",
        "tests/backend/test_documents.py::test_report__statement_with_a_name_of_backticks__stays_within_its_fence",
    ),
    met(
        "V5.3.2",
        "any Unicode character is handled",
        "The database takes every character, and statements keep them.",
        "tests/backend/config/test_database_encoding.py::test_own_database__made_with_every_character__has_no_fault",
        "tests/core/dialects/test_mariadb_statements.py"
        "::test_statements__any_name_a_server_takes__quoted_in_every_one_and_one_statement",
    ),
    met(
        "V5.3.3",
        "escaping against cross-site scripting",
        "React escapes, nothing is set as HTML, and the policy runs scripts with a fresh nonce alone.",
        "tests/api/test_service.py::test_page__any_other_address__index_with_a_fresh_nonce",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.3.4",
        "parameterised queries",
        "Django's models ask the console's database; values travel as parameters to managed servers.",
        "tests/core/dialects/test_mariadb_statements.py::test_event_queries__window__bounded_and_quoted",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.3.5",
        "encoding where parameters are not possible",
        "Statements of replication are built from names of checked form, quoted by one module.",
        "tests/core/dialects/test_mariadb_statements.py::test_change_source__part_of_wrong_shape__refused",
        "tests/core/dialects/test_mariadb_statements.py::test_secret_literal__quotes_and_backslashes__doubled",
        "tests/backend/test_statement_parts.py::test_registration__host_that_no_statement_carries__refused_by_name",
    ),
    met(
        "V5.3.6",
        "no JSON injection",
        "JSON is written and read by the libraries, with bounds.",
        "tests/api/test_limits.py::test_body__too_many_items__refused_quickly",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.3.7",
        "no LDAP injection",
        "Names are escaped by the library before they become a filter; tried against OpenLDAP.",
        "tests/backend/single_sign_on/test_ldap.py::test_sign_in__wrong_or_injected__401",
        "tests/backend/single_sign_on/test_ldap.py::test_sign_in__filter_in_the_name__finds_no_user",
    ),
    met(
        "V5.3.8",
        "no OS command injection",
        "Programs are started as lists without a shell, and none with a text of a caller.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.3.9",
        "no file inclusion",
        "No call reads a file that a caller names.",
        "tests/api/test_declarations.py::test_references__that_this_host_could_resolve__never_read",
    ),
    not_applicable(
        "V5.3.10",
        "no XPath or XML injection",
        "The console reads and writes no XML.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.4.1",
        "memory-safe strings and copies",
        "The console is Python and TypeScript without native code of its own.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.4.2",
        "constant format strings",
        "No text of a caller is used as a format.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.4.3",
        "no integer overflows",
        "Numbers have ranges, positions those that a server can take.",
        "tests/core/dialects/test_mariadb_statements.py"
        "::test_fill_position__offset_that_a_replica_cannot_ask_for__refused",
        "tests/backend/config/test_settings_at_start.py::test_read__value_outside_its_range__named_with_the_remedy",
    ),
    met(
        "V5.5.1",
        "serialised objects are protected",
        "What is stored for a run has a MAC; no object is serialised for clients.",
        "tests/backend/two_persons/test_authorization.py::test_claim__stored_plan_altered_with_its_digest__refused",
        "tests/backend/backup/test_archive.py::test_archive__manifest_changed_under_its_mac__is_refused",
    ),
    not_applicable(
        "V5.5.2",
        "XML parsers are restricted",
        "No XML is parsed.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V5.5.3",
        "no deserialisation of untrusted data",
        "JSON and the safe reader of YAML, with bounds on size and depth.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
        "tests/backend/execution/test_foreign_messages.py"
        "::test_worker__garbage_and_foreign_messages__dropped_and_the_next_proper_one_is_carried_out",
        "tests/api/test_limits.py::test_body__too_many_items__refused_quickly",
    ),
    met(
        "V5.5.4",
        "browsers parse JSON with JSON.parse",
        "Through fetch and JSON.parse; eval is refused by the policy.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
        "tests/api/test_service.py::test_headers__every_answer__carries_the_policy",
    ),
)

"""V14 Configuration."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_applicable

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V14.1.1",
        "repeatable build and deployment",
        "One command makes the release, with the same bytes from any clone.",
        "tests/deploy/test_release_contents.py::test_release__made_again_under_another_mask__has_the_same_bytes",
        "tests/deploy/test_stages.py::test_ci__runs__make_test",
    ),
    not_applicable(
        "V14.1.2",
        "compiler flags",
        "The console has no native code of its own; packages come built.",
        "tests/deploy/test_dockerfile.py::test_console_stage__compiler__is_left_behind",
    ),
    met(
        "V14.1.3",
        "hardened servers and frameworks",
        "Units, containers and settings of Django by its own check.",
        "tests/deploy/test_units.py::test_unit__judged_by_systemd__is_exposed_little",
        "tests/backend/config/test_settings_at_start.py::test_start__with_wrong_settings__refused_with_every_name",
    ),
    met(
        "V14.1.4",
        "redeployment and restore in time",
        "Release, install and restore are commands that are tried.",
        "tests/deploy/test_release_install.py::test_archive__unpacked__runs_without_node_and_without_the_repository",
        "tests/backend/backup/test_restore.py"
        "::test_restore__under_another_account__has_every_row_and_ends_what_acts_by_itself",
    ),
    met(
        "V14.2.1",
        "components are up to date",
        "The whole test run asks the registries for advisories on the locked packages.",
        "tests/deploy/test_advisories.py::test_audit__report__counts_as",
    ),
    met(
        "V14.2.2",
        "nothing unneeded is there",
        "Lab, tests and tools are not in the release, and the lab is closed outside the demo.",
        "tests/deploy/test_release_contents.py::test_archive__tests_tools_and_caches__are_not_in_it",
        "tests/api/test_service.py::test_lab__not_a_demo__404_for_whoever_may_and_403_for_others",
    ),
    not_applicable(
        "V14.2.3",
        "integrity of external assets",
        "There are none: everything comes from the console.",
        "tests/api/test_service.py::test_docs__page__loads_from_this_server_only_and_has_no_inline_code",
        "tests/api/test_service.py::test_headers__every_answer__carries_the_policy",
    ),
    met(
        "V14.2.4",
        "components from trusted sources",
        "From the package registries, locked with hashes.",
        "tests/deploy/test_release_bills.py::test_python_bill__packages_and_hashes__are_those_of_the_lock",
    ),
    met(
        "V14.2.5",
        "bill of materials",
        "One for Python and one for the pages, in CycloneDX.",
        "tests/deploy/test_release_bills.py::test_bill__by_the_schema_of_cyclonedx__is_valid_and_of_1_5_or_newer",
    ),
    met(
        "V14.2.6",
        "libraries are encapsulated",
        "One package speaks to servers, one to receivers, by contracts of imports; the library of messages opens "
        "no connection.",
        "tests/backend/hooks/messages/test_formats.py::test_compose__every_service__apprise_itself_opens_no_connection",
        "tests/backend/hooks/messages/test_formats.py::test_web_and_monitor__started__do_not_import_apprise",
    ),
    met(
        "V14.3.2",
        "no debug mode in production",
        "Django's debug pages are never on.",
        "tests/api/test_service.py::test_headers__every_answer__carries_the_policy",
        "tests/api/test_service.py::test_page__any_other_address__index_with_a_fresh_nonce",
    ),
    met(
        "V14.3.3",
        "no versions in answers",
        "No Server header of the web process, and the proxies tell no version.",
        "tests/deploy/test_proxy.py::test_server__header__names_no_product_or_version",
    ),
    met(
        "V14.4.1",
        "a content type with charset",
        "Every answer has one, and texts say UTF-8.",
        "tests/api/test_answer_headers.py::test_api__each_answer__is_a_download_with_a_fixed_name_and_a_charset",
    ),
    met(
        "V14.4.2",
        "API answers as attachments",
        '`attachment; filename="api.json"`, or the name of the file.',
        "tests/api/test_answer_headers.py::test_api__each_answer__is_a_download_with_a_fixed_name_and_a_charset",
    ),
    met(
        "V14.4.3",
        "content security policy",
        "Own sources and a nonce, nothing inline.",
        "tests/api/test_service.py::test_headers__every_answer__carries_the_policy",
        "tests/api/test_service.py::test_page__any_other_address__index_with_a_fresh_nonce",
    ),
    met(
        "V14.4.4",
        "no sniffing",
        "On every answer, those of the proxy too.",
        "tests/api/test_service.py::test_headers__every_answer__carries_the_policy",
        "tests/deploy/test_proxy.py::test_proxy__its_own_answers__carry_the_transport_headers",
    ),
    met(
        "V14.4.5",
        "strict transport security with subdomains",
        "A year, with subdomains, on every answer, those of the proxy too.",
        "tests/deploy/test_proxy.py::test_proxy__its_own_answers__carry_the_transport_headers",
        "tests/backend/config/test_production_settings.py::test_transport__of_production__a_year_with_subdomains",
    ),
    met(
        "V14.4.6",
        "referrer policy",
        "same-origin.",
        "tests/api/test_answer_headers.py::test_headers__every_answer__denies_sensors_of_the_browser",
    ),
    met(
        "V14.4.7",
        "no embedding elsewhere",
        "frame-ancestors and X-Frame-Options.",
        "tests/api/test_service.py::test_headers__every_answer__carries_the_policy",
    ),
    met(
        "V14.5.1",
        "only used methods, others logged",
        "405, and a line with the status in the log.",
        "tests/api/test_problems.py::test_problem__unknown_method__405",
        "tests/api/test_answer_headers.py::test_request_log__method_that_is_not_there__is_a_line",
    ),
    met(
        "V14.5.2",
        "Origin is not used for access",
        "The header is only compared for CSRF, besides the token.",
        "tests/api/test_session.py::test_sign_in__missing_or_forged_csrf__403_with_remedy",
        "tests/api/test_answer_headers.py::test_origin__of_the_console__opens_nothing_by_itself",
    ),
    met(
        "V14.5.3",
        "strict CORS",
        "No header of CORS is sent: no other site may read.",
        "tests/api/test_answer_headers.py::test_origin__of_elsewhere__no_header_lets_it_read",
    ),
    met(
        "V14.5.4",
        "headers of proxies are authenticated",
        "No header signs a user in. What a proxy states of the client counts with its secret alone, and web does not "
        "start behind a proxy without one.",
        "tests/deploy/test_proxy.py::test_audit_log__sign_in_through_the_proxy__has_the_address_that_the_proxy_saw",
        "tests/deploy/test_proxy.py::test_audit_log__forged_headers_at_the_port_of_web__has_the_address_of_the_peer",
        "tests/backend/common/test_source_ip.py::test_forwarded_headers__of_who_cannot_prove_to_be_the_proxy__dropped",
        "tests/backend/config/test_production_settings.py"
        "::test_process__what_others_could_read_or_forge__does_not_start",
    ),
)

"""V10 Malicious code."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_applicable

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V10.2.1",
        "nothing phones home",
        "The console connects to what was registered and to its settings alone, and the pages to the console alone.",
        "tests/api/test_service.py::test_docs__page__loads_from_this_server_only_and_has_no_inline_code",
        "tests/backend/hooks/messages/test_formats.py::test_compose__every_service__apprise_itself_opens_no_connection",
    ),
    met(
        "V10.2.2",
        "no needless permissions of the browser",
        "The page asks for notifications when a user turns them on, and the header refuses everything else.",
        "tests/api/test_answer_headers.py::test_headers__every_answer__denies_sensors_of_the_browser",
    ),
    not_applicable(
        "V10.3.1",
        "signed updates",
        "The console does not update itself.",
        "tests/deploy/test_release_install.py::test_archive__unpacked__runs_without_node_and_without_the_repository",
    ),
    met(
        "V10.3.2",
        "no code from untrusted sources",
        "Packages are locked with hashes, and pages load from the console alone.",
        "tests/deploy/test_release_bills.py::test_python_bill__packages_and_hashes__are_those_of_the_lock",
        "tests/api/test_service.py::test_headers__every_answer__carries_the_policy",
    ),
    met(
        "V10.3.3",
        "no takeover of subdomains",
        "The console uses one name, which its settings list; others are refused, and names of nodes are resolved "
        "and judged at each connection.",
        "tests/api/test_answer_headers.py::test_host__not_of_the_settings__400",
        "tests/gateway/test_addresses.py::test_session__name_leads_elsewhere_by_now__no_login_is_sent",
    ),
)

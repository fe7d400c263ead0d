"""V12 Files."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_applicable

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V12.1.1",
        "no large files",
        "A body is at most 1 MiB and half a minute, before the sign-in too.",
        "tests/api/test_web_process.py::test_body__200_mib_chunked__413_and_nothing_of_it_is_kept",
        "tests/api/test_web_process.py::test_body__half_sent__408_within_its_time",
    ),
    met(
        "V12.1.2",
        "compressed files are checked",
        "A compressed body is not unpacked and so no JSON; archives of a backup are read at the shell, part by "
        "part, as their manifest says.",
        "tests/api/test_answer_headers.py::test_body__compressed__not_unpacked",
        "tests/backend/backup/test_archive.py::test_archive__member_that_the_manifest_does_not_name__is_refused",
    ),
    not_applicable(
        "V12.1.3",
        "quota of files by user",
        "No user can store a file.",
        "tests/api/test_problems.py::test_problem__form_body__415",
    ),
    not_applicable(
        "V12.2.1",
        "type of files by content",
        "No user can store a file; a pasted result or declaration is parsed by its schema.",
        "tests/api/test_declarations.py::test_document__with_faults__one_problem_with_every_place",
    ),
    met(
        "V12.3.1",
        "names of files are not used for paths",
        "No call takes the name of a file; names of downloads are the console's own.",
        "tests/api/test_answer_headers.py::test_static__dot_files_and_folders__not_served",
        "tests/api/test_declarations.py::test_references__that_this_host_could_resolve__never_read",
    ),
    met(
        "V12.3.2",
        "no reading or writing of local files by name",
        "References to files of the host are never read for a request.",
        "tests/api/test_declarations.py::test_references__that_this_host_could_resolve__never_read",
    ),
    met(
        "V12.3.3",
        "no requests by file names",
        "Addresses are fields of their own and judged.",
        "tests/backend/hooks/test_own_parts.py::test_webhook__to_a_part_of_the_console__refused_when_it_is_added",
    ),
    met(
        "V12.3.4",
        "no reflected file download",
        "Downloads have fixed names and types, and every answer of the API says that it is a file `api.json`.",
        "tests/api/test_answer_headers.py::test_api__each_answer__is_a_download_with_a_fixed_name_and_a_charset",
    ),
    met(
        "V12.3.5",
        "no OS commands with file data",
        "No program is started with a text of a caller.",
        "tests/backend/asvs/test_source.py::test_source__dynamic_code_and_unsafe_parsers__are_nowhere",
    ),
    met(
        "V12.3.6",
        "no code from elsewhere",
        "Packages are locked with hashes, pages come from the console.",
        "tests/deploy/test_release_bills.py::test_python_bill__packages_and_hashes__are_those_of_the_lock",
        "tests/deploy/test_release_bills.py::test_pages_bill__packages__are_all_of_the_lock_that_are_no_tools",
    ),
    not_applicable(
        "V12.4.1",
        "untrusted files lie outside the web root",
        "None is stored.",
        "tests/api/test_problems.py::test_problem__form_body__415",
    ),
    not_applicable(
        "V12.4.2",
        "untrusted files are scanned",
        "None is stored or served.",
        "tests/api/test_problems.py::test_problem__form_body__415",
    ),
    met(
        "V12.5.1",
        "only wanted files are served",
        "The files of the build, and no other.",
        "tests/api/test_answer_headers.py::test_static__dot_files_and_folders__not_served",
        "tests/deploy/test_release_contents.py::test_archive__tests_tools_and_caches__are_not_in_it",
    ),
    not_applicable(
        "V12.5.2",
        "uploaded files never run as pages",
        "None is stored or served.",
        "tests/api/test_problems.py::test_problem__form_body__415",
    ),
    met(
        "V12.6.1",
        "an allow list of what the server may reach",
        "Networks of nodes and receivers are settings, the check at the start names an empty one, and the units "
        "and chart can limit the network besides.",
        "tests/backend/config/test_production_settings.py::test_check__networks_without_a_list__named",
        "tests/backend/common/test_security.py"
        "::test_address__private__is_one_of_a_database_and_of_a_receiver_only_where_listed",
    ),
)

"""The page of problem codes against the source: no code without an entry, no entry without a code."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping

from rest_framework import exceptions

from backend.common.code_pages import PROBLEMS
from backend.common.rest.problems import _CODES, body_of, translate
from tests.support.codes_in_source import CodeCall, code_calls, codes_of_source, computed_codes, keyword
from tests.support.reference_page import broken_layout, entries, unanswered

CALLS = {"ProblemError": 1, "conflict": 0, "forbidden": 0, "invalid": -1, "CallerLimit": 0}
"""Functions that make a problem, and the position of its code; -1: by keyword only."""
IMPLIED: Mapping[str, tuple[str, int]] = {"not_found": ("not_found", 404), "invalid": ("validation_failed", 400)}
"""Code and status where a call does not state them."""
STATUS: Mapping[str, int] = {"conflict": 409, "forbidden": 403, "invalid": 400, "CallerLimit": 429}
COMPUTED: Mapping[tuple[str, str], frozenset[str]] = {
    ("backend/adviser/concurrency/calibration/services.py", "reason.code"): frozenset(
        {
            "calibration_grants_missing",
            "calibration_link_not_protected",
            "calibration_no_probe_schema",
            "calibration_node_unfit",
            "calibration_run_unfinished",
            "calibration_standby",
        }
    ),
    ("backend/common/errors.py", "code"): frozenset(),  # the functions above, whose calls are read themselves
    ("backend/common/rest/limits.py", "self._code"): frozenset(),  # likewise
    ("backend/common/rest/problems.py", "_CODES.get(name, unlisted)"): frozenset(
        {*_CODES.values(), "bad_request", "internal_error"}
    ),
}
FRAMEWORK: Mapping[str, int] = {
    error.default_code: error.status_code
    for error in (exceptions.APIException, *exceptions.APIException.__subclasses__())
    if isinstance(error.default_code, str)
}


def test_codes__of_the_source__are_those_of_the_catalogue() -> None:
    raised = codes_of_source(CALLS, COMPUTED) | {code for code, _ in IMPLIED.values()}
    assert raised == set(PROBLEMS)


def test_codes__computed__stand_in_the_table_and_nowhere_else() -> None:
    assert computed_codes(CALLS) == set(COMPUTED)


def test_statuses__of_the_source__are_those_of_the_catalogue() -> None:
    seen: dict[str, set[int]] = defaultdict(set)
    for call in code_calls(CALLS):
        if (status := _status(call)) is not None:
            for code in [call.literal] if call.literal is not None else COMPUTED[call.computed]:
                seen[code].add(status)
    for code, status in IMPLIED.values():
        seen[code].add(status)
    for name, code in _CODES.items():
        seen[code].add(FRAMEWORK[name])
    stated = {
        code: set(map(int, entry.one_of("HTTP status "))) for entry in entries("problems.md") for code in entry.codes
    }
    assert stated == seen


def _status(call: CodeCall) -> int | None:
    given = call.call.args[0] if call.function == "ProblemError" else keyword(call.call, "status")
    if isinstance(given, ast.Constant):
        return int(str(given.value))
    return STATUS.get(call.function)


def test_entries__every_heading__is_read_with_every_text() -> None:
    assert list(PROBLEMS) == [code for entry in entries("problems.md") for code in entry.codes]
    assert broken_layout("problems.md") == unanswered("problems.md") == []


def test_title__of_a_framework_error__is_the_catalogue_s() -> None:
    body = body_of(translate(exceptions.NotAuthenticated()))
    assert (body["code"], body["title"]) == ("not_authenticated", "Sign-in required")


def test_title__of_an_error_of_the_framework_without_a_code_of_ours__is_no_http_phrase() -> None:
    class TeapotError(exceptions.APIException):
        status_code = 418
        default_code = "teapot"

    body = body_of(translate(TeapotError()))
    assert (body["code"], body["title"], body["status"]) == ("bad_request", "Request not acceptable", 418)

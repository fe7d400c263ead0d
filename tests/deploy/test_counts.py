from __future__ import annotations

import json

import pytest

from deploy.testrun.counts import Counts, from_junit, from_playwright, last_line

JUNIT = """<testsuites><testsuite>
<testcase classname="a" name="good" time="0.5"/>
<testcase classname="a" name="bad" time="2"><failure message="assert 1 == 2&#10; here&#10;  more"/></testcase>
<testcase classname="a" name="broken" time="1"><error/></testcase>
<testcase classname="a" name="idle" time="0"><skipped/></testcase>
</testsuite></testsuites>"""


def _spec(title: str, status: str) -> dict[str, object]:
    error = {"message": "\x1b[2mlate\x1b[22m\n\n  Locator: run", "location": {"line": 44}}
    errors = [error] if status == "flaky" else []
    return {"title": title, "tests": [{"status": status, "results": [{"duration": 1500, "errors": errors}]}]}


def test_junit_report__mixed_outcomes__each_counted_once() -> None:
    counts = from_junit(JUNIT)
    assert (counts.passed, counts.failed, counts.skipped) == (1, 2, 1)
    assert counts.failures == ("a::bad: assert 1 == 2 … more", "a::broken")
    assert counts.slow[0] == (2.0, "a::bad")


def test_playwright_report__flaky_test__counts_as_failed() -> None:
    inner = {"title": "links", "specs": [_spec("opens", "expected"), _spec("wobbles", "flaky")]}
    report = {"errors": [], "suites": [{"title": "file", "specs": [], "suites": [inner]}]}
    counts = from_playwright(json.dumps(report))
    assert (counts.passed, counts.failed) == (1, 1)
    assert counts.failures == ("file > links > wobbles: line 44: late Locator: run",)


def test_playwright_report__error_outside_a_test__counts_as_failed() -> None:
    assert from_playwright(json.dumps({"errors": [{"message": "x"}], "suites": []})).failed == 1


@pytest.mark.parametrize(
    ("total", "line"),
    [
        (Counts(passed=3), "3 passed, 0 failed"),
        (Counts(passed=3, failed=1, skipped=2), "3 passed, 1 failed, 2 skipped"),
    ],
)
def test_last_line__totals__said_in_one_line(total: Counts, line: str) -> None:
    assert last_line(total) == line

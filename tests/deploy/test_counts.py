from __future__ import annotations

import pytest

from deploy.testrun.counts import Counts, from_junit, last_line

JUNIT = """<testsuites><testsuite>
<testcase classname="a" name="good" time="0.5"/>
<testcase classname="a" name="bad" time="2"><failure message="assert 1 == 2&#10; here&#10;  more"/></testcase>
<testcase classname="a" name="broken" time="1"><error/></testcase>
<testcase classname="a" name="idle" time="0"><skipped/></testcase>
</testsuite></testsuites>"""


def test_junit_report__mixed_outcomes__each_counted_once() -> None:
    counts = from_junit(JUNIT)
    assert (counts.passed, counts.failed, counts.skipped) == (1, 2, 1)
    assert counts.failures == ("a::bad: assert 1 == 2 … more", "a::broken")
    assert counts.slow[0] == (2.0, "a::bad")


def test_junit_report__of_playwright__place_and_what_was_wrong() -> None:
    text = "  [ui] › links.spec.ts:44:3 › opens ───\n\n    Error: expect(locator).toBeVisible() failed\n\n    Timeout"
    failed = f'<failure message="links.spec.ts:44:3 opens">{text}</failure>'
    report = f'<testsuites><testcase classname="links" name="opens">{failed}</testcase></testsuites>'
    (failure,) = from_junit(report).failures
    assert failure == "links::opens: links.spec.ts:44:3 opens … Error: expect(locator).toBeVisible() failed"


@pytest.mark.parametrize(
    ("total", "line"),
    [
        (Counts(passed=3), "3 passed, 0 failed"),
        (Counts(passed=3, failed=1, skipped=2), "3 passed, 1 failed, 2 skipped"),
    ],
)
def test_last_line__totals__said_in_one_line(total: Counts, line: str) -> None:
    assert last_line(total) == line

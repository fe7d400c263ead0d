"""Whether a test itself passed, for fixtures that end differently where it did not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

PASSED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Kept at the test; a conftest takes this hook by importing it."""
    report = yield
    if report.when == "call":
        item.stash[PASSED] = report.passed
    return report

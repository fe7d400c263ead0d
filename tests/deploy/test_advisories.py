"""What the audits of the locked packages count as, by what pip-audit and npm write with and without their services."""

from __future__ import annotations

import sys

import pytest

from deploy.testrun.counts import Counts
from deploy.testrun.static_checks import audit

PASSED, FAILED, SKIPPED = Counts(passed=1), Counts(failed=1, failures=("audit",)), Counts(skipped=1)
PYTHON_CLEAN = '{"dependencies": [{"name": "idna", "version": "3.10", "vulns": []}], "fixes": []}'
PYTHON_FOUND = '{"dependencies": [{"name": "idna", "vulns": [{"id": "PYSEC-2024-60", "fix_versions": ["3.7"]}]}]}'
PYTHON_UNKNOWN = '{"dependencies": [{"name": "idna", "skip_reason": "Dependency not found on PyPI"}], "fixes": []}'
NODE_CLEAN = '{"vulnerabilities": {}}'
NODE_FOUND = '{"vulnerabilities": {"ws": {"severity": "high", "range": "<8.17.1"}}}'
NODE_REFUSED = '{"message": "405 Method Not Allowed", "error": {}}'


@pytest.mark.parametrize(
    ("report", "code", "expected"),
    [
        (PYTHON_CLEAN, 0, PASSED),
        (PYTHON_FOUND, 1, FAILED),
        (PYTHON_UNKNOWN, 0, SKIPPED),
        (PYTHON_UNKNOWN + PYTHON_FOUND, 1, FAILED),
        ("", 1, SKIPPED),
        (NODE_CLEAN, 0, PASSED),
        (NODE_FOUND, 1, FAILED),
        (NODE_REFUSED, 1, SKIPPED),
    ],
)
def test_audit__report__counts_as(report: str, code: int, expected: Counts) -> None:
    assert audit("audit", [sys.executable, "-c", f"print({report!r}); raise SystemExit({code})"]) == expected

"""Advisories on the locked packages: asked of a service by pip-audit and npm, and what stops a release."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from deploy.release import advisories
from deploy.release.advisories import Advisory, Answer, require_none
from deploy.release.errors import ReleaseError
from deploy.testrun.counts import Counts
from deploy.testrun.static_checks import audit
from tests.deploy.advisory_service import NPM_PATH, OSV_PATH, Service, serving

PIP, NPM = "pip-audit", "npm audit"
PASSED, SKIPPED = Counts(passed=1), Counts(skipped=1)
PYTHON_CLEAN = '{"name": "idna", "version": "3.10", "vulns": []}'
PYTHON_FOUND = '{"name": "ws", "version": "3", "vulns": [{"id": "PYSEC-1", "aliases": [], "fix_versions": ["3.7"]}]}'
PYTHON_UNKNOWN = '{"name": "six", "skip_reason": "Dependency not found on PyPI"}'
NODE_CLEAN = '{"vulnerabilities": {}}'
VIA = '["parse", {"url": "https://github.com/advisories/GHSA-1", "range": "<8.17.1"}]'
NODE_FOUND = f'{{"vulnerabilities": {{"ws": {{"severity": "high", "via": {VIA}}}}}}}'
NODE_REFUSED = '{"message": "405 Method Not Allowed", "error": {}}'
LOCKED = Advisory("ws <8.17.1", ("PYSEC-1", "GHSA-1"))


def _python(*packages: str) -> str:
    return f'{{"dependencies": [{", ".join(packages)}], "fixes": []}}'


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Both tools ask it."""
    with serving() as made:
        for name, value in made.env().items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.mark.parametrize(
    ("name", "report", "code", "expected"),
    [
        (PIP, _python(PYTHON_CLEAN), 0, PASSED),
        (PIP, _python(PYTHON_CLEAN, PYTHON_FOUND), 1, Counts(failed=1, failures=(PIP,))),
        (PIP, _python(PYTHON_CLEAN, PYTHON_UNKNOWN), 0, SKIPPED),
        (PIP, _python(PYTHON_UNKNOWN, PYTHON_FOUND), 1, Counts(failed=1, failures=(PIP,))),
        (PIP, _python(), 0, SKIPPED),
        (PIP, "", 1, SKIPPED),
        (PIP, "[]", 0, SKIPPED),
        (NPM, NODE_CLEAN, 0, PASSED),
        (NPM, NODE_FOUND, 1, Counts(failed=1, failures=(NPM,))),
        (NPM, NODE_REFUSED, 1, SKIPPED),
        (NPM, "{}", 0, SKIPPED),
    ],
)
def test_audit__report__counts_as(name: str, report: str, code: int, expected: Counts) -> None:
    assert audit(name, [sys.executable, "-c", f"print({report!r}); raise SystemExit({code})"]) == expected


def test_audit__tool_that_is_not_there__is_no_answer() -> None:
    assert audit(PIP, ["/nonexistent/pip-audit"]) == SKIPPED


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_command__service_knows_of_none__says_so(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    assert advisories.main() == 0
    assert capsys.readouterr().out == "No locked package has an advisory.\n"
    assert set(service.asked) == {OSV_PATH, NPM_PATH}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_command__service_knows_of_some__named_with_their_ids(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    service.vulnerable = {"django", "react"}
    assert advisories.main() == 1
    said = capsys.readouterr().err
    assert said.startswith("2 advisories on locked packages:\n  django ")
    assert "PYSEC-2026-django GHSA-django" in said
    assert "GHSA-react" in said


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_command__service_refuses__says_that_it_is_unknown(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    service.answers = False
    assert advisories.main() == 1
    said = capsys.readouterr().err
    assert said.startswith("It is unknown whether locked packages have advisories, because a service did not answer:")
    assert "pip-audit: no report" in said
    assert "npm audit: 405 Method Not Allowed" in said


def test_release__advisory_that_nobody_accepted__refused() -> None:
    with pytest.raises(ReleaseError, match=r"1 advisories on locked packages:\n  ws <8\.17\.1: PYSEC-1 GHSA-1\n"):
        require_none(Answer((LOCKED,)), {"GHSA-2": "another one"})


def test_release__advisory_accepted_by_one_of_its_names__goes_on() -> None:
    require_none(Answer((LOCKED,)), {"GHSA-1": "Hawser opens no such socket"})


def test_release__advisory_accepted_that_no_package_has__refused() -> None:
    with pytest.raises(ReleaseError, match="--accept GHSA-1: no locked package has this advisory"):
        require_none(Answer(), {"GHSA-1": "of the release before"})


def test_release__part_of_the_answer_missing__refused_whatever_is_accepted() -> None:
    with pytest.raises(ReleaseError, match=r"It is unknown .*\n  pip-audit: six: not found\n"):
        require_none(Answer((LOCKED,), ("pip-audit: six: not found",)), {"GHSA-1": "accepted"})

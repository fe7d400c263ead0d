"""Reports of both audit programs, as they write them with and without the network."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from deploy.services.process import ROOT
from deploy.testrun.advisories import CLEAN, NOT_ASKED, VULNERABLE, audit

PYTHON_CLEAN = {"dependencies": [{"name": "idna", "version": "3.10", "vulns": []}], "fixes": []}
PYTHON_SKIPPED = {"dependencies": [{"name": "idna", "skip_reason": "not found and could not be audited"}], "fixes": []}
PYTHON_FOUND = {
    "dependencies": [{"name": "idna", "version": "3.4", "vulns": [{"id": "PYSEC-2024-60", "fix_versions": ["3.7"]}]}]
}
NODE_CLEAN = {"vulnerabilities": {}}
NODE_FOUND = {"vulnerabilities": {"ws": {"severity": "high", "range": "<8.17.1"}}}
NODE_REFUSED = {"message": "405 Method Not Allowed", "error": {}}


def _audit(python: object, node: object) -> int:
    def ask(command: Sequence[str]) -> str:
        report = node if command[0] == "npm" else python
        return report if isinstance(report, str) else json.dumps(report)

    return audit(ask)


def test_audit__nothing_known__clean() -> None:
    assert _audit(PYTHON_CLEAN, NODE_CLEAN) == CLEAN


def test_audit__advisory_of_either__named(capsys: pytest.CaptureFixture[str]) -> None:
    assert _audit(PYTHON_FOUND, NODE_CLEAN) == _audit(PYTHON_CLEAN, NODE_FOUND) == VULNERABLE
    printed = capsys.readouterr().out
    assert "idna 3.4: PYSEC-2024-60, fixed in: 3.7" in printed
    assert "ws <8.17.1: high" in printed


@pytest.mark.parametrize("python", [PYTHON_SKIPPED, "", "Connection refused", {"dependencies": []}, {}])
def test_audit__python_packages_without_an_answer__never_clean(
    python: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _audit(python, NODE_CLEAN) == NOT_ASKED
    assert "Python: not audited, this needs the network" in capsys.readouterr().out


@pytest.mark.parametrize("node", [NODE_REFUSED, "", {}])
def test_audit__node_packages_without_an_answer__never_clean(node: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert _audit(PYTHON_CLEAN, node) == NOT_ASKED
    assert "Node: not audited, this needs the network" in capsys.readouterr().out


def test_make__audit__is_a_target_of_its_own() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "audit-dependencies: bootstrap ##" in makefile
    assert "advisories" not in (ROOT / "deploy/testrun/stages.py").read_text()

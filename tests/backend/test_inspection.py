"""What looking a node over says of its settings, without a server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.findings import Finding, Severity
from backend.gateway import inspection
from tests.monitoring.facts import up


def found(value: str | None) -> list[Finding]:
    """Findings about wsrep_restart_slave of a node that has it so; None: not told (another server)."""
    node = up("b1")
    given = {} if value is None else {"wsrep_restart_slave": value}
    findings = inspection._settings(replace(node, variables=node.variables | given))
    return [finding for finding in findings if finding.code == "setting_wsrep_restart_slave"]


def test_inspect__restarts_its_channel_unproven__warned_with_the_statement() -> None:
    (finding,) = found("ON")
    assert finding.severity is Severity.WARNING
    assert finding.remedy.startswith("Run SET GLOBAL wsrep_restart_slave = OFF; on db-b1")


@pytest.mark.parametrize("value", ["OFF", None])
def test_inspect__waits_for_the_console__nothing_to_say(value: str | None) -> None:
    assert found(value) == []

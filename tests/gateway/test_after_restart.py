"""What a running server tells of its next start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.findings import Severity
from backend.core.topology import NodeFacts, NodeRef, Reach
from backend.gateway.after_restart import ORIGIN_SQL, channels_finding, findings_after_restart, writable_finding
from backend.gateway.polling.parallel import observe_once
from deploy.lab.api import Lab
from tests.gateway.lab import access

NODE = NodeFacts(NodeRef("n_1", "db-a1", "h", 3306, "c"), 0.0, Reach.UP)


@pytest.mark.parametrize(
    ("value", "origin", "code", "severity"),
    [
        ("ON", "CONFIG", "starts_closed", Severity.OK),
        ("OFF", "CONFIG", "starts_writable", Severity.WARNING),
        ("OFF", "COMPILE-TIME", "starts_writable", Severity.WARNING),
        ("ON", "SQL", "start_unknown", Severity.UNKNOWN),
        ("OFF", "SQL", "start_unknown", Severity.UNKNOWN),
        ("", "", "start_unknown", Severity.UNKNOWN),
    ],
)
def test_start__by_the_origin_of_the_value__what_is_not_told_is_not_known(
    value: str, origin: str, code: str, severity: Severity
) -> None:
    found = writable_finding("db-a1", value, origin)
    assert (found.code, found.severity) == (code, severity)
    if severity is not Severity.OK:
        assert "read_only=ON" in found.remedy
        assert "SET GLOBAL read_only=OFF" in found.remedy, "how the active side's own nodes are opened again"


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({"skip_slave_start": "ON"}, "channels_stay_stopped"),
        ({"skip_slave_start": "OFF"}, "starts_channels"),
        ({}, "channel_start_unknown"),
    ],
)
def test_channels__start_by_themselves__said_where_it_is_told(variables: dict[str, str], code: str) -> None:
    found = channels_finding(replace(NODE, variables=variables))
    assert found.code == code
    assert "skip_slave_start=ON" in found.message + found.remedy


@pytest.mark.server
def test_start__real_server__origin_told_until_somebody_sets_the_variable(lab: Lab) -> None:
    there = access(lab, "db-b1")
    value = int(lab.sql("db-b1", "SELECT @@global.read_only AS r")[0]["r"])
    before = str(lab.sql("db-b1", ORIGIN_SQL)[0]["origin"])
    assert before in ("COMPILE-TIME", "CONFIG", "SQL")
    lab.sql("db-b1", f"SET GLOBAL read_only={value}")
    assert str(lab.sql("db-b1", ORIGIN_SQL)[0]["origin"]) == "SQL"
    codes = [finding.code for finding in findings_after_restart(there, observe_once(there))]
    assert codes == ["start_unknown", "channel_start_unknown"]
    silent = replace(there, monitor=replace(there.monitor, port=1))
    found = findings_after_restart(silent, observe_once(there))
    assert "could not be read" in found[0].message

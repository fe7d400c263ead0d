"""Reading a binary log by the dump protocol: encrypted where demanded, bounded, and harmless to real replicas."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.gateway.binlog_dump import read_events
from backend.gateway.connection.endpoint import Tls, TlsMode
from backend.gateway.connection.errors import ConnectError
from deploy.lab.api import Lab
from tests.gateway.lab import ca_pem, endpoint
from tests.gateway.orphan_statements import run
from tests.support.waiting import wait_for

pytestmark = pytest.mark.server


@pytest.mark.parametrize("mode", [TlsMode.REQUIRED, TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY])
def test_dump__tls_demanded__read_over_an_encrypted_login(lab: Lab, mode: TlsMode) -> None:
    run(lab, "db-a1", "ALTER USER hawser_monitor REQUIRE SSL")
    try:
        monitor = endpoint(lab, "db-a1", "monitor", Tls(mode, ca_pem(lab)))
        assert list(read_events("db-a1", monitor, FilePosition("binlog.000001", 4), limit_s=20))
        with pytest.raises(ConnectError):
            list(read_events("db-a1", replace(monitor, tls=Tls()), FilePosition("binlog.000001", 4), limit_s=20))
    finally:
        run(lab, "db-a1", "ALTER USER hawser_monitor REQUIRE NONE")


def test_dump__certificate_of_somebody_else__refused(lab: Lab, tmp_path: Path) -> None:
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "2", "-subj", "/CN=Another authority"),
            *("-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "ca.pem")),
        ],
        check=True,
        capture_output=True,
    )
    monitor = endpoint(lab, "db-a1", "monitor", Tls(TlsMode.VERIFY_CA, (tmp_path / "ca.pem").read_text()))
    with pytest.raises(ConnectError, match="certificate"):
        list(read_events("db-a1", monitor, FilePosition("binlog.000001", 4), limit_s=20))


def test_dump__while_a_channel_runs__its_session_is_not_thrown_out(lab: Lab) -> None:
    run(lab, "db-b1", "START ALL SLAVES")
    dumping = "SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND = 'Binlog Dump'"
    before = wait_for(lambda: lab.sql("db-a1", dumping), "the channel to connect")
    monitor = endpoint(lab, "db-a1", "monitor")
    for _ in range(3):
        assert list(read_events("db-a1", monitor, FilePosition("binlog.000001", 4), limit_s=20))
    assert [row for row in lab.sql("db-a1", dumping) if row in before] == before


def test_dump__longer_than_its_limit__ended_by_name(lab: Lab) -> None:
    monitor = endpoint(lab, "db-a1", "monitor")
    with pytest.raises(NodeError, match="took longer than 0 s"):
        list(read_events("db-a1", monitor, FilePosition("binlog.000001", 4), limit_s=0))

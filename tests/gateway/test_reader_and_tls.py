"""A reader on a real node: bounded, unable to write, and particular about whom it speaks to."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from backend.core.ports import NodeError
from backend.core.topology import Reach
from backend.gateway.connection.endpoint import NodeEndpoint, Tls, TlsMode
from backend.gateway.connection.errors import ConnectError, LostError, NotAllowedError
from backend.gateway.connection.session import Session
from backend.gateway.reader import Deadline, Reader
from deploy.lab.api import Lab
from tests.gateway.lab import access, ca_pem, endpoint

pytestmark = pytest.mark.server


def reader(lab: Lab, role: str = "monitor", tls: Tls | None = None) -> Reader:
    return Reader(access(lab, "db-a1").ref, endpoint(lab, "db-a1", role, tls))


def test_reader__changing_statement__nothing_is_sent(lab: Lab) -> None:
    with pytest.raises(NotAllowedError):
        reader(lab).query("INSERT INTO hawser.probe VALUES (1)")


def test_session__read_only__the_server_itself_refuses_a_write(lab: Lab) -> None:
    session = Session("db-a1", endpoint(lab, "db-a1", "operator"), read_only=True)
    with pytest.raises(NodeError) as refused:
        session.run("CREATE DATABASE hawser")
    assert refused.value.code == 1792


def test_reader__slow_query__ends_at_its_own_limit_and_the_reader_goes_on(lab: Lab) -> None:
    asked = reader(lab)
    with pytest.raises(LostError, match=r"no response within 0\.3 s"):
        asked.query("SELECT SLEEP(60) AS x", timeout_s=0.3)
    assert asked.query("SELECT 1 AS one") == [{"one": 1}]


def test_reader__past_the_deadline__no_page_of_a_log_is_read_and_the_ways_on_are_named(lab: Lab) -> None:
    ref, at = access(lab, "db-a1").ref, endpoint(lab, "db-a1", "monitor")
    in_time = Reader(ref, at, pages_until=Deadline.within(60))
    assert in_time.query_rows("SHOW BINLOG EVENTS LIMIT 1")
    late = Reader(ref, at, pages_until=Deadline.within(-1))
    with pytest.raises(NodeError, match="Let it catch up and plan again, or plan with hawser_breakglass"):
        late.query_rows("SHOW BINLOG EVENTS LIMIT 1")
    assert late.query("SELECT 1 AS one") == [{"one": 1}]


def test_reader__connection_killed__replaced_at_once(lab: Lab) -> None:
    asked = reader(lab)
    (row,) = asked.query("SELECT CONNECTION_ID() AS id")
    lab.sql("db-a1", f"KILL {row['id']}")
    assert asked.query("SELECT 1 AS one") == [{"one": 1}]


def test_reader__statement_with_bytes_of_no_charset__shown_not_fatal(lab: Lab) -> None:
    assert reader(lab).query("SELECT x'ff41' AS raw") == [{"raw": "\\xffA"}]


def test_reader__verify_identity_with_the_right_ca__encrypted(lab: Lab) -> None:
    asked = reader(lab, tls=Tls(TlsMode.VERIFY_IDENTITY, ca_pem(lab)))
    (row,) = asked.query("SHOW SESSION STATUS LIKE 'Ssl_cipher'")
    assert row["Value"]


@pytest.mark.parametrize("mode", [TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY])
def test_reader__wrong_ca__refused(lab: Lab, tmp_path: Path, mode: TlsMode) -> None:
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "2", "-subj", "/CN=Another authority"),
            *("-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "ca.pem")),
        ],
        check=True,
        capture_output=True,
    )
    with pytest.raises(ConnectError, match="TLS refused") as refused:
        reader(lab, tls=Tls(mode, (tmp_path / "ca.pem").read_text())).query("SELECT 1 AS one")
    assert refused.value.reach is Reach.REFUSED


def test_reader__wrong_password__refused_with_the_user_not_the_password(lab: Lab) -> None:
    wrong = endpoint(lab, "db-a1", "monitor", password="canary-secret")
    with pytest.raises(ConnectError, match="credentials refused for user hawser_monitor") as refused:
        Reader(access(lab, "db-a1").ref, wrong).query("SELECT 1 AS one")
    assert "canary-secret" not in f"{refused.value!r} {wrong!r}"


def test_reader__nothing_listens__down(lab: Lab) -> None:
    node = lab.node("db-a1")
    unreachable = NodeEndpoint(node.host, 9, "x", "y")
    with pytest.raises(ConnectError) as down:
        Reader(access(lab, "db-a1").ref, unreachable).query("SELECT 1 AS one")
    assert down.value.reach is Reach.DOWN

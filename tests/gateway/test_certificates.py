"""Certificates on a real server: accounts that need one, servers that show a wrong one or one of a new authority."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from backend.core.positions import FilePosition
from backend.gateway.authorities import verifying_authorities
from backend.gateway.binlog_dump import read_events
from backend.gateway.connection.endpoint import Tls, TlsMode
from backend.gateway.connection.errors import ConnectError
from backend.gateway.connection.session import Session
from deploy.lab.api import Lab
from tests.gateway.lab import access, ca_pem, endpoint
from tests.support.certificates import DAY, Made, authority

pytestmark = pytest.mark.server
NODE = "db-a1"
OTHER = authority("Other CA")


@pytest.fixture
def own(lab: Lab) -> Iterator[Made]:
    """An authority that the node trusts, whose certificate it shows; the lab's own is back afterwards."""
    made = authority("Own CA")
    files = {
        kind: lab.paths.tls / name for kind, name in (("ca", "ca.pem"), ("cert", f"{NODE}.pem"), ("key", f"{NODE}.key"))
    }
    stored = {path: path.read_text() for path in files.values()}
    _show(lab, made.signs(NODE, addresses=(lab.node(NODE).host,)))
    files["ca"].write_text(stored[files["ca"]] + made.cert)
    lab.sql(NODE, "FLUSH SSL")
    yield made
    for path, text in stored.items():
        path.write_text(text)
    lab.sql(NODE, "FLUSH SSL")
    lab.sql(NODE, "ALTER USER hawser_monitor REQUIRE NONE")


def _show(lab: Lab, made: Made) -> None:
    """The node shows this certificate from now on."""
    (lab.paths.tls / f"{NODE}.pem").write_text(made.cert)
    (lab.paths.tls / f"{NODE}.key").write_text(made.key)
    lab.sql(NODE, "FLUSH SSL")


def _opened(lab: Lab, tls: Tls) -> str:
    """The refusal; empty where a session opens."""
    session = Session(NODE, endpoint(lab, NODE, "monitor", tls), read_only=True)
    try:
        session.open()
    except ConnectError as error:
        return error.message
    finally:
        session.close()
    return ""


def test_account__that_requires_a_certificate__logs_in_with_one_of_a_trusted_authority_only(
    lab: Lab, own: Made
) -> None:
    lab.sql(NODE, "ALTER USER hawser_monitor REQUIRE X509")
    plain = Tls(TlsMode.VERIFY_IDENTITY, own.cert)
    mine, strange = own.signs("hawser"), OTHER.signs("hawser")
    shown = replace(plain, cert_pem=mine.cert, key_pem=mine.key)
    assert _opened(lab, shown) == ""
    assert _opened(lab, plain).startswith("credentials refused for user hawser_monitor")
    assert "refused the client certificate" in _opened(lab, replace(plain, cert_pem=strange.cert, key_pem=strange.key))
    assert mine.key not in repr(endpoint(lab, NODE, "monitor", shown))
    monitor = endpoint(lab, NODE, "monitor", shown)
    assert next(iter(read_events(NODE, monitor, FilePosition("binlog.000001", 4), limit_s=20)))


@pytest.mark.parametrize(
    ("names", "ends", "reason"),
    [
        (("127.0.0.99",), 90 * DAY, "the server's certificate is not for 127."),
        ((), -timedelta(hours=1), "the server's certificate has expired"),
    ],
    ids=["wrong_name", "expired"],
)
def test_server__shows_a_wrong_certificate__refused_with_the_reason(
    lab: Lab, own: Made, names: tuple[str, ...], ends: timedelta, reason: str
) -> None:
    _show(lab, own.signs(NODE, addresses=names or (lab.node(NODE).host,), begins=-2 * DAY, ends=ends))
    refusal = _opened(lab, Tls(TlsMode.VERIFY_IDENTITY, own.cert))
    assert refusal.startswith("TLS refused")
    assert reason in refusal
    assert _opened(lab, Tls(TlsMode.REQUIRED)) == ""


def test_authority__replaced_by_another__both_trusted_in_between_and_each_node_told(
    lab: Lab, own: Made, tmp_path: Path
) -> None:
    old = ca_pem(lab).replace(own.cert, "")
    both = Tls(TlsMode.VERIFY_IDENTITY, old + own.cert)
    nodes = [replace(one, monitor=replace(one.monitor, tls=both)) for one in (access(lab, n) for n in (NODE, "db-a2"))]
    for node in nodes:
        session = Session(node.ref.name, node.monitor, read_only=True)
        session.open()
        session.close()
    assert verifying_authorities(nodes, [old, own.cert]) == {NODE: {1}, "db-a2": {0}}
    assert "no trusted authority signed" in _opened(lab, Tls(TlsMode.VERIFY_IDENTITY, old))

"""caching_sha2_password hands over the password: only to a server whose certificate was verified before."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.gateway.binlog_dump import read_events
from backend.gateway.connection.endpoint import NodeEndpoint, Tls, TlsMode
from backend.gateway.connection.session import Session
from deploy.lab.layout import Node
from deploy.lab.server import tls
from tests.gateway.rogue import MYSQL, SECRET, rogue

SHA2 = b"caching_sha2_password"
VERIFYING = [TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY]
_PUBLIC_KEY = b"\x02"
"""What a client sends to get the key with which it would encrypt its password."""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of this machine, one of another machine, and one of this machine by another authority."""
    folder = tmp_path_factory.mktemp("tls")
    own, foreign = (Node(name, "a", 1, host, 1, 1) for name, host in (("own", "127.0.0.1"), ("foreign", "10.9.9.9")))
    tls.ensure(folder, [own, foreign])
    (folder / "other").mkdir()
    tls.ensure(folder / "other", [own])
    return folder


def _context(folder: Path, name: str = "own") -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
    return context


def _session(endpoint: NodeEndpoint) -> None:
    session = Session("rogue", endpoint, read_only=True, read_s=1)
    try:
        session.open()
    finally:
        session.close()


def _dump(endpoint: NodeEndpoint) -> None:
    list(read_events("rogue", endpoint, FilePosition("binlog.000001", 4), limit_s=5, read_s=1))


def _heard(
    log_in: Callable[[NodeEndpoint], None], demand: Tls, context: ssl.SSLContext | None, plugin: bytes = SHA2
) -> tuple[str, list[bytes]]:
    """The error of a login at a rogue, and what the rogue was sent."""
    with rogue(plugin, version=MYSQL, tls=context) as (endpoint, served):
        with pytest.raises(NodeError) as error:
            log_in(replace(endpoint, tls=demand))
        message = error.value.message
    return message, served[0].packets


def _is_kept(packets: list[bytes]) -> bool:
    return SECRET.encode() not in b"".join(packets) and _PUBLIC_KEY not in packets


def _check_kept_where_not_verified(authority: Path, log_in: Callable[[NodeEndpoint], None]) -> None:
    ca, offer = (authority / "ca.pem").read_text(), _context(authority)
    for mode, offered in ((TlsMode.DISABLED, None), (TlsMode.DISABLED, offer), (TlsMode.REQUIRED, offer)):
        message, packets = _heard(log_in, Tls(mode, ca), offered)
        assert _is_kept(packets)
        assert "give the CA certificate of the cluster (tls.ca)" in message


def test_session__server_not_verified__kept_and_the_remedy_named(authority: Path) -> None:
    _check_kept_where_not_verified(authority, _session)


def test_session__tls_demanded_but_neither_verified_nor_offered__kept(authority: Path) -> None:
    _, packets = _heard(_session, Tls(TlsMode.REQUIRED, (authority / "ca.pem").read_text()), None)
    assert _is_kept(packets)


def test_dump__server_not_verified__kept_and_the_remedy_named(authority: Path) -> None:
    _check_kept_where_not_verified(authority, _dump)


@pytest.mark.parametrize("log_in", [_session, _dump])
@pytest.mark.parametrize("mode", VERIFYING)
@pytest.mark.parametrize("folder", ["other", "."])
def test_login__certificate_of_another_authority_or_machine__not_even_a_name_is_sent(
    authority: Path, mode: TlsMode, folder: str, log_in: Callable[[NodeEndpoint], None]
) -> None:
    shown = _context(authority / folder, "own" if folder == "other" else "foreign")
    _, packets = _heard(log_in, Tls(mode, (authority / "ca.pem").read_text()), shown)
    assert _is_kept(packets)
    assert b"user" not in b"".join(packets)


@pytest.mark.parametrize("log_in", [_session, _dump])
@pytest.mark.parametrize("mode", VERIFYING)
def test_login__verification_demanded_and_no_tls_offered__not_even_a_name_is_sent(
    authority: Path, mode: TlsMode, log_in: Callable[[NodeEndpoint], None]
) -> None:
    _, packets = _heard(log_in, Tls(mode, (authority / "ca.pem").read_text()), None)
    assert b"user" not in b"".join(packets)


@pytest.mark.parametrize("log_in", [_session, _dump])
@pytest.mark.parametrize("mode", VERIFYING)
def test_login__no_certificate_of_an_authority_given__kept(
    authority: Path, mode: TlsMode, log_in: Callable[[NodeEndpoint], None]
) -> None:
    _, packets = _heard(log_in, Tls(mode), _context(authority))
    assert _is_kept(packets)


@pytest.mark.parametrize("log_in", [_session, _dump])
def test_login__verified_server_asks_for_another_plugin__kept(
    authority: Path, log_in: Callable[[NodeEndpoint], None]
) -> None:
    demand = Tls(TlsMode.VERIFY_IDENTITY, (authority / "ca.pem").read_text())
    for plugin in (b"mysql_clear_password", b"dialog", b"sha256_password"):
        message, packets = _heard(log_in, demand, _context(authority), plugin)
        assert _is_kept(packets)
        assert "Give the account one of these" in message


@pytest.mark.parametrize("log_in", [_session, _dump])
@pytest.mark.parametrize("mode", VERIFYING)
def test_login__verified_server__handed_over_inside_tls_and_no_key_is_asked_for(
    authority: Path, mode: TlsMode, log_in: Callable[[NodeEndpoint], None]
) -> None:
    _, packets = _heard(log_in, Tls(mode, (authority / "ca.pem").read_text()), _context(authority))
    assert SECRET.encode() + b"\0" in packets
    assert _PUBLIC_KEY not in packets

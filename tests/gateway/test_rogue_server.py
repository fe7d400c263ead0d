"""A server that is not what it says gets neither a file nor a password."""

from __future__ import annotations

import traceback
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.gateway.binlog_dump import read_events
from backend.gateway.connection import errors
from backend.gateway.connection.endpoint import NodeEndpoint, Tls, TlsMode
from backend.gateway.connection.session import Session
from tests.gateway.rogue import MARIADB, MYSQL, OK, SECRET, rogue

ASKS_FOR_A_FILE, CONTENT = b"\xfb" + __file__.encode(), Path(__file__).read_bytes()[:40]


@pytest.mark.parametrize("plugin", [b"mysql_clear_password", b"dialog", b"sha256_password"])
def test_session__server_asks_for_another_login__password_stays_here(plugin: bytes) -> None:
    with (
        rogue(plugin=plugin) as (endpoint, served),
        pytest.raises(NodeError, match="requires a login by a plugin other than"),
    ):
        Session("rogue", endpoint, read_only=True, read_s=1).run("SELECT 1 AS one")
    assert SECRET.encode() not in served[0].heard


def test_session__server_asks_for_a_local_file__nothing_is_sent() -> None:
    with rogue(answer=ASKS_FOR_A_FILE) as (endpoint, served), pytest.raises(NodeError):
        Session("rogue", endpoint, read_only=True, read_s=1).run("SELECT 1 AS one")
    assert CONTENT not in served[0].heard


_REFUSED = b"\xff\xa9\x04#HY000"


@pytest.mark.parametrize("version", [MARIADB, MYSQL])
def test_session__whatever_the_greeting_names__read_only_for_either_family(version: bytes) -> None:
    """A proxy may greet with a version of its own: each family runs its half, and takes the other for a comment."""
    with rogue(version=version) as (endpoint, served):
        session = Session("rogue", endpoint, read_only=True, read_s=1)
        session.open()
        session.close()
    mariadb, mysql = b"tx_read_only=1, max_statement_time=1", b"transaction_read_only=1, max_execution_time=1000"
    assert served[0].packets[-2].endswith(b" /*M! , " + mariadb + b" *//*!50720 , " + mysql + b" */")


def test_session__settings_refused__no_statement_is_sent_without_them() -> None:
    with rogue(b"", _REFUSED + b"Unknown system variable") as (endpoint, served):
        session = Session("rogue", endpoint, read_only=True, read_s=1)
        with pytest.raises(NodeError, match="Unknown system variable"):
            session.run("SELECT 1 AS one")
        assert not session.is_open
    assert b"SELECT" not in served[0].heard


def test_session__item_missing_in_the_drivers_error__told_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The count alone is made to say so: nothing is missing in this error."""
    monkeypatch.setattr(errors, "gc", SimpleNamespace(get_referents=lambda items: list(items)[1:]))
    with rogue(b"", OK, _REFUSED + b"a text never to be read") as (endpoint, _):
        session = Session("rogue", endpoint, read_only=True, read_s=1)
        with pytest.raises(NodeError, match=r"error 1193: \(the driver could not read the error text\)") as error:
            session.run("SELECT 1 AS one")
        assert "never to be read" not in "".join(traceback.format_exception(error.value))
        session.close()


def _dump(endpoint: NodeEndpoint) -> None:
    list(read_events("rogue", endpoint, FilePosition("binlog.000001", 4), limit_s=5, read_s=1))


@pytest.mark.parametrize("plugin", [b"mysql_clear_password", b"dialog", b"sha256_password", b"client_ed25519"])
def test_dump__server_asks_for_another_login__password_stays_here(plugin: bytes) -> None:
    with rogue(plugin=plugin) as (endpoint, served), pytest.raises(NodeError, match="requires a login by"):
        _dump(endpoint)
    assert SECRET.encode() not in served[0].heard


@pytest.mark.parametrize("mode", [TlsMode.REQUIRED, TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY])
def test_dump__tls_demanded_and_none_offered__not_even_a_name_is_sent(mode: TlsMode) -> None:
    with rogue() as (endpoint, served), pytest.raises(NodeError, match="SSL is required"):
        _dump(replace(endpoint, tls=Tls(mode)))
    assert b"user" not in served[0].heard


@pytest.mark.parametrize("answer", [ASKS_FOR_A_FILE, b"\0", b"\0" * 30, b"\xff", b"\x05", b""])
def test_dump__answer_that_is_none__a_named_error_and_nothing_is_sent(answer: bytes) -> None:
    with rogue(answer=answer) as (endpoint, served), pytest.raises(NodeError):
        _dump(endpoint)
    assert CONTENT not in served[0].heard


def test_session__its_settings_are_refused__not_used_without_them() -> None:
    refused = b"\xff\xc5\x04#HY000the limits are not taken"
    with rogue(b"", OK, refused, OK) as (endpoint, served):
        session = Session("rogue", endpoint, read_only=True, read_s=1)
        with pytest.raises(NodeError, match="the limits are not taken"):
            session.run("SELECT 1 AS one")
        assert b"max_statement_time" in served[0].packets[2]
        assert session.connection_id is None
        session.close()

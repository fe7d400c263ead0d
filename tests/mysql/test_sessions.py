"""Sessions on a real MySQL: the login, the settings, and what a failure tells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.ports import NodeError
from backend.core.topology import Reach
from backend.gateway.connection.endpoint import Tls, TlsMode
from backend.gateway.connection.errors import ConnectError, LostError
from backend.gateway.connection.login import try_login
from backend.gateway.connection.session import Session
from deploy.lab.mysql.pair import Pair
from tests.mysql.pair import endpoint, verified

pytestmark = pytest.mark.server
_FORGET = "FLUSH LOCAL PRIVILEGES"
"""The server forgets whose password it has seen, so that the next login hands it over."""


def _session(pair: Pair, role: str = "monitor", tls: Tls | None = None, *, read_s: float = 10.0) -> Session:
    return Session("my-1", endpoint(pair, pair.source, role, tls), read_only=role == "monitor", read_s=read_s)


@pytest.mark.parametrize("mode", [TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY])
@pytest.mark.parametrize("role", ["monitor", "operator"])
def test_login__verified_certificate__in_at_first_and_again(pair: Pair, mode: TlsMode, role: str) -> None:
    pair.source.sql(_FORGET)
    for _ in range(2):
        session = _session(pair, role, replace(verified(pair), mode=mode))
        (row,) = session.run("SHOW SESSION STATUS LIKE 'Ssl_cipher'")
        session.close()
        assert row["Value"]


@pytest.mark.parametrize("has_ca", [True, False])
@pytest.mark.parametrize("mode", [TlsMode.DISABLED, TlsMode.REQUIRED])
def test_login__certificate_not_verified__refused_with_the_remedy(pair: Pair, mode: TlsMode, has_ca: bool) -> None:
    pair.source.sql(_FORGET)
    with pytest.raises(ConnectError, match=r"give the CA certificate of the cluster \(tls\.ca\)") as refused:
        _session(pair, tls=Tls(mode, pair.ca.read_text() if has_ca else "")).open()
    assert refused.value.reach is Reach.REFUSED


def test_login__replication_account_tried_before_a_plan__in(pair: Pair) -> None:
    assert try_login("my-1", endpoint(pair, pair.source, "replication")) is None


@pytest.mark.parametrize("is_locked", [False, True])
def test_login__wrong_password_or_locked_account__credentials_refused(pair: Pair, is_locked: bool) -> None:
    user = pair.accounts["app"].user
    pair.source.sql(f"ALTER USER {user} ACCOUNT {'LOCK' if is_locked else 'UNLOCK'}")
    try:
        wrong = endpoint(pair, pair.source, "app", password=None if is_locked else "canary-secret")
        with pytest.raises(ConnectError, match=f"credentials refused for user {user}") as refused:
            Session("my-1", wrong, read_only=True).open()
        assert "canary-secret" not in str(refused.value)
    finally:
        pair.source.sql(f"ALTER USER {user} ACCOUNT UNLOCK")


def test_session__reading__the_servers_own_words_for_its_limits(pair: Pair) -> None:
    session = _session(pair, read_s=2.5)
    names = ("transaction_read_only", "max_execution_time", "lock_wait_timeout", "net_write_timeout", "sql_mode")
    (row,) = session.run("SELECT " + ", ".join(f"@@SESSION.{name} AS {name}" for name in names))
    session.close()
    assert [row[name] for name in names] == [1, 2500, 5, 3, ""]


def test_session__read_only__the_server_itself_refuses_a_write(pair: Pair) -> None:
    session = Session("my-1", endpoint(pair, pair.source, "operator"), read_only=True)
    with pytest.raises(NodeError) as refused:
        session.run("CREATE DATABASE hawser")
    session.close()
    assert refused.value.code == 1792


def test_session__slow_read__ended_by_the_server_at_its_limit(pair: Pair) -> None:
    session = _session(pair, read_s=0.3)
    with pytest.raises(LostError) as ended:
        session.run(
            "SELECT COUNT(*) FROM information_schema.COLUMNS a, information_schema.COLUMNS b, "
            "information_schema.COLUMNS c",
            timeout_s=5,
        )
    assert (ended.value.code, ended.value.timed_out) == (3024, True)


def test_session__server_speaks_german__its_errors_are_english(pair: Pair) -> None:
    pair.source.sql("SET GLOBAL lc_messages='de_DE'")
    session = _session(pair, "operator")
    try:
        with pytest.raises(NodeError, match="Unknown system variable 'none'"):
            session.run("SELECT @@none")
    finally:
        session.close()
        pair.source.sql("SET GLOBAL lc_messages='en_US'")

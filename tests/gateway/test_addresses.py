"""Where a node's name leads is judged at each connection, and the connection goes to the address that was judged."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import replace

import pytest

from backend.common.outgoing import resolving as addresses
from backend.common.outgoing.resolving import AddressError, AddressPolicy, hosts_to_connect
from backend.core.positions import FilePosition
from backend.core.topology import Reach
from backend.gateway.binlog_dump import read_events
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.errors import ConnectError
from backend.gateway.connection.session import Session
from tests.gateway.rogue import rogue

LISTED = AddressPolicy((ipaddress.ip_network("127.0.0.1/32"),), "HAWSER_ALLOWED_NETWORKS")
ELSEWHERE = NodeEndpoint("db.example", 1, "user", "secret", policy=LISTED)


@pytest.fixture
def named() -> Iterator[NodeEndpoint]:
    """An account on a server at 127.0.0.1, by a name that resolves to what each test says."""
    with rogue() as (endpoint, _):
        yield replace(endpoint, host="db.example", policy=LISTED)


def answers(monkeypatch: pytest.MonkeyPatch, *lookups: list[str]) -> list[list[str]]:
    """The name server's answers in turn; what is left of them."""
    left = list(lookups)
    monkeypatch.setattr(addresses, "resolve", lambda _: [ipaddress.ip_address(text) for text in left.pop(0)])
    return left


def test_session__name_leads_elsewhere_by_now__no_login_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, ["127.0.0.2"], ["127.0.0.1", "127.0.0.2"], [])
    for reason in ("outside HAWSER_ALLOWED_NETWORKS", "outside HAWSER_ALLOWED_NETWORKS", "does not resolve"):
        with pytest.raises(ConnectError, match=reason) as raised:
            Session("a1", ELSEWHERE, read_only=True).open()
        assert raised.value.reach is Reach.UNKNOWN


def test_session__name_server_answers_otherwise_a_moment_later__goes_to_the_judged_address(
    named: NodeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = answers(monkeypatch, ["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"])
    assert hosts_to_connect("db.example", LISTED, is_proven_by_name=False) == ["127.0.0.1"]
    session = Session("a1", named, read_only=True)
    session._connect()
    assert session.is_open
    assert left == [["127.0.0.2"]]
    session.close()


def test_session__first_address_is_closed__the_next_one(named: NodeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, ["127.0.0.9", "127.0.0.1"])
    session = Session("a1", replace(named, policy=AddressPolicy()), read_only=True)
    session._connect()
    assert session.is_open
    session.close()


def test_dump__name_leads_elsewhere_by_now__no_login_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, ["127.0.0.2"])
    with pytest.raises(ConnectError, match="outside HAWSER_ALLOWED_NETWORKS"):
        list(read_events("a1", ELSEWHERE, FilePosition("binlog.000001", 4), limit_s=2))


def test_hosts__certificate_must_bear_the_name__the_name_after_its_addresses_were_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
    assert hosts_to_connect("db.example", LISTED, is_proven_by_name=True) == ["db.example"]
    with pytest.raises(AddressError):
        hosts_to_connect("db.example", LISTED, is_proven_by_name=True)

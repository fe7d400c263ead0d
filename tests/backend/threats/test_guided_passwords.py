"""Passwords of a guided registration do not follow whoever holds the session of its user to a server of his own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.guided import Guide, RecordedServers, servers
from tests.support.certificates import authority
from tests.support.console import CANARY, Caller, make_caller

__all__ = ["servers"]
ROLES = ("monitor", "operator", "replication")
ENTERED = {role: {"user": f"hawser_{role}".replace("replication", "repl"), "password": CANARY} for role in ROLES}
OWN = "127.92.0.2"
"""The server of whoever holds the session; the second cluster was named as 127.92.0.1."""
Leads = Callable[[Guide], None]


def _moved(guide: Guide, side: str = "second", host: str = OWN) -> None:
    assert guide.step("", "PATCH", **{side: {"host": host}}).status == 200


def _moved_first(guide: Guide) -> None:
    _moved(guide, "second", "127.91.0.1")
    _moved(guide, "first", OWN)


def _there_and_back_and_there(guide: Guide) -> None:
    for host in (OWN, "127.92.0.1", OWN):
        _moved(guide, host=host)


def _own_authority(guide: Guide) -> None:
    ca = authority("An authority of one's own").cert
    assert guide.step("", "PATCH", second={"tls": {"mode": "required", "ca": ca}}).status == 200


def _node_listed(guide: Guide) -> None:
    nodes = [{"name": "x", "host": OWN, "port": 1}]
    assert guide.step("", "PATCH", second={"nodes": nodes}).status == 200


def _created(guide: Guide, side: str) -> None:
    assert guide.discover(side).status == 200
    assert guide.create(side).status == 200, guide.body


@pytest.mark.parametrize("leads", [_moved, _there_and_back_and_there, _own_authority, _node_listed])
def test_generated__other_cluster_leads_elsewhere_since__not_sent_to_it(
    admin: Caller, servers: RecordedServers, leads: Leads
) -> None:
    guide = Guide(admin)
    _created(guide, "first")
    leads(guide)
    _created(guide, "second")
    _none_is_shared(servers)


def test_generated__of_both_clusters_and_one_moves__not_sent_to_it(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    _created(guide, "first")
    _created(guide, "second")
    assert servers.passwords[0] == servers.passwords[1]
    _moved(guide)
    _created(guide, "second")
    _none_is_shared(servers)
    _moved_first(guide)
    _created(guide, "first")
    _none_is_shared(servers)


def test_generated__confirmed_again_once_the_other_cluster_moved__not_sent_to_it(
    admin: Caller, servers: RecordedServers
) -> None:
    guide = Guide(admin)
    _created(guide, "first")
    _moved(guide)
    _created(guide, "first")
    assert servers.passwords[0] == servers.passwords[1]
    _created(guide, "second")
    _none_is_shared(servers)


def test_generated__creation_interrupted_and_another_authority_since__not_sent_again(
    admin: Caller, servers: RecordedServers
) -> None:
    guide = Guide(admin)
    guide.discover()
    servers.failed_at = 2
    assert guide.create().status == 409
    servers.failed_at = None
    ca = authority("An authority of one's own").cert
    assert guide.step("", "PATCH", first={"tls": {"mode": "required", "ca": ca}}).status == 200
    _created(guide, "first")
    _none_is_shared(servers)


@pytest.mark.parametrize("taken_over", [False, True])
@pytest.mark.parametrize("host", ["", "10.0.8.%"])
def test_entered__asked_for_at_the_other_cluster__generated_there(
    admin: Caller, servers: RecordedServers, monkeypatch: pytest.MonkeyPatch, settings: Any, taken_over: bool, host: str
) -> None:
    settings.HAWSER_SECRET_VARIABLES = ["PRODUCTION_MONITOR"]
    monkeypatch.setenv("PRODUCTION_MONITOR", CANARY)
    given = {**ENTERED, "monitor": {"user": "hawser_monitor", "reference": "env:PRODUCTION_MONITOR"}}
    guide = Guide(admin)
    guide.discover()
    assert guide.step("accounts", "PUT", side="first", accounts=given).status == 200, guide.body
    if taken_over:
        guide.caller = make_caller("otto", "admin")
        assert guide.step("takeover").status == 200
    if host:
        assert guide.step("", "PATCH", first={"accounts": {"monitor": {"host": host}}}).status == 200
    _moved(guide)
    _created(guide, "second")
    assert CANARY not in servers.passwords[0].values()


def _none_is_shared(servers: RecordedServers) -> None:
    """What the last server was sent, none was sent before."""
    *earlier, last = servers.passwords
    assert not {one for sent in earlier for one in sent.values()} & set(last.values())

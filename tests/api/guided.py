"""A guided registration on the API whose servers are recorded facts, and what is sent to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from backend.core.discovery.servers import DiscoveredServer, TlsTrial
from backend.core.findings import Finding, Severity
from backend.gateway.account_creation import Outcome
from backend.gateway.account_statements import AccountName, AccountStatement
from backend.gateway.administrator import Discovery, Login
from backend.gateway.connection.endpoint import ClusterAccess, NodeEndpoint
from backend.registration.guide import accounts, checking, discovery
from tests.core.discovery.recorded import linked
from tests.support.console import CANARY, Answer, Caller

OK = Finding("grants", Severity.OK, "as needed")


@dataclass
class RecordedServers:
    """Stands for the gateway: both clusters answer with what a real pair told, at addresses without a listener."""

    sides: list[list[DiscoveredServer]] = field(default_factory=lambda: _at_dead_addresses(linked()))
    may_create: bool | None = True
    logins: list[Login] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    passwords: list[Mapping[str, str]] = field(default_factory=list)
    failed_at: int | None = None
    findings: list[Finding] = field(default_factory=lambda: [OK])

    def discover(self, entry: tuple[str, int], listed: Sequence[tuple[str, int]], login: Login) -> Discovery:
        """All members of the cluster whose node is named; that node first."""
        self.logins.append(login)
        every = [one for side in self.sides for one in side]
        first = next((one for one in every if one.is_at(*entry)), None)
        if first is None:
            return Discovery((DiscoveredServer(*entry, "down", error="connection refused"),), None)
        side = next(side for side in self.sides if first in side)
        return Discovery((first, *(one for one in side if one is not first)), self.may_create)

    def discover_each(self, addresses: Sequence[tuple[str, int]], login: Login) -> list[DiscoveredServer]:
        """The servers at these addresses."""
        self.logins.append(login)
        every = [one for side in self.sides for one in side]
        return [next(one for one in every if one.is_at(*address)) for address in addresses]

    def create_accounts(
        self,
        endpoint: NodeEndpoint,
        names: Mapping[str, AccountName],
        passwords: Mapping[str, str],
        statements: Sequence[AccountStatement],
    ) -> list[Outcome]:
        """Record what is sent; fail at one statement where that is wanted."""
        self.passwords.append(dict(passwords))
        outcomes = []
        for number, one in enumerate(statements):
            self.sent.append(one.sql)
            if number == self.failed_at:
                return [*outcomes, Outcome(one.sql, "failed", "error 1227: Access denied")]
            outcomes.append(Outcome(one.sql, "done"))
        return outcomes

    def inspect(self, shape: ClusterAccess, replication: tuple[str, str]) -> list[Finding]:
        """The findings of the check."""
        return self.findings


def _at_dead_addresses(pair: tuple[list[DiscoveredServer], list[DiscoveredServer]]) -> list[list[DiscoveredServer]]:
    """Port 1 of this machine has no listener: what is registered in the end is connected to for real."""
    return [[_dead(one) for one in side] for side in pair]


def _dead(one: DiscoveredServer) -> DiscoveredServer:
    channels = tuple(
        replace(channel, source_host=_moved(channel.source_host), source_port=1) for channel in one.channels or ()
    )
    return replace(
        one,
        host=_moved(one.host),
        port=1,
        addresses=(_moved(one.host),),
        incoming=tuple(f"{_moved(entry.partition(':')[0])}:1" for entry in one.incoming),
        channels=channels,
        seen_from="10.0.9.5",
        tls=(TlsTrial("verify_identity", None), TlsTrial("verify_ca", None), TlsTrial("required", works=True)),
    )


def _moved(host: str) -> str:
    """`10.1.0.2` as `127.91.0.2`."""
    return f"127.9{host.removeprefix('10.')}"


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> RecordedServers:
    """Two linked clusters, all well."""
    made = RecordedServers()
    monkeypatch.setattr(discovery, "discover", made.discover)
    monkeypatch.setattr(checking, "discover_each", made.discover_each)
    monkeypatch.setattr(checking, "inspect_cluster", made.inspect)
    monkeypatch.setattr(accounts, "create_accounts", made.create_accounts)
    return made


class Guide:
    """One administrator who walks the steps."""

    def __init__(self, caller: Caller, **given: Any) -> None:
        self.caller = caller
        body = {
            "first": {"host": "127.91.0.1", "port": 1, "administrator": "boss", "name": "milan", "site": "a"},
            "second": {"host": "127.92.0.1", "port": 1, "administrator": "boss", "name": "frankfurt", "site": "b"},
            "link": {"name": "payments", "active": "first"},
        }
        answer = caller.post("/registrations", {**body, **given})
        assert answer.status == 201, answer.body
        self.id, self.body = answer.body["id"], answer.body

    def step(self, name: str, method: str = "POST", **given: Any) -> Answer:
        """One call below the draft; a good answer is kept."""
        path = f"/registrations/{self.id}{f'/{name}' if name else ''}"
        seen = {"endpoints_digest": self.body["endpoints_digest"]} if name != "takeover" else {}
        answer = self.caller.call(method, path, seen | given)
        if answer.status == 200:
            self.body = answer.body
        return answer

    def discover(self, side: str = "first", password: str = CANARY) -> Answer:
        """Connect with the administrator's password."""
        return self.step("discover", side=side, password=password)

    def create(self, side: str = "first", digest: str | None = None) -> Answer:
        """Confirm the statements that are shown."""
        shown = self.body[side]["statements"]["digest"]
        return self.step("accounts", side=side, password=CANARY, digest=digest or shown)

    def all_steps(self) -> None:
        """Up to the review."""
        for side in ("first", "second"):
            for answer in (self.discover(side), self.create(side), self.step("check", side=side)):
                assert answer.status == 200, answer.body

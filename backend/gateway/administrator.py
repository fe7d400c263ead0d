"""Discovers a cluster with an account that is used once: it reads, and its password is kept nowhere.

The strictest TLS mode is tried first. A refused login is not repeated, so that no account gets locked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from backend.common.outgoing.resolving import AddressPolicy, resolve
from backend.core.discovery.members import candidates
from backend.core.discovery.servers import READ_FOR_DISCOVERY, DiscoveredServer, TlsTrial, discovered
from backend.core.discovery.tls import MODES
from backend.core.facts.named_members import Address
from backend.core.ports import NodeError
from backend.core.topology import NodeRef, Reach
from backend.gateway.connection.endpoint import CONNECT_S, NodeEndpoint, Tls, TlsMode
from backend.gateway.connection.errors import ConnectError
from backend.gateway.connection.session import Session
from backend.gateway.polling.poll import poll_node

READ_S = 3.0
LIMIT_S = 4 * (CONNECT_S + READ_S)
"""The longest that one server is waited for; all are asked at once, in at most `_ROUNDS` rounds."""
MOST_SERVERS = 32
_ROUNDS = 3
_EXTRA = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ({})".format(
    ", ".join(f"'{name}'" for name in READ_FOR_DISCOVERY)
)
_SEEN_FROM = "SELECT SUBSTRING_INDEX(USER(), '@', -1) AS seen"
_NO_CA = "no certificate of the authority was given"


@dataclass(frozen=True, slots=True)
class Login:
    """An account, the TLS modes that may be tried with it, and the certificate to verify with."""

    user: str
    password: str = field(repr=False)
    modes: tuple[str, ...] = MODES
    ca_pem: str = field(default="", repr=False)
    policy: AddressPolicy = field(default=AddressPolicy(), repr=False)
    client: Tls = field(default=Tls(), repr=False)
    """Its certificate and key are shown to a server; its mode is not used."""

    def endpoint(self, host: str, port: int, mode: str) -> NodeEndpoint:
        """The account on a server."""
        shown = (self.client.cert_pem, self.client.key_pem) if mode != TlsMode.DISABLED.value else ("", "")
        tls = Tls(TlsMode(mode), self.ca_pem if mode.startswith("verify") else "", *shown)
        return NodeEndpoint(host, port, self.user, self.password, tls, self.policy)


@dataclass(frozen=True, slots=True)
class Discovery:
    """The servers found, the one connected to first; whether the account may create accounts (None: unknown)."""

    servers: tuple[DiscoveredServer, ...]
    may_create: bool | None


def discover(entry: Address, listed: Sequence[Address], login: Login) -> Discovery:
    """Read one node, then every member that it names, then those that these name."""
    first, may_create = _server(entry, login)
    found = [first]
    fresh = [one for one in listed if not first.is_at(*one)]
    for _ in range(_ROUNDS):
        wanted = [*fresh, *(one for one in candidates(found) if one not in fresh)]
        if not first.is_up or not wanted:
            break
        found += discover_each(wanted[: MOST_SERVERS - len(found)], login)
        fresh = []
    return Discovery(tuple(found), may_create)


def discover_each(addresses: Sequence[Address], login: Login) -> list[DiscoveredServer]:
    """Read servers at once; one that does not answer in time is hung."""
    found: dict[Address, DiscoveredServer] = {}

    def read(address: Address) -> None:
        found[address] = _server(address, login)[0]

    threads = [threading.Thread(target=read, args=(one,), daemon=True) for one in addresses]
    for thread in threads:
        thread.start()
    end = time.monotonic() + LIMIT_S
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    late = f"no response within {LIMIT_S:g} s"
    return [found.get(one) or DiscoveredServer(*one, Reach.HUNG.value, error=late) for one in addresses]


def _server(address: Address, login: Login) -> tuple[DiscoveredServer, bool | None]:
    """One server over the strictest connection that works."""
    trials: list[TlsTrial] = []
    for mode in login.modes:
        if mode.startswith("verify") and not login.ca_pem:
            trials.append(TlsTrial(mode, None, _NO_CA))
            continue
        session = Session(address[0], login.endpoint(*address, mode), read_only=True, read_s=READ_S)
        try:
            session.open()
            return _read(session, address, (*trials, TlsTrial(mode, works=True)), login.modes)
        except ConnectError as error:
            if not _is_tls(error):
                return _failed(address, error, tuple(trials)), None
            trials.append(TlsTrial(mode, works=False, reason=error.message))
        except NodeError as error:
            return _failed(address, error, tuple(trials)), None
        finally:
            session.close()
    reasons = "; ".join(f"{one.mode}: {one.reason}" for one in trials)
    return DiscoveredServer(*address, Reach.REFUSED.value, error=reasons, tls=tuple(trials)), None


def _is_tls(error: ConnectError) -> bool:
    """Whether a weaker mode may still work."""
    return error.reach is Reach.REFUSED and error.message.startswith("TLS refused")


def _failed(address: Address, error: NodeError, trials: tuple[TlsTrial, ...]) -> DiscoveredServer:
    reach = error.reach if isinstance(error, ConnectError) else Reach.UNKNOWN
    addresses = tuple(map(str, resolve(address[0])))
    return DiscoveredServer(*address, reach.value, error=error.message, addresses=addresses, tls=trials)


def _read(
    session: Session, address: Address, trials: tuple[TlsTrial, ...], modes: Sequence[str]
) -> tuple[DiscoveredServer, bool | None]:
    facts = poll_node(session, NodeRef("", address[0], *address, ""))
    extra = {str(row["Variable_name"]).lower(): str(row["Value"]) for row in session.run(_EXTRA)}
    seen_from = str(session.run(_SEEN_FROM)[0]["seen"])
    addresses = tuple(map(str, resolve(address[0])))
    server = discovered(facts, extra, (*trials, *_weaker(trials, modes, extra)), addresses, seen_from)
    return server, may_create_accounts(session)


def _weaker(trials: tuple[TlsTrial, ...], modes: Sequence[str], variables: Mapping[str, str]) -> list[TlsTrial]:
    """Modes that ask for less than the one that worked: they work, too, unless the server insists on TLS."""
    found = []
    for mode in modes[len(trials) :]:
        insists = mode == "disabled" and variables.get("require_secure_transport", "").upper() == "ON"
        reason = "the server has require_secure_transport=ON" if insists else ""
        found.append(TlsTrial(mode, not insists, reason))
    return found


def may_create_accounts(session: Session) -> bool | None:
    """Whether the account may create accounts and grant; None where its grants were not read."""
    try:
        lines = [str(value).upper() for row in session.run("SHOW GRANTS") for value in row.values()]
    except NodeError:
        return None
    everywhere = [line for line in lines if " ON *.* TO " in line]
    has_all = any("ALL PRIVILEGES" in line or "CREATE USER" in line for line in everywhere)
    return has_all and any("WITH GRANT OPTION" in line for line in everywhere)


def with_earlier_trials(server: DiscoveredServer, earlier: Sequence[DiscoveredServer]) -> DiscoveredServer:
    """The server with the TLS trials of an earlier reading: a check connects in the chosen mode alone."""
    before = next((one for one in earlier if (one.host, one.port) == (server.host, server.port)), None)
    return replace(server, tls=before.tls) if before is not None and before.tls else server

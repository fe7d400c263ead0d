"""The members of a cluster, as its servers name them, and which of them were reached.

Each member reports the addresses of all members and its own place among them, so a server that answers is recognised
whatever name it was reached by. A member without an address stays in the list: it has to be entered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.discovery.servers import DiscoveredServer
from backend.core.facts.named_members import Address, parse_address

_GROUP = re.compile(r"^gcomm://(?P<hosts>[^?]*)")
_SQL_PORT = 3306


@dataclass(frozen=True, slots=True)
class Member:
    """A member, or a server that was entered and is none.

    `state`: `connected`, `unreached`, `unknown_address`, `other_cluster`, `no_cluster`. `host` is empty where unknown.
    """

    name: str
    host: str
    port: int
    state: str
    sentence: str

    @property
    def is_connected(self) -> bool:
        """Whether it answered as a member of the cluster."""
        return self.state == "connected"


def candidates(servers: Sequence[DiscoveredServer]) -> tuple[Address, ...]:
    """Addresses that the servers name and that were not tried yet."""
    named = [address for entry in _entries(servers) if (address := parse_address(entry)) is not None]
    if len(named) < _size(servers):
        named += [(host, _SQL_PORT) for server in _views(servers) for host in group_hosts(server)]
    fresh = (one for one in named if not any(server.is_at(*one) for server in servers))
    return tuple(dict.fromkeys(fresh))


def group_hosts(server: DiscoveredServer) -> tuple[str, ...]:
    """The hosts of `wsrep_cluster_address`: those that a node joins by, at the group's port, not at that of SQL."""
    match = _GROUP.match(server.variables.get("wsrep_cluster_address", ""))
    hosts = (parse_address(part.strip()) for part in match["hosts"].split(",")) if match else ()
    return tuple(host[0] for host in hosts if host is not None)


def members(servers: Sequence[DiscoveredServer]) -> tuple[Member, ...]:
    """Every member, those that answered first and by name, then the servers that were tried and are none of them."""
    views, found = _views(servers), []
    placed: set[tuple[str, int]] = set()
    for index, entry in enumerate(_entries(servers)):
        server = next((one for one in views if one.local_index == index), None) or _at(servers, entry)
        if server is not None:
            placed.add((server.host, server.port))
        found.append(_member(server, entry, index, len(_entries(servers))))
    rest = (one for one in servers if (one.host, one.port) not in placed)
    twice = {(one.state_uuid, one.local_index) for one in views if (one.host, one.port) in placed}
    found.sort(key=_natural_order)
    return (*found, *(_foreign(one, views) for one in rest if (one.state_uuid, one.local_index) not in twice))


def _natural_order(member: Member) -> tuple[bool, list[tuple[int, str]]]:
    """As people sort names: db-2 before db-10; the others stay as the cluster names them."""
    if not member.is_connected:
        return True, []
    return False, [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", member.name)]


def _member(server: DiscoveredServer | None, entry: str, index: int, size: int) -> Member:
    if server is not None:
        return _reached(server) if server.is_up else _unreached(server)
    address = parse_address(entry)
    if address is None:
        sentence = f"The cluster does not state the address of its member {index + 1} of {size}. Enter it."
        return Member(f"member {index + 1}", "", _SQL_PORT, "unknown_address", sentence)
    sentence = f"The cluster names {address[0]}:{address[1]}. It was not connected to yet."
    return Member(address[0], *address, "unreached", sentence)


def _reached(server: DiscoveredServer) -> Member:
    sentence = f"{server.shown} is a member: MariaDB {server.version}, server_id {server.server_id}."
    return Member(server.shown, server.host, server.port, "connected", sentence)


def _unreached(server: DiscoveredServer) -> Member:
    sentence = (
        f"{server.host}:{server.port} could not be read: {server.error}. Correct its address, or start it. It is "
        "unknown whether its settings and channels are as needed."
    )
    return Member(server.shown, server.host, server.port, "unreached", sentence)


def _foreign(server: DiscoveredServer, views: Sequence[DiscoveredServer]) -> Member:
    """A server that was tried and is not in the newest view of the cluster."""
    if not server.is_up:
        return _unreached(server)
    if not server.state_uuid:
        sentence = f"{server.shown} reports no Galera cluster. Check the address, or remove it from the list."
        return Member(server.shown, server.host, server.port, "no_cluster", sentence)
    if views and server.state_uuid == views[0].state_uuid:
        sentence = (
            f"{server.shown} has the data of this cluster and is not in its Primary Component "
            f"({server.cluster_status or 'unknown'}). Let it join again."
        )
        return Member(server.shown, server.host, server.port, "no_cluster", sentence)
    sentence = f"{server.shown} belongs to another cluster (state UUID {server.state_uuid}). Remove it from the list."
    return Member(server.shown, server.host, server.port, "other_cluster", sentence)


def _at(servers: Sequence[DiscoveredServer], entry: str) -> DiscoveredServer | None:
    """The server tried at a member's address, unless it answered as another server."""
    address = parse_address(entry)
    if address is None:
        return None
    return next((one for one in servers if one.is_at(*address) and not one.is_up), None)


def _views(servers: Sequence[DiscoveredServer]) -> tuple[DiscoveredServer, ...]:
    """The servers of the first one's cluster that report its newest Primary Component."""
    uuid = next((one.state_uuid for one in servers if one.state_uuid), "")
    inside = [one for one in servers if one.is_up and one.state_uuid == uuid and one.cluster_status == "Primary"]
    newest = max((one.conf_id or 0 for one in inside), default=0)
    return tuple(one for one in inside if (one.conf_id or 0) == newest)


def _entries(servers: Sequence[DiscoveredServer]) -> tuple[str, ...]:
    """One entry a member; an empty one where the cluster counts a member that no server names."""
    views = _views(servers)
    if not views:
        return ()
    named = views[0].incoming
    return (*named, *[""] * (_size(servers) - len(named)))


def _size(servers: Sequence[DiscoveredServer]) -> int:
    return max((one.cluster_size or 0 for one in _views(servers)), default=0)

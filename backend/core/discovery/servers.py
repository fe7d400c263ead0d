"""What a server told one session of an administrator, in a form that can be stored and read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from backend.core.topology import ChannelFacts, NodeFacts

READ_FOR_DISCOVERY = (
    "report_host",
    "require_secure_transport",
    "ssl_ca",
    "wsrep_cluster_address",
    "wsrep_node_address",
    "wsrep_node_incoming_address",
)
"""Variables that only discovery reads."""


@dataclass(frozen=True, slots=True)
class TlsTrial:
    """One TLS mode tried on one server. `works` None: not tried, `reason` says why."""

    mode: str
    works: bool | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DiscoveredChannel:
    """A replication connection that a server holds."""

    name: str
    source_host: str
    source_port: int
    source_server_id: int | None
    using_gtid: str
    io_running: str
    sql_running: str
    ignore_server_ids: tuple[int, ...]
    read_file: str
    exec_file: str
    exec_offset: int

    @classmethod
    def of(cls, channel: ChannelFacts) -> DiscoveredChannel:
        """From the facts of a poll."""
        return cls(**{name: getattr(channel, name) for name in cls.__slots__})


@dataclass(frozen=True, slots=True)
class DiscoveredServer:
    """One server as an administrator's session found it; what it did not tell is None or empty.

    `host` and `port` are what was connected to, `addresses` what the host stands for. `incoming` are the addresses of
    all members as the members state them. `seen_from` is the address of the console as the server sees it.
    """

    host: str
    port: int
    reach: str
    error: str = ""
    addresses: tuple[str, ...] = ()
    name: str = ""
    version: str | None = None
    server_id: int | None = None
    state_uuid: str = ""
    cluster_status: str = ""
    cluster_size: int | None = None
    conf_id: int | None = None
    local_index: int | None = None
    incoming: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    channels: tuple[DiscoveredChannel, ...] | None = None
    tls: tuple[TlsTrial, ...] = ()
    seen_from: str = ""

    @property
    def is_up(self) -> bool:
        """Whether it answered."""
        return self.reach == "up"

    @property
    def shown(self) -> str:
        """Its name, or its host where it did not tell one."""
        return self.name or self.host

    def is_at(self, host: str, port: int) -> bool:
        """Whether the address is one of this server's."""
        return port == self.port and host.lower() in (self.host.lower(), *self.addresses)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DiscoveredServer:
        """Inverse of `to_json`."""
        channels = data["channels"]
        given = dict(data) | {
            "addresses": tuple(data["addresses"]),
            "incoming": tuple(data["incoming"]),
            "tls": tuple(TlsTrial(**one) for one in data["tls"]),
            "channels": None if channels is None else tuple(map(_channel, channels)),
        }
        return cls(**given)


def _channel(data: Mapping[str, Any]) -> DiscoveredChannel:
    return DiscoveredChannel(**{**data, "ignore_server_ids": tuple(data["ignore_server_ids"])})


def discovered(
    facts: NodeFacts,
    extra: Mapping[str, str],
    tls: tuple[TlsTrial, ...],
    addresses: tuple[str, ...],
    seen_from: str,
) -> DiscoveredServer:
    """A server from its poll and from what only discovery reads."""
    wsrep = facts.wsrep
    return DiscoveredServer(
        host=facts.node.host,
        port=facts.node.port,
        reach=facts.reach.value,
        error=facts.error,
        addresses=addresses,
        name=facts.variables.get("wsrep_node_name", "") or facts.hostname or "",
        version=facts.version,
        server_id=facts.server_id,
        state_uuid=wsrep.state_uuid if wsrep else "",
        cluster_status=wsrep.cluster_status if wsrep else "",
        cluster_size=wsrep.cluster_size if wsrep else None,
        conf_id=wsrep.conf_id if wsrep else None,
        local_index=wsrep.local_index if wsrep else None,
        incoming=wsrep.incoming_addresses if wsrep else (),
        variables={**facts.variables, **extra},
        channels=None if facts.channels is None else tuple(map(DiscoveredChannel.of, facts.channels)),
        tls=tls,
        seen_from=seen_from,
    )

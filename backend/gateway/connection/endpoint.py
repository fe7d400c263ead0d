"""Where and how to log in to a node, as plain values; secrets never show in a `repr`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from backend.core.topology import NodeRef
from backend.gateway.connection.addresses import AddressPolicy


class TlsMode(StrEnum):
    """What a connection demands before it counts as made."""

    DISABLED = "disabled"
    REQUIRED = "required"
    VERIFY_CA = "verify_ca"
    VERIFY_IDENTITY = "verify_identity"


@dataclass(frozen=True, slots=True)
class Tls:
    """TLS demand with the authority's certificate (PEM text) where it is verified."""

    mode: TlsMode = TlsMode.DISABLED
    ca_pem: str = ""


@dataclass(frozen=True, slots=True)
class NodeEndpoint:
    """One account on one server."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: Tls = field(default=Tls(), repr=False)
    policy: AddressPolicy = field(default=AddressPolicy(), repr=False)


@dataclass(frozen=True, slots=True)
class NodeAccess:
    """A registered node with the accounts the console has on it."""

    ref: NodeRef
    monitor: NodeEndpoint
    operator: NodeEndpoint


@dataclass(frozen=True, slots=True)
class ClusterAccess:
    """A registered cluster, as far as reaching and reading it goes."""

    id: str
    name: str
    site: str
    nodes: tuple[NodeAccess, ...]
    recorded_state_uuid: str | None = None
    known_server_ids: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LinkAccess:
    """A registered link."""

    id: str
    name: str
    channel_name: str
    active: ClusterAccess
    standby: ClusterAccess
    home_cluster_id: str | None = None

    @property
    def nodes(self) -> tuple[NodeAccess, ...]:
        """All nodes, active side first."""
        return self.active.nodes + self.standby.nodes

"""Address and login of a node as plain values; secrets are never in a `repr`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from backend.common.outgoing.resolving import AddressPolicy
from backend.core.topology import NodeRef, RecordedServer


class TlsMode(StrEnum):
    """What a connection requires before it counts as established."""

    DISABLED = "disabled"
    REQUIRED = "required"
    VERIFY_CA = "verify_ca"
    VERIFY_IDENTITY = "verify_identity"


@dataclass(frozen=True, slots=True)
class Tls:
    """The TLS requirement, the CA certificates where it is verified, what the console shows a server (PEM texts)."""

    mode: TlsMode = TlsMode.DISABLED
    ca_pem: str = ""
    cert_pem: str = ""
    key_pem: str = field(default="", repr=False)


CONNECT_S = 1.0
CONNECT_OVER_DISTANCE = ((100.0, 3.0), (10.0, 2.0))
"""From that round trip on (ms) a connection may take so long (s). The system sends a lost first packet again after a
second: within CONNECT_S alone, two of a hundred connections failed over a line that loses one packet of a hundred."""


def connect_limit_s(round_trip_ms: float) -> float:
    """How long opening a connection may take."""
    return next((limit for from_ms, limit in CONNECT_OVER_DISTANCE if round_trip_ms >= from_ms), CONNECT_S)


DISTANT_MS = 10.0
ANSWERS_S = 2.0
ANSWERS_TRIPS = 20
MOST_ANSWERS_S = 5.0
"""A poll's time for its answers: over a distance so many round trips longer, and never more than that. The answers are
some 30 kB, in which lost packets are sent again after a round trip or more each."""


def answers_limit_s(round_trip_ms: float) -> float:
    """How long a node may take for the answers of one poll."""
    if round_trip_ms < DISTANT_MS:
        return ANSWERS_S
    return min(MOST_ANSWERS_S, ANSWERS_S + ANSWERS_TRIPS * round_trip_ms / 1000)


Account = Callable[[], tuple[str, str]]
"""Reads user and password as they are stored now."""


@dataclass(frozen=True, slots=True)
class NodeEndpoint:
    """One account on one server. `newest` tells whether it was replaced since: a run may be older than its account.

    `round_trip_ms` is what the last poll measured: over a distance a packet of a login may be lost.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: Tls = field(default=Tls(), repr=False)
    policy: AddressPolicy = field(default=AddressPolicy(), repr=False)
    newest: Account | None = field(default=None, repr=False, compare=False)
    round_trip_ms: float = field(default=0.0, repr=False, compare=False)

    def renewed(self) -> NodeEndpoint | None:
        """The endpoint with the account that is stored now, after this one was refused; None where it is the same."""
        if self.newest is None:
            return None
        user, password = self.newest()
        return None if (user, password) == (self.user, self.password) else replace(self, user=user, password=password)


@dataclass(frozen=True, slots=True)
class NodeAccess:
    """A registered node with the accounts the console has on it."""

    ref: NodeRef
    monitor: NodeEndpoint
    operator: NodeEndpoint

    @property
    def connect_s(self) -> float:
        """How long opening a connection to it may take."""
        return connect_limit_s(self.monitor.round_trip_ms)

    @property
    def answers_s(self) -> float:
        """How long it may take for the answers of one poll."""
        return answers_limit_s(self.monitor.round_trip_ms)

    def at_distance(self, round_trip_ms: float | None) -> NodeAccess:
        """The same over the distance that was last measured."""
        measured = round_trip_ms or 0.0
        return replace(
            self,
            monitor=replace(self.monitor, round_trip_ms=measured),
            operator=replace(self.operator, round_trip_ms=measured),
        )


@dataclass(frozen=True, slots=True)
class ClusterAccess:
    """A registered cluster with what is needed to reach and read it."""

    id: str
    name: str
    site: str
    nodes: tuple[NodeAccess, ...]
    recorded_state_uuid: str | None = None
    known_server_ids: Mapping[str, int] = field(default_factory=dict)
    recorded_servers: Mapping[str, RecordedServer] = field(default_factory=dict)
    logged_origins: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class LinkAccess:
    """A registered link."""

    id: str
    name: str
    channel_name: str
    active: ClusterAccess
    standby: ClusterAccess
    home_cluster_id: str | None = None
    writes_on_both_sides: bool = False
    proven_within_s: float = 60.0

    @property
    def nodes(self) -> tuple[NodeAccess, ...]:
        """All nodes, active side first."""
        return self.active.nodes + self.standby.nodes

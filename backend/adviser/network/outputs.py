"""The network between the sites of a link as the API returns it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from backend.core.adviser.network.measurement import NetworkExchange, NetworkLatency
from backend.core.adviser.network.sql_facts import GroupLatency, NetworkDelayed
from backend.core.adviser.network.verdict import Effect, Kind, Verdict

VERDICTS = [kind.value for kind in Kind]
EFFECTS = [effect.value for effect in Effect]


@dataclass(frozen=True, slots=True)
class ProbeToken:
    """A token for one result; `token` is returned only here."""

    id: str
    token: str
    from_node: str
    to_node: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class NetworkMeasurement:
    """One measurement; `sent` is from `from_node` to `to_node`. Null is unknown."""

    id: str
    from_node_id: str
    from_node: str
    to_node_id: str
    to_node: str
    is_signed: Annotated[bool, "false: pasted, not signed"]
    is_recent: Annotated[bool, "the verdict rests on it"]
    actor: str
    measured_at: datetime
    stored_at: datetime
    remote_address: str
    round_trip: NetworkLatency | None
    exchanges: tuple[NetworkExchange, ...]
    sent_mbit_s: float | None
    received_mbit_s: float | None
    packets: Annotated[int | None, "of which some were sent again"]
    retransmitted_percent: float | None
    path_mtu_bytes: int | None
    clock_offset_ms: Annotated[float | None, "how far the clock of `to_node` is ahead"]
    clock_error_ms: Annotated[float | None, "the most that the offset can be wrong"]
    congestion_control: str
    remote_congestion_control: str
    host_settings: Mapping[str, str]
    remote_host_settings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NetworkVerdict(Verdict):
    """Whether one Galera cluster can span the two sites."""

    rests_on: Annotated[int, "number of measurements"]
    unsigned: Annotated[int, "how many of them were pasted"]
    max_commit_ms: float
    peak_write_mbit_s: float | None
    remote_nodes: int


@dataclass(frozen=True, slots=True)
class NetworkScript:
    """The script that hosts download from this console."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Network:
    """The newest measurements of a link, newest first, and the verdict."""

    verdict: NetworkVerdict
    measurements: tuple[NetworkMeasurement, ...]
    script: NetworkScript


@dataclass(frozen=True, slots=True)
class NetworkGroupLatency(GroupLatency):
    """`wsrep_evs_repl_latency`: delivery to all members of the node's own cluster."""


@dataclass(frozen=True, slots=True)
class NetworkNode:
    """What one node says by SQL; null is unknown."""

    node_id: str
    node: str
    cluster: str
    console_round_trip_ms: Annotated[float | None, "from the console, the least of ten"]
    group_latency: NetworkGroupLatency | None
    delayed: tuple[NetworkDelayed, ...] | None
    cluster_size: int | None
    error: str


@dataclass(frozen=True, slots=True)
class NetworkSql:
    """What the nodes of a link say by SQL alone."""

    read_at: datetime
    nodes: tuple[NetworkNode, ...]

"""What `hawser-network-probe` measured between two hosts. Every figure names its unit; None means unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Annotated, Any, Final

PROBE: Final = "hawser-network-probe"
"""The format of a result, and the tool of a stored one."""


@dataclass(frozen=True, slots=True)
class NetworkLatency:
    """Round trips in ms; null is unknown."""

    min_ms: float | None = None
    mean_ms: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None
    max_ms: float | None = None

    @property
    def typical_ms(self) -> float | None:
        """The median, or the mean where it is unknown."""
        return self.p50_ms if self.p50_ms is not None else self.mean_ms

    @property
    def tail_ms(self) -> float | None:
        """p95, or p99 where it is unknown: never less than p95."""
        return self.p95_ms if self.p95_ms is not None else self.p99_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkExchange:
    """Requests and responses of one size."""

    request_bytes: int | None = None
    response_bytes: int | None = None
    in_flight: Annotated[int | None, "requests that wait for a response at a time"] = None
    transactions: int | None = None
    rate_per_s: float | None = None
    sent_mbit_s: float | None = None
    received_mbit_s: float | None = None
    latency: NetworkLatency


@dataclass(frozen=True, slots=True)
class Measurement:
    """One result. `sent` is from the host that ran the client to the other one, `received` the way back.

    `packets` were sent when retransmissions were counted.
    """

    remote_address: str = ""
    measured_at_s: int | None = None
    round_trip: NetworkLatency | None = None
    exchanges: tuple[NetworkExchange, ...] = ()
    sent_mbit_s: float | None = None
    received_mbit_s: float | None = None
    packets: int | None = None
    retransmitted_percent: float | None = None
    path_mtu_bytes: int | None = None
    clock_offset_ms: float | None = None
    clock_error_ms: float | None = None
    congestion_control: str = ""
    remote_congestion_control: str = ""
    host_settings: Mapping[str, str] = field(default_factory=dict)
    remote_host_settings: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """As it is stored."""
        return asdict(self)

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Measurement:
        """Read back what `as_data` returned."""
        trip = data["round_trip"]
        exchanges = tuple(NetworkExchange(**{**one, "latency": _latency(one["latency"])}) for one in data["exchanges"])
        known = {one.name: data[one.name] for one in fields(cls)}
        return cls(**{**known, "round_trip": _latency(trip) if trip else None, "exchanges": exchanges})


def _latency(data: Mapping[str, Any]) -> NetworkLatency:
    return NetworkLatency(**{one.name: data[one.name] for one in fields(NetworkLatency)})

"""The worst figure of each fact among the measurements of a path; both directions belong to one path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from backend.core.adviser.network.limits import LARGE_WRITE_SET_BYTES, LEAST_PACKETS, SMALL_WRITE_SET_BYTES
from backend.core.adviser.network.measurement import PROBE, Measurement, NetworkExchange, NetworkLatency
from backend.core.adviser.network.values import shown

SHORT_BYTES = 2048
"""Up to here an exchange is a plain round trip."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A value, where it is from, and what it is of."""

    value: float
    source: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the verdict rests on; None is unknown."""

    round_trip: Figure | None = None
    round_trip_tail: Figure | None = None
    small_write_set: Figure | None = None
    large_write_set: Figure | None = None
    loss: Figure | None = None
    narrowest: Figure | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """A measurement and which way it ran: `forward` says from the first site to the second."""

    measurement: Measurement
    forward: bool


def evidence_of(paths: Iterable[Path]) -> Evidence:
    """Collect the figures; throughput counts only where both directions are known."""
    known = list(paths)
    measured = [path.measurement for path in known]
    return Evidence(
        round_trip=_worst(_trips(measured, lambda trip: trip.typical_ms, "typical")),
        round_trip_tail=_worst(_trips(measured, lambda trip: trip.tail_ms, "p95")),
        small_write_set=_worst(_exchanges(measured, *SMALL_WRITE_SET_BYTES, lambda one: one.tail_ms)),
        large_write_set=_worst(_exchanges(measured, LARGE_WRITE_SET_BYTES, None, lambda one: one.typical_ms)),
        loss=_worst(_losses(measured)),
        narrowest=_narrowest(known),
    )


def _worst(figures: Iterable[Figure]) -> Figure | None:
    return max(figures, key=lambda figure: figure.value, default=None)


def _trips(measured: list[Measurement], pick: Callable[[NetworkLatency], float | None], name: str) -> Iterator[Figure]:
    for one in measured:
        for trip in [*([one.round_trip] if one.round_trip else []), *_shorts(one.exchanges)]:
            value = pick(trip)
            if value is not None:
                yield Figure(value, f"{name}, {PROBE}")


def _shorts(exchanges: tuple[NetworkExchange, ...]) -> Iterator[NetworkLatency]:
    for one in exchanges:
        sizes = (one.request_bytes, one.response_bytes)
        if one.in_flight == 1 and all(size is not None and size <= SHORT_BYTES for size in sizes):
            yield one.latency


def _exchanges(
    measured: list[Measurement], least: int, most: int | None, pick: Callable[[NetworkLatency], float | None]
) -> Iterator[Figure]:
    """Single exchanges of that size where there are any, else those with several in flight."""
    found = [
        exchange
        for one in measured
        for exchange in one.exchanges
        if exchange.request_bytes is not None
        and least <= exchange.request_bytes
        and (most is None or exchange.request_bytes <= most)
    ]
    single = [exchange for exchange in found if exchange.in_flight == 1]
    for exchange in single or found:
        value = pick(exchange.latency)
        if value is not None:
            yield Figure(value, PROBE, _size(exchange))


def _size(exchange: NetworkExchange) -> str:
    size = f"{shown((exchange.request_bytes or 0) / 1024)} KB"
    return size if exchange.in_flight == 1 else f"{size} among {exchange.in_flight or 'an unknown number'} in flight"


def _losses(measured: list[Measurement]) -> Iterator[Figure]:
    """Of enough packets: none of ten lost says nothing."""
    for one in measured:
        if one.retransmitted_percent is not None and (one.packets or 0) >= LEAST_PACKETS:
            yield Figure(one.retransmitted_percent, f"{shown(one.packets or 0)} packets, {PROBE}")


def _narrowest(paths: list[Path]) -> Figure | None:
    """The least of both directions; each direction's own figure is the best that any run reached."""
    ways: dict[bool, list[Figure]] = {True: [], False: []}
    for path in paths:
        one = path.measurement
        for value, forward in ((one.sent_mbit_s, path.forward), (one.received_mbit_s, not path.forward)):
            if value is not None:
                ways[forward].append(Figure(value, PROBE))
    if not ways[True] or not ways[False]:
        return None
    return min((_worst(way) or Figure(0, "") for way in ways.values()), key=lambda figure: figure.value)

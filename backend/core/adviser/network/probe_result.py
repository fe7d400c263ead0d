"""The JSON of `hawser-network-probe`: its form, its signature, and the measurement in it."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from backend.core.adviser.network import values
from backend.core.adviser.network.measurement import PROBE, Measurement, NetworkExchange, NetworkLatency

VERSION = 1
MAX_OUTPUT_CHARS = 1_000_000
"""A pasted document is some 10 kB."""
_AGAIN = "Run hawser-network-probe again and paste its whole output."
_NAME = re.compile(r"[A-Za-z0-9_.:\-]{1,255}", re.ASCII)
_KEYS = frozenset(
    {
        "format",
        "version",
        "link_id",
        "from_node",
        "to_node",
        "from_host",
        "to_host",
        "to_address",
        "started_at",
        "seconds",
        "round_trip",
        "exchanges",
        "sent_mbit_s",
        "received_mbit_s",
        "segments",
        "retransmitted_percent",
        "path_mtu_bytes",
        "clock_offset_ms",
        "clock_error_ms",
        "signature",
    }
)
_EXCHANGE_KEYS = frozenset(
    {"request_bytes", "response_bytes", "in_flight", "transactions", "seconds", "rate_per_s", "sent_mbit_s"}
) | {"received_mbit_s", "min_ms", "mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms"}
_HOST_KEYS = frozenset({"name", "congestion_control", "settings"})
_TRIP = ("min_ms", "mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms")
MAX_EXCHANGES = 32
MAX_SETTINGS = 32


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What was measured, and between whom."""

    link_id: str
    from_node: str
    to_node: str
    measurement: Measurement


def signature_of(result: Mapping[str, Any], token: str) -> str:
    """HMAC-SHA256 under the token over the document without its signature, names sorted, without blanks."""
    signed = {name: value for name, value in result.items() if name != "signature"}
    message = json.dumps(signed, sort_keys=True, separators=(",", ":")).encode()
    return hmac.new(b"hawser-network-probe result " + token.encode(), message, hashlib.sha256).hexdigest()


def is_signed_with(result: Mapping[str, Any], token: str) -> bool:
    """Whether the document is as the holder of the token signed it."""
    given = result.get("signature")
    return isinstance(given, str) and given.isascii() and hmac.compare_digest(given, signature_of(result, token))


def parse_probe(output: str) -> ProbeResult:
    """The document as text, pasted."""
    if len(output) > MAX_OUTPUT_CHARS:
        values.refuse("result", "The output is longer than 1,000,000 characters.", _AGAIN)
    return read_probe(values.json_object(output, "hawser-network-probe"))


def read_probe(result: Mapping[str, Any]) -> ProbeResult:
    """Every field is checked; one that is missing, unknown or absurd refuses the whole."""
    if result.get("format") != PROBE:
        values.refuse("format", "This is not a result of hawser-network-probe.", _AGAIN)
    if result.get("version") != VERSION:
        values.refuse(
            "version",
            f"The result has version {str(result.get('version'))[:20]}; this console reads {VERSION}.",
            "Download the script from this console and measure again.",
        )
    _exact_keys("result", result, _KEYS)
    return ProbeResult(
        link_id=_name("link_id", result["link_id"]),
        from_node=_name("from_node", result["from_node"]),
        to_node=_name("to_node", result["to_node"]),
        measurement=_measurement(result),
    )


def _measurement(result: Mapping[str, Any]) -> Measurement:
    near, far = (_host(field, result[field]) for field in ("from_host", "to_host"))
    mtu, error, packets = (result[name] for name in ("path_mtu_bytes", "clock_error_ms", "segments"))
    return Measurement(
        _name("to_address", result["to_address"]),
        measured_at_s=_time(result["started_at"]),
        round_trip=_latency("round_trip", _object("round_trip", result["round_trip"], _EXCHANGE_KEYS)),
        exchanges=_exchanges(result["exchanges"]),
        sent_mbit_s=values.optional("sent_mbit_s", result["sent_mbit_s"], 0, values.MAX_MBIT_S),
        received_mbit_s=values.optional("received_mbit_s", result["received_mbit_s"], 0, values.MAX_MBIT_S),
        packets=None if packets is None else values.whole("segments", packets, 0, values.MAX_TRANSACTIONS),
        retransmitted_percent=values.optional("retransmitted_percent", result["retransmitted_percent"], 0, 100),
        path_mtu_bytes=None
        if mtu is None
        else values.whole("path_mtu_bytes", mtu, values.MIN_MTU_BYTES, values.MAX_MTU_BYTES),
        clock_offset_ms=values.number(
            "clock_offset_ms", result["clock_offset_ms"], -values.MAX_OFFSET_MS, values.MAX_OFFSET_MS
        ),
        clock_error_ms=values.number("clock_error_ms", error, 0, values.MAX_LATENCY_MS),
        congestion_control=near["congestion_control"],
        remote_congestion_control=far["congestion_control"],
        host_settings=near["settings"],
        remote_host_settings=far["settings"],
    )


def _exchanges(given: Any) -> tuple[NetworkExchange, ...]:
    if not isinstance(given, list) or not 0 < len(given) <= MAX_EXCHANGES:
        values.refuse("exchanges", f"exchanges must be a list of 1 to {MAX_EXCHANGES} exchanges.", _AGAIN)
    return tuple(_exchange(f"exchanges.{index}", one) for index, one in enumerate(given))


def _exchange(field: str, given: Any) -> NetworkExchange:
    one = _object(field, given, _EXCHANGE_KEYS)

    def size(name: str, most: int) -> int:
        return values.whole(f"{field}.{name}", one[name], 1, most, remedy=_AGAIN)

    def rate(name: str, most: float) -> float:
        return values.number(f"{field}.{name}", one[name], 0, most, remedy=_AGAIN)

    return NetworkExchange(
        latency=_latency(field, one),
        request_bytes=size("request_bytes", values.MAX_EXCHANGE_BYTES),
        response_bytes=size("response_bytes", values.MAX_EXCHANGE_BYTES),
        in_flight=size("in_flight", 10_000),
        transactions=size("transactions", values.MAX_TRANSACTIONS),
        rate_per_s=rate("rate_per_s", values.MAX_RATE_PER_S),
        sent_mbit_s=rate("sent_mbit_s", values.MAX_MBIT_S),
        received_mbit_s=rate("received_mbit_s", values.MAX_MBIT_S),
    )


def _latency(field: str, one: Mapping[str, Any]) -> NetworkLatency:
    for name in ("min_ms", "mean_ms", "p50_ms", "max_ms"):
        if one[name] is None:
            values.refuse(f"{field}.{name}", f"{name} is missing.", _AGAIN)
    return values.latency(field, **{name: one[name] for name in _TRIP})


def _host(field: str, given: Any) -> dict[str, Any]:
    host = _object(field, given, _HOST_KEYS)
    settings = host["settings"]
    if not isinstance(settings, dict) or len(settings) > MAX_SETTINGS:
        values.refuse(f"{field}.settings", f"settings must be up to {MAX_SETTINGS} names with text.", _AGAIN)
    for name, value in settings.items():
        if not _NAME.fullmatch(name) or not _is_short_text(value):
            values.refuse(f"{field}.settings", "A setting is not a short text.", _AGAIN)
    if not _is_short_text(host["congestion_control"]) or not _is_short_text(host["name"]):
        values.refuse(field, "name and congestion_control must be short texts.", _AGAIN)
    return host


def _is_short_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 255 and value.isascii() and value.isprintable()


def _object(field: str, given: Any, keys: frozenset[str]) -> dict[str, Any]:
    if not isinstance(given, dict):
        values.refuse(field, f"{field} is missing or is not an object.", _AGAIN)
    _exact_keys(field, given, keys)
    return given


def _exact_keys(field: str, given: Mapping[str, Any], keys: frozenset[str]) -> None:
    missing, unknown = sorted(keys - set(given)), sorted(set(given) - keys)
    if missing:
        values.refuse(missing[0] if field == "result" else f"{field}.{missing[0]}", f"{missing[0]} is missing.", _AGAIN)
    if unknown:
        values.refuse(field, f"{unknown[0][:40]!a} is not a field of this version.", _AGAIN)


def _name(field: str, given: Any) -> str:
    if not isinstance(given, str) or not _NAME.fullmatch(given):
        values.refuse(field, f"{field} is missing or is not a plain name.", _AGAIN)
    return given


def _time(given: Any) -> int:
    try:
        at = datetime.strptime(given, "%Y-%m-%dT%H:%M:%S%z")
    except (TypeError, ValueError):
        values.refuse("started_at", "started_at is not a time like 2026-11-26T18:00:00+0000.", _AGAIN)
    return int(at.timestamp())

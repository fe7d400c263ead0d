"""`iperf3 --json` of a client, over TCP: throughput one way, retransmissions, round trip and path MTU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.core.adviser.network import values
from backend.core.adviser.network.measurement import Latency, Measurement, Tool

_AGAIN = "Run iperf3 -c HOST --json again and paste its whole output."
_OLDEST_S, _LATEST_S = 946_684_800, 32_503_680_000


def parse_iperf3(output: str) -> Measurement:
    """One run; with --reverse the throughput is that of the way back."""
    result = values.json_object(output, "iperf3 --json")
    if result.get("error"):
        values.refuse("error", f"iperf3 reports: {str(result['error'])[:200]}.", "Correct that and measure again.")
    start, end = _part(result, "start"), _part(result, "end")
    test, connecting = _part(start, "test_start"), _part(start, "connecting_to")
    if test.get("protocol") != "TCP":
        values.refuse("start.test_start.protocol", "This run was not over TCP.", "Run iperf3 without --udp.")
    sent, received = _part(end, "sum_sent"), _part(end, "sum_received")
    bits = values.number("end.sum_received.bits_per_second", received.get("bits_per_second"), 0, 1e12, remedy=_AGAIN)
    is_reverse = bool(test.get("reverse"))
    mbit_s = round(values.number("throughput_mbit_s", bits / 1e6, 0, values.MAX_MBIT_S), 3)
    return Measurement(
        Tool.IPERF3,
        str(connecting.get("host", ""))[:255],
        measured_at_s=_time(start),
        round_trip=None if is_reverse else _round_trip(end),
        sent_mbit_s=None if is_reverse else mbit_s,
        received_mbit_s=mbit_s if is_reverse else None,
        retransmitted_percent=_retransmitted(start, sent),
        is_under_load=True,
        path_mtu_bytes=_path_mtu(result),
        congestion_control=_word(end.get("receiver_tcp_congestion" if is_reverse else "sender_tcp_congestion")),
        remote_congestion_control=_word(end.get("sender_tcp_congestion" if is_reverse else "receiver_tcp_congestion")),
    )


def _part(of: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = of.get(name)
    if not isinstance(found, dict):
        values.refuse(name, f"{name} is missing: the run did not end, or this is not a client's output.", _AGAIN)
    return found


def _time(start: Mapping[str, Any]) -> int:
    stamp = _part(start, "timestamp").get("timesecs")
    return values.whole("start.timestamp.timesecs", stamp, _OLDEST_S, _LATEST_S, remedy=_AGAIN)


def _round_trip(end: Mapping[str, Any]) -> Latency | None:
    """Of the sending socket while it sends: it holds what queues on the way, so only its least is a round trip."""
    streams = end.get("streams")
    first = streams[0].get("sender") if isinstance(streams, list) and streams and isinstance(streams[0], dict) else None
    least = first.get("min_rtt") if isinstance(first, dict) else None
    if not least:
        return None
    return values.latency("round_trip", min_ms=values.number("min_rtt", least, 0, values.MAX_LATENCY_MS * 1000) / 1000)


def _retransmitted(start: Mapping[str, Any], sent: Mapping[str, Any]) -> float | None:
    """Of segments of the connection's size; iperf3 counts the retransmitted ones only."""
    resent, size = sent.get("retransmits"), start.get("tcp_mss_default")
    if resent is None or not size:
        return None
    segment = values.whole("start.tcp_mss_default", size, 1, values.MAX_MTU_BYTES)
    volume = values.number("end.sum_sent.bytes", sent.get("bytes"), 1, 1e18, remedy=_AGAIN)
    count = values.number("end.sum_sent.retransmits", resent, 0, values.MAX_TRANSACTIONS)
    return min(100.0, round(100 * count * segment / volume, 4))


def _path_mtu(result: Mapping[str, Any]) -> int | None:
    intervals = result.get("intervals")
    last = intervals[-1] if isinstance(intervals, list) and intervals else None
    streams = last.get("streams") if isinstance(last, dict) else None
    first = streams[0] if isinstance(streams, list) and streams else None
    found = first.get("pmtu") if isinstance(first, dict) else None
    if not found:
        return None
    return values.whole("intervals.streams.pmtu", found, values.MIN_MTU_BYTES, values.MAX_MTU_BYTES)


def _word(value: Any) -> str:
    return value[:16] if isinstance(value, str) and value.isascii() and value.isprintable() else ""

"""`netperf -t TCP_RR`: the classic table, and the comma-separated output of `-o`."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping

from backend.core.adviser.network import values
from backend.core.adviser.network.measurement import Exchange, Latency, Measurement, Tool

_AGAIN = "Paste the whole output of netperf -t TCP_RR, from its first line MIGRATED TCP REQUEST/RESPONSE TEST."
_HEAD = re.compile(r"^(?:MIGRATED )?TCP REQUEST/RESPONSE TEST .* to (\S+) \(.*$", re.MULTILINE)
_BURST = re.compile(r"first burst (\d+)")
_TABLE = re.compile(r"^(\d+) +(\d+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) *$", re.MULTILINE)
_VERBOSE = re.compile(r"^ *\d+ +\d+ +\d+ +\d+ +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) *$", re.MULTILINE)
_COLUMNS = {
    "min_ms": "Minimum Latency Microseconds",
    "mean_ms": "Mean Latency Microseconds",
    "p50_ms": "50th Percentile Latency Microseconds",
    "p90_ms": "90th Percentile Latency Microseconds",
    "p99_ms": "99th Percentile Latency Microseconds",
    "max_ms": "Maximum Latency Microseconds",
}


def parse_netperf(output: str) -> Measurement:
    """One run. `first burst N` keeps N + 1 requests in flight."""
    text = values.plain_text(output)
    head = _HEAD.search(text)
    if head is None:
        values.refuse("result", "This is not the whole output of netperf -t TCP_RR.", _AGAIN)
    burst = _BURST.search(head[0])
    in_flight = 1 + values.whole("first burst", burst[1], 0, 10_000) if burst else None
    row = _csv_row(text[head.end() :])
    exchange = _from_row(row, in_flight) if row else _from_table(text, in_flight)
    return Measurement(Tool.NETPERF, head[1][:255], exchanges=(exchange,))


def _csv_row(rest: str) -> Mapping[str, str] | None:
    lines = [line for line in rest.splitlines() if line.strip()]
    if not lines or "," not in lines[0]:
        return None
    rows = list(csv.reader(lines[:2]))
    if len(rows) != 2 or len(rows[0]) != len(rows[1]):
        values.refuse("result", "The line of figures does not fit the line of names.", _AGAIN)
    return dict(zip(rows[0], rows[1], strict=True))


def _from_row(row: Mapping[str, str], in_flight: int | None) -> Exchange:
    found = {
        name: round(values.number(title, row[title], 0, values.MAX_LATENCY_MS * 1000, remedy=_AGAIN) / 1000, 6)
        for name, title in _COLUMNS.items()
        if title in row
    }
    if not found:
        values.refuse(
            "Mean Latency Microseconds",
            "No latency is among the columns.",
            "Run it with -o min_latency,mean_latency,p50_latency,p90_latency,p99_latency,max_latency,"
            "transaction_rate,request_size,response_size,burst_size.",
        )
    if row.get("Initial Burst Requests"):
        in_flight = 1 + values.whole("Initial Burst Requests", row["Initial Burst Requests"], 0, 10_000)
    return Exchange(
        values.latency("latency", **found),
        request_bytes=_size(row, "Request Size Bytes"),
        response_bytes=_size(row, "Response Size Bytes"),
        in_flight=in_flight,
        rate_per_s=_rate(row),
    )


def _size(row: Mapping[str, str], title: str) -> int | None:
    return values.whole(title, row[title], 1, values.MAX_EXCHANGE_BYTES, remedy=_AGAIN) if row.get(title) else None


def _rate(row: Mapping[str, str]) -> float | None:
    title = "Transaction Rate Tran/s"
    if row.get(title):
        return values.number(title, row[title], 0, values.MAX_RATE_PER_S, remedy=_AGAIN)
    if row.get("Throughput Units") == "Trans/s":
        return values.number("Throughput", row.get("Throughput"), 0, values.MAX_RATE_PER_S, remedy=_AGAIN)
    return None


def _from_table(text: str, in_flight: int | None) -> Exchange:
    """The rate, and a mean: of -v 2, or what the rate and the requests in flight make of it."""
    table, verbose = _TABLE.search(text), _VERBOSE.search(text)
    if table is None:
        values.refuse("Trans. Rate per sec", "The line with the transaction rate is missing.", _AGAIN)
    rate = values.number("Trans. Rate per sec", table[6], 0.001, values.MAX_RATE_PER_S, remedy=_AGAIN)
    mean_us = float_of("RoundTrip Latency", verbose[1]) if verbose else (in_flight or 1) * 1e6 / rate
    sent, received = (verbose[3], verbose[4]) if verbose else (None, None)
    return Exchange(
        Latency(mean_ms=round(values.number("RoundTrip Latency", mean_us / 1000, 0, values.MAX_LATENCY_MS), 6)),
        request_bytes=values.whole("Request Size", table[3], 1, values.MAX_EXCHANGE_BYTES, remedy=_AGAIN),
        response_bytes=values.whole("Resp. Size", table[4], 1, values.MAX_EXCHANGE_BYTES, remedy=_AGAIN),
        in_flight=in_flight,
        rate_per_s=rate,
        sent_mbit_s=values.optional("Throughput Outbound", sent, 0, values.MAX_MBIT_S),
        received_mbit_s=values.optional("Throughput Inbound", received, 0, values.MAX_MBIT_S),
    )


def float_of(field: str, text: str) -> float:
    """A time in microseconds."""
    return values.number(field, text, 0, values.MAX_LATENCY_MS * 1000, remedy=_AGAIN)

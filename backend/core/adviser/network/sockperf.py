"""`sockperf ping-pong` and `under-load`. It prints half of a round trip unless it ran with --full-rtt."""

from __future__ import annotations

import re

from backend.core.adviser.network import values
from backend.core.adviser.network.measurement import Exchange, Measurement, Tool

_AGAIN = "Paste the whole output of sockperf ping-pong or under-load, to the line <MIN> observation."
_HEAD = re.compile(r"^\[ ?0\] IP = (\S+)\s+PORT =\s*\d+ # (\w+)", re.MULTILINE)
_SUMMARY = re.compile(r"^sockperf: Summary: (Latency|Round trip) is ([\d.]+) usec", re.MULTILINE)
_VALID = re.compile(r"Valid Duration\] RunTime=([\d.]+) sec;.*?ReceivedMessages=(\d+)")
_TOTAL = re.compile(r"Total Run\].*?SentMessages=(\d+); ReceivedMessages=(\d+)")
_PERCENTILE = re.compile(r"^sockperf: ---> percentile (\d+\.\d+) =\s*([\d.]+)$", re.MULTILINE)
_EDGE = re.compile(r"^sockperf: ---> <(MIN|MAX)> observation =\s*([\d.]+)$", re.MULTILINE)
_NAMES = {"50": "p50_ms", "90": "p90_ms", "95": "p95_ms", "99": "p99_ms"}


def parse_sockperf(output: str) -> Measurement:
    """One run. It does not print the size of its messages, so its exchange has none."""
    text = "\n".join(line.rstrip() for line in values.plain_text(output).splitlines())
    head, summary, valid = _HEAD.search(text), _SUMMARY.search(text), _VALID.search(text)
    if head is None or summary is None or valid is None:
        values.refuse("result", "This is not the whole output of sockperf.", _AGAIN)
    to_ms = (2 if summary[1] == "Latency" else 1) / 1000
    found = {"mean_ms": _time("Summary", summary[2]) * to_ms}
    found |= {
        f"{edge.lower()}_ms": _time(f"<{edge}> observation", value) * to_ms for edge, value in _EDGE.findall(text)
    }
    for share, value in _PERCENTILE.findall(text):
        name = _NAMES.get(share.rstrip("0").rstrip("."))
        if name:
            found[name] = _time(f"percentile {share}", value) * to_ms
    if {"p50_ms", "p99_ms", "min_ms", "max_ms"} - set(found):
        values.refuse("percentile", "The percentiles are not complete.", _AGAIN)
    return _measurement(text, head, valid, found)


def _measurement(text: str, head: re.Match[str], valid: re.Match[str], found: dict[str, float]) -> Measurement:
    count = values.whole("ReceivedMessages", valid[2], 1, values.MAX_TRANSACTIONS, remedy=_AGAIN)
    seconds = values.number("RunTime", valid[1], 0.001, 86_400, remedy=_AGAIN)
    trip = values.latency("round_trip", **{name: round(value, 6) for name, value in found.items()})
    exchange = Exchange(trip, transactions=count, rate_per_s=round(count / seconds, 3))
    sent, lost = _lost(text, head[2])
    return Measurement(Tool.SOCKPERF, head[1][:255], exchanges=(exchange,), packets=sent, lost_percent=lost)


def _lost(text: str, protocol: str) -> tuple[int | None, float | None]:
    """Over UDP only: TCP hides a lost packet behind a late one."""
    total = _TOTAL.search(text)
    if protocol != "UDP" or total is None:
        return None, None
    sent = values.whole("SentMessages", total[1], 1, values.MAX_TRANSACTIONS, remedy=_AGAIN)
    received = values.whole("ReceivedMessages", total[2], 0, sent, remedy=_AGAIN)
    return sent, round(100 * (sent - received) / sent, 4)


def _time(field: str, text: str) -> float:
    return values.number(field, text, 0, values.MAX_LATENCY_MS * 1000, remedy=_AGAIN)

"""`ping` of iputils (and of BusyBox): the summary, and single lines for percentiles."""

from __future__ import annotations

import re

from backend.core.adviser.network import values
from backend.core.adviser.network.measurement import Latency, Measurement, Tool
from backend.core.adviser.network.percentiles import percentiles_of

_AGAIN = "Paste the whole output, from PING to the last line."
_HEAD = re.compile(r"^PING \S+ \(([^)\s]+)\)", re.MULTILINE)
_COUNTS = re.compile(r"^(\d+) packets transmitted, (\d+) (?:packets )?received,", re.MULTILINE)
_TIMES = re.compile(
    r"^(?:rtt|round-trip) min/avg/max(?:/(?:mdev|stddev))? = ([\d.]+)/([\d.]+)/([\d.]+)(?:/[\d.]+)? ms", re.MULTILINE
)
_LINE = re.compile(r"^\d+ bytes from .* time=([\d.]+) ms$", re.MULTILINE)


def parse_ping(output: str) -> Measurement:
    """Loss and round trips. A ping alone never says how a write-set travels."""
    text = values.plain_text(output)
    head, counts = _HEAD.search(text), _COUNTS.search(text)
    if head is None or counts is None:
        values.refuse("result", "This is not the whole output of ping: its first line or summary is missing.", _AGAIN)
    sent = values.whole("packets transmitted", counts[1], 1, values.MAX_TRANSACTIONS, remedy=_AGAIN)
    received = values.whole("packets received", counts[2], 0, sent, remedy=_AGAIN)
    lost = round(100 * (sent - received) / sent, 4)
    return Measurement(Tool.PING, head[1], round_trip=_round_trip(text, received), packets=sent, lost_percent=lost)


def _round_trip(text: str, received: int) -> Latency | None:
    if received == 0:
        return None
    times = _TIMES.search(text)
    if times is None:
        values.refuse("result", "The line with rtt min/avg/max is missing.", _AGAIN)
    single = [values.number("time", one, 0, values.MAX_LATENCY_MS, remedy=_AGAIN) for one in _LINE.findall(text)]
    known = {"min_ms": float_of(times[1]), "mean_ms": float_of(times[2]), "max_ms": float_of(times[3])}
    return values.latency("round_trip", **known, **(percentiles_of(single) if len(single) == received else {}))


def float_of(text: str) -> float:
    """A time of the summary."""
    return values.number("rtt", text, 0, values.MAX_LATENCY_MS, remedy=_AGAIN)

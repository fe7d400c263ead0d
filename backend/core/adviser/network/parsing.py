"""Reads the output of a tool that an operator pasted."""

from __future__ import annotations

from collections.abc import Callable

from backend.core.adviser.network import values
from backend.core.adviser.network.iperf3 import parse_iperf3
from backend.core.adviser.network.measurement import Measurement, Tool
from backend.core.adviser.network.netperf import parse_netperf
from backend.core.adviser.network.ping import parse_ping
from backend.core.adviser.network.sockperf import parse_sockperf

MAX_OUTPUT_CHARS = 1_000_000
"""A minute of `iperf3 --json` is 40 kB, an hour of single lines of ping 250 kB."""

_PARSERS: dict[Tool, Callable[[str], Measurement]] = {
    Tool.IPERF3: parse_iperf3,
    Tool.SOCKPERF: parse_sockperf,
    Tool.NETPERF: parse_netperf,
    Tool.PING: parse_ping,
}


def parse_output(tool: Tool, output: str) -> Measurement:
    """The measurement in it, or a ResultError."""
    if len(output) > MAX_OUTPUT_CHARS:
        values.refuse("result", "The output is longer than 1,000,000 characters.", "Measure for a shorter time.")
    return _PARSERS[tool](output)

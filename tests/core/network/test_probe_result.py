"""Outputs of real tools in, figures with units out; a damaged output is an error with a field, never a number.

The samples of iperf3 3.12, sockperf 3.7 and iputils ping 20221126 were recorded over loopback; those of netperf follow
its sources and manual, with the figures of the 2014 article.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.network.measurement import Measurement, Tool
from backend.core.adviser.network.parsing import MAX_OUTPUT_CHARS, parse_output
from backend.core.adviser.network.probe_result import is_signed_with, parse_probe, read_probe, signature_of
from backend.core.adviser.network.values import ResultError
from tests.core.builders.examples import examples

SAMPLES = Path(__file__).parent / "samples"
TOKEN = "abcdefghijklmnopqrstuvwxyz"


def sample(name: str) -> str:
    """A recorded output."""
    return (SAMPLES / name).read_text()


def probe(**changes: Any) -> dict[str, Any]:
    """The recorded document of the script, changed."""
    return {**json.loads(sample("probe.json")), **changes}


def refused(read: Callable[[], object]) -> ResultError:
    """The error of a result that is not taken."""
    with pytest.raises(ResultError) as caught:
        read()
    assert "Nothing was stored." in caught.value.message
    return caught.value


def test_ping__recorded__summary_and_percentiles_that_five_times_support() -> None:
    found = parse_output(Tool.PING, sample("ping.txt"))
    assert (found.remote_address, found.packets, found.lost_percent) == ("127.0.0.1", 5, 0.0)
    assert found.round_trip is not None
    assert (found.round_trip.min_ms, found.round_trip.mean_ms, found.round_trip.max_ms) == (0.027, 0.124, 0.507)
    assert (found.round_trip.p50_ms, found.round_trip.p95_ms) == (0.028, None)


def test_ping__quiet_or_all_lost__no_percentiles_or_no_round_trip() -> None:
    summary = parse_output(Tool.PING, sample("ping-quiet.txt"))
    assert summary.round_trip is not None
    assert summary.round_trip.p50_ms is None
    lost = (
        "PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n\n--- 192.0.2.1 ping statistics ---\n"
        "2 packets transmitted, 0 received, 100% packet loss, time 1004ms\n"
    )
    found = parse_output(Tool.PING, lost)
    assert (found.round_trip, found.lost_percent) == (None, 100.0)


def test_iperf3__recorded__direction_rate_mtu_and_time() -> None:
    there, back = (parse_output(Tool.IPERF3, sample(name)) for name in ("iperf3.json", "iperf3-reverse.json"))
    assert (there.sent_mbit_s, there.received_mbit_s, there.path_mtu_bytes) == (200.246, None, 65535)
    assert there.measured_at_s == 1795717743
    assert (there.congestion_control, there.retransmitted_percent, there.is_under_load) == ("bbr", 0.0, True)
    assert there.round_trip is not None
    assert there.round_trip.min_ms == 0.041
    assert back.sent_mbit_s is None
    assert back.received_mbit_s is not None


@pytest.mark.parametrize(
    ("name", "field"), [("iperf3-udp.json", "start.test_start.protocol"), ("iperf3-refused.json", "error")]
)
def test_iperf3__not_a_tcp_result__names_the_field(name: str, field: str) -> None:
    assert refused(lambda: parse_output(Tool.IPERF3, sample(name))).field == field


def test_sockperf__half_of_a_round_trip__is_doubled_unless_full_rtt() -> None:
    half, full = (
        parse_output(Tool.SOCKPERF, sample(f"sockperf-{name}.txt")).exchanges[0] for name in ("ping-pong", "full-rtt")
    )
    assert half.latency.p50_ms == pytest.approx(2 * 9.443 / 1000)
    assert full.latency.p50_ms == pytest.approx(8.646 / 1000)
    assert (half.latency.p95_ms, half.request_bytes, half.transactions) == (None, None, 270)
    assert parse_output(Tool.SOCKPERF, sample("sockperf-under-load.txt")).exchanges[0].transactions == 2


def test_netperf__table__sizes_burst_and_the_mean_of_the_article() -> None:
    verbose = parse_output(Tool.NETPERF, sample("netperf-verbose.txt")).exchanges[0]
    assert (verbose.request_bytes, verbose.in_flight, verbose.rate_per_s) == (32768, 7, 97.5)
    assert (verbose.latency.mean_ms, verbose.sent_mbit_s) == (71.794872, 25.559)
    table = parse_output(Tool.NETPERF, sample("netperf-table.txt")).exchanges[0]
    assert table.latency.mean_ms == pytest.approx(2592.59, abs=0.1)
    omni = parse_output(Tool.NETPERF, sample("netperf-omni.txt")).exchanges[0]
    assert (omni.latency.p50_ms, omni.latency.p99_ms, omni.in_flight, omni.response_bytes) == (25.2, 31.0, 1, 32768)


def test_probe__recorded__read_and_its_signature_holds() -> None:
    found = parse_probe(sample("probe.json"))
    assert (found.link_id, found.from_node, found.to_node) == ("l_a", "db-a1", "db-b1")
    assert [one.in_flight for one in found.measurement.exchanges] == [1, 7, 7, 1, 7]
    assert is_signed_with(probe(), TOKEN)
    assert Measurement.of_data(json.loads(json.dumps(found.measurement.as_data()))) == found.measurement


@pytest.mark.parametrize("change", [{"link_id": "l_b"}, {"sent_mbit_s": 1.0}, {"signature": "0" * 64}])
def test_probe__changed_after_it_was_signed__signature_fails(change: dict[str, Any]) -> None:
    assert not is_signed_with(probe(**change), TOKEN)
    assert not is_signed_with(probe(), TOKEN + "x")
    assert signature_of(probe(), TOKEN) == probe()["signature"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": 2}, "version"),
        ({"format": "other"}, "format"),
        ({"exchanges": []}, "exchanges"),
        ({"path_mtu_bytes": 12}, "path_mtu_bytes"),
        ({"sent_mbit_s": 1e9}, "sent_mbit_s"),
        ({"started_at": "yesterday"}, "started_at"),
        ({"retransmitted_percent": -1}, "retransmitted_percent"),
        ({"clock_error_ms": None}, "clock_error_ms"),
        ({"from_node": "<b>"}, "from_node"),
        ({"round_trip": {**probe()["round_trip"], "p50_ms": 9e9}}, "round_trip.p50_ms"),
        ({"round_trip": {**probe()["round_trip"], "p50_ms": 0.0}}, "round_trip.p50_ms"),
        ({"exchanges": [{**probe()["round_trip"], "request_bytes": 2**40}]}, "exchanges.0.request_bytes"),
        ({"exchanges": [{**probe()["round_trip"], "extra": 1}]}, "exchanges.0"),
    ],
)
def test_probe__absurd_field__is_named(change: dict[str, Any], field: str) -> None:
    assert refused(lambda: read_probe(probe(**change))).field == field


def test_probe__a_field_missing_or_unknown__is_named() -> None:
    document = probe()
    del document["segments"]
    assert refused(lambda: read_probe(document)).field == "segments"
    assert "'more'" in refused(lambda: read_probe(probe(more=1))).message


NAMES = [
    (Tool.PING, "ping.txt"),
    (Tool.IPERF3, "iperf3.json"),
    (Tool.SOCKPERF, "sockperf-ping-pong.txt"),
    (Tool.NETPERF, "netperf-verbose.txt"),
    (Tool.NETPERF, "netperf-omni.txt"),
]


def none_of(error: ResultError) -> None:
    """An error that an operator can act on."""
    assert error.field
    assert error.message.endswith((".", "}"))


def takes(tool: Tool, output: str) -> Measurement | None:
    """The measurement, or None where it is refused with a field; any other exception fails the test."""
    try:
        found = parse_probe(output).measurement if tool is Tool.PROBE else parse_output(tool, output)
    except ResultError as error:
        return none_of(error)
    for name, value in dataclasses.asdict(found).items():
        assert not isinstance(value, float) or value >= 0 or name == "clock_offset_ms"
    return found


@examples(60)
@given(st.sampled_from([*NAMES, (Tool.PROBE, "probe.json")]), st.floats(0, 1))
def test_output__cut_anywhere__refused_or_the_same_figures(which: tuple[Tool, str], share: float) -> None:
    tool, name = which
    whole = sample(name)
    found = takes(tool, whole[: int(len(whole) * share)])
    if tool in (Tool.IPERF3, Tool.PROBE) and share < 0.98:
        assert found is None


@examples(150)
@given(st.sampled_from([*NAMES, (Tool.PROBE, "probe.json")]), st.data())
def test_output__garbled__refused_or_sane(which: tuple[Tool, str], data: st.DataObject) -> None:
    tool, name = which
    whole = sample(name)
    at = data.draw(st.integers(0, len(whole)))
    junk = data.draw(
        st.text(max_size=6) | st.sampled_from(["-", "9" * 30, "NaN", "1e999", "null", "[]", "{}", '"', "\x00", "٣"])
    )
    takes(tool, whole[:at] + junk + whole[at + len(junk) :])


@examples(60)
@given(st.sampled_from(list(Tool)), st.text(max_size=200))
def test_output__anything__never_a_measurement_or_a_crash(tool: Tool, output: str) -> None:
    assert takes(tool, output) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@examples(150)
@given(st.sampled_from(sorted(probe())), JSON)
def test_probe__any_field_of_any_type__refused_or_sane(field: str, value: Any) -> None:
    try:
        read_probe(probe(**{field: value}))
    except ResultError as error:
        none_of(error)


def test_output__too_long__refused_before_it_is_read() -> None:
    assert refused(lambda: parse_output(Tool.PING, " " * (MAX_OUTPUT_CHARS + 1))).field == "result"

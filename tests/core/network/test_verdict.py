"""The verdict: a refusal needs one fact, a permission needs all, and each reason names its figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.network.evidence import Path as MeasuredPath
from backend.core.adviser.network.evidence import evidence_of
from backend.core.adviser.network.measurement import Measurement, NetworkExchange, NetworkLatency
from backend.core.adviser.network.probe_result import read_probe
from backend.core.adviser.network.verdict import Demand, Effect, Kind, Verdict, judge
from tests.core.builders.examples import examples

SAMPLES = Path(__file__).parent / "samples"


def exchange(latency: NetworkLatency, request_bytes: int) -> NetworkExchange:
    return NetworkExchange(latency=latency, request_bytes=request_bytes, response_bytes=32768, in_flight=1)


def line(
    ms: float = 10.0, *, large_ms: float = 60.0, lost: float = 0.0, mbit_s: float = 900.0, tail_ms: float | None = None
) -> Measurement:
    """What the probe found on a line with this round trip."""
    trip = NetworkLatency(ms, ms, ms, tail_ms or ms, tail_ms or ms, tail_ms or ms)
    large = NetworkLatency(large_ms, large_ms, large_ms, large_ms, large_ms, large_ms)
    return Measurement(
        round_trip=trip,
        exchanges=(exchange(trip, 32768), exchange(large, 2**20)),
        sent_mbit_s=mbit_s,
        received_mbit_s=mbit_s,
        packets=5000,
        retransmitted_percent=lost,
    )


def judged(*measured: Measurement, demand: Demand | None = None) -> Verdict:
    """The verdict on measurements that ran forward."""
    return judge(evidence_of(MeasuredPath(one, forward=True) for one in measured), demand or Demand())


def effects(verdict: Verdict, effect: Effect) -> set[str]:
    """Codes of the reasons with this effect."""
    return {reason.code for reason in verdict.reasons if reason.effect is effect}


def test_nothing_measured__unknown__each_missing_fact_is_named() -> None:
    found = judged()
    assert found.kind is Kind.UNKNOWN
    assert effects(found, Effect.MISSING) == {"round_trip", "small_write_set", "large_write_set", "loss", "throughput"}


@pytest.mark.parametrize(
    ("measured", "kind", "against"),
    [
        (line(0.5, large_ms=9), Kind.SYNCHRONOUS, set()),
        (line(0.5, large_ms=9, mbit_s=100), Kind.SEGMENTS, set()),
        (line(10), Kind.SEGMENTS, set()),
        (line(10, lost=0.5), Kind.SEGMENTS, set()),
        (line(30), Kind.ASYNCHRONOUS, {"commit_time"}),
        (line(10, tail_ms=80), Kind.ASYNCHRONOUS, {"round_trip_tail", "small_write_set"}),
        (line(10, large_ms=900), Kind.ASYNCHRONOUS, {"large_write_set"}),
        (line(10, lost=1.0), Kind.ASYNCHRONOUS, {"loss"}),
    ],
)
def test_line__its_figures__decide(measured: Measurement, kind: Kind, against: set[str]) -> None:
    found = judged(measured)
    assert (found.kind, effects(found, Effect.AGAINST)) == (kind, against)


def test_peak_rate__more_than_half_the_line__against_and_copies_need_segments() -> None:
    fast = line(0.5, large_ms=9)
    assert judged(fast, demand=Demand(peak_write_mbit_s=300, remote_nodes=3)).kind is Kind.SEGMENTS
    assert judged(fast, demand=Demand(peak_write_mbit_s=300, remote_nodes=1)).kind is Kind.SYNCHRONOUS
    assert judged(fast, demand=Demand(peak_write_mbit_s=800)).kind is Kind.ASYNCHRONOUS


def test_article__round_trip_of_400_ms__asynchronous_by_it_alone() -> None:
    found = judged(Measurement(round_trip=NetworkLatency(398, 400, None, None, None, 410), packets=10))
    assert found.kind is Kind.ASYNCHRONOUS
    assert "400 ms" in found.reasons[0].sentence


@pytest.mark.parametrize("gone", ["round_trip", "exchanges", "sent_mbit_s", "packets", "retransmitted_percent"])
def test_one_fact_unknown__never_passes(gone: str) -> None:
    without = replace(line(0.5, large_ms=9), **{gone: () if gone == "exchanges" else None})
    assert judged(without).kind is Kind.UNKNOWN


def test_two_measurements__the_worse_figure_counts() -> None:
    assert judged(line(10), line(40)).kind is Kind.ASYNCHRONOUS


def test_throughput__each_way_from_its_own_run() -> None:
    there = Measurement(sent_mbit_s=900.0)
    found = evidence_of(
        [MeasuredPath(there, forward=True), MeasuredPath(replace(there, sent_mbit_s=80.0), forward=False)]
    )
    assert found.narrowest is not None
    assert found.narrowest.value == 80.0
    assert evidence_of([MeasuredPath(there, forward=True)]).narrowest is None


def test_recorded_probe__on_loopback__passes() -> None:
    probe = read_probe(json.loads((SAMPLES / "probe.json").read_text())).measurement
    assert judged(probe).kind in (Kind.SYNCHRONOUS, Kind.SEGMENTS)


@examples(150)
@given(st.floats(0.01, 500), st.floats(0.01, 5000), st.floats(0, 100), st.floats(0.1, 10_000), st.floats(1, 5))
def test_a_worse_line__never_a_better_verdict(
    ms: float, large_ms: float, lost: float, mbit_s: float, by: float
) -> None:
    order = [Kind.SYNCHRONOUS, Kind.SEGMENTS, Kind.ASYNCHRONOUS]
    better = judged(line(ms, large_ms=large_ms, lost=lost, mbit_s=mbit_s))
    worse = judged(line(ms * by, large_ms=large_ms * by, lost=min(100, lost * by), mbit_s=mbit_s / by))
    assert order.index(better.kind) <= order.index(worse.kind)

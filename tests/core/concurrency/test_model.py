"""Triangles, rates and large write-sets against the lab's figures; absurd inputs by the name of their field."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.concurrency.delays import delays_given
from backend.core.adviser.concurrency.measured import CELLS, NO_DISTANCE_MS, ConcurrencyCell
from backend.core.adviser.concurrency.model import Range, commits_per_s, factors, write_set_ms, writers_for
from backend.core.estimates import FieldError, Unknown


def three(d12: float, d13: float, d23: float) -> list[list[float]]:
    return [[0, d12, d13], [d12, 0, d23], [d13, d23, 0]]


@pytest.mark.parametrize(
    ("delays", "measured"),
    [
        (three(0, 25, 25), (51.2, 51.2, 51.7)),
        (three(25, 25, 25), (77.6, 77.0, 77.4)),
        (three(10, 25, 30), (66.4, 66.7, 66.4)),
        (three(5, 50, 25), (101.1, 81.3, 101.0)),
        ([[0, 25], [25, 0]], (51.8, 51.7)),
        ([[0, 10], [40, 0]], (51.3, 51.2)),
    ],
)
def test_triangle__as_measured__one_to_four_milliseconds_below(
    delays: list[list[float]], measured: tuple[float, ...]
) -> None:
    found = delays_given(delays)
    for writer, seen in enumerate(measured):
        assert 0 <= seen - found.triangle(writer).ms <= 4


def test_triangle__arbitrator_at_a_third_site__counts_as_a_site() -> None:
    assert delays_given(three(25, 25, 25)).triangle(0).ms == 75
    assert delays_given([[0, 25], [25, 0]]).triangle(0).ms == 50


@given(st.floats(0, 1000), st.floats(0, 1000), st.floats(0, 1000))
def test_triangle__three_sites__from_one_round_trip_to_the_sum_of_all(a: float, b: float, c: float) -> None:
    found = delays_given(three(a, b, c))
    assert found.round_trip(0) <= found.triangle(0).ms <= 2 * (a + b + c)


@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.delay_ms != NO_DISTANCE_MS and cell.threads <= 16])
def test_model__up_to_16_threads__within_a_quarter_of_the_lab(cell: ConcurrencyCell) -> None:
    for seen, model in ((cell.lab_s, cell.model_s), (cell.lab_large_window_s, cell.model_large_window_s)):
        assert seen is None or model == pytest.approx(seen, rel=0.25)


def test_model__no_distance__unknown() -> None:
    assert (CELLS[0].delay_ms, CELLS[0].model_s) == (NO_DISTANCE_MS, None)


@given(st.integers(1, 5_000), st.floats(0.1, 1_000), st.integers(2, 600))
def test_rate__one_more_writer__never_less(writers: int, latency: float, window: int) -> None:
    fewer, more = (commits_per_s(n, latency, window, None) for n in (writers, writers + 1))
    assert fewer.low <= fewer.high
    assert more.low >= fewer.low * 0.999


def test_rate__near_and_own_rate_unknown__no_figure() -> None:
    """What 64 writers would reach over 0.1 ms by distance alone is no rate of any cluster."""
    assert commits_per_s(64, 4.9, 2, None) == Range(math.inf, math.inf)
    assert commits_per_s(64, 5, 2, None).high < 13_000
    assert commits_per_s(1, 1, 2, 2_000).high < 1_000
    assert isinstance(writers_for(100, 4.9, 2, None), Unknown)
    assert (writers_for(900, 1, 2, 2_000), writers_for(1_500, 1, 2, 2_000)) == (1, 2)


def test_factors__between_the_measured_windows__only_bounds() -> None:
    assert factors(16, 2) == Range(1.7, 1.7)
    assert factors(16, 512) == Range(1.04, 1.04)
    assert factors(64, 32) == Range(1.04, 1.7)
    assert factors(2, 2) == factors(2, 16) == Range(1.04, 1.04)


@given(st.floats(0.1, 1e5), st.floats(1, 500), st.sampled_from([2, 16, 512]))
def test_writers_for__a_rate__the_fewest_that_reach_it(wanted: float, latency: float, window: int) -> None:
    found = writers_for(wanted, latency, window, None)
    if isinstance(found, Unknown):
        return
    assert commits_per_s(found, latency, window, None).low >= wanted
    assert found == 1 or commits_per_s(found - 1, latency, window, None).low < wanted


def test_writers_for__more_than_the_cluster_s_own_rate__unknown() -> None:
    assert isinstance(writers_for(3_000, 50, 2, 2_000), Unknown)
    assert isinstance(writers_for(3_000, 0, 2, None), Unknown)


@pytest.mark.parametrize(("size", "seen"), [(0, 52), (120 * 1024, 157), (2**20, 939)])
def test_write_set__default_window__as_measured(size: int, seen: float) -> None:
    assert write_set_ms(size, 50, 2) == pytest.approx(seen, rel=0.1)


@pytest.mark.parametrize(
    ("rows", "field"),
    [
        ([[0]], "delays_ms"),
        ([[0, 1], [1]], "delays_ms"),
        ([[0, -1], [1, 0]], "delays_ms[1][2]"),
        ([[0, float("nan")], [1, 0]], "delays_ms[1][2]"),
        ([[5, 1], [1, 0]], "delays_ms[1][1]"),
        ([[0] * 17] * 17, "delays_ms"),
    ],
)
def test_delays__absurd__names_the_field(rows: list[list[float]], field: str) -> None:
    with pytest.raises(FieldError) as refused:
        delays_given(rows)
    assert refused.value.field == field


def test_others__absurd__name_their_field() -> None:
    for field, call in (
        ("writer", lambda: delays_given([[0, 1], [1, 0]]).triangle(2)),
        ("writers", lambda: factors(0, 2)),
        ("send_window", lambda: factors(1, 0)),
        ("own_rate_per_s", lambda: commits_per_s(1, 50, 2, 0)),
        ("wanted_per_s", lambda: writers_for(0, 50, 2, None)),
        ("write_set_bytes", lambda: write_set_ms(-1, 50, 2)),
    ):
        with pytest.raises(FieldError) as refused:
            call()
        assert refused.value.field == field

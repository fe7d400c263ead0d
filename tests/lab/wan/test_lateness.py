"""Percentiles of the router's own lateness, and when it calls a measurement disturbed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deploy.lab.wan.lateness import Health, Lateness


def test_lateness__nothing_sent__zero_everywhere() -> None:
    assert Lateness().to_json() == {"packets": 0, "mean_ms": 0.0, "p50_ms": 0.0, "p99_ms": 0.0, "max_ms": 0.0}


def test_lateness__one_in_fifty_late__in_the_99th_percentile_and_not_in_the_median() -> None:
    lateness = Lateness()
    for number in range(1000):
        lateness.record(0.0301 if number % 50 == 0 else 0.0002)
    assert lateness.percentile_ms(50) == pytest.approx(0.3)
    assert lateness.percentile_ms(99) == pytest.approx(30.1)


def test_lateness__beyond_the_steps__in_the_last_one() -> None:
    lateness = Lateness()
    lateness.record(9.0)
    assert lateness.to_json()["max_ms"] == 9000
    assert lateness.percentile_ms(99) == pytest.approx(2000.1)


@given(st.lists(st.floats(0, 0.05), min_size=1, max_size=200), st.sampled_from([50, 90, 99]))
def test_percentile__any_values__at_most_one_step_beside_the_exact_one(values: list[float], percent: int) -> None:
    lateness = Lateness()
    for value in values:
        lateness.record(value)
    exact = sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]
    assert lateness.percentile_ms(percent) == pytest.approx(exact * 1000, abs=0.11)


@pytest.mark.parametrize(
    ("health", "word"),
    [
        (Health(1.2, 0.0, 0), "1.2 ms late"),
        (Health(0.5, 3.1, 0), r"waited 3\.1 %"),
        (Health(0.5, None, 0), "does not say"),
        (Health(0.5, 0.0, 7), "dropped 7 packets"),
    ],
)
def test_health__one_limit_passed__disturbed_for_that_reason(health: Health, word: str) -> None:
    (reason,) = health.disturbances()
    assert re.search(word, reason)


def test_health__within_every_limit__not_disturbed() -> None:
    assert Health(1.0, 2.0, 0).disturbances() == []

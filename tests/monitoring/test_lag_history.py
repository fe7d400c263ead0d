"""The history of the lag: rolled up without loss, a gap stays a gap, and unknown stays unknown."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from backend.clusters.models import Link
from backend.core.link_state import LinkState
from backend.core.link_state.ranks import RANKS, state_of_rank
from backend.monitoring.lag_history import rollup
from backend.monitoring.lag_history.aggregation import MEASURES
from backend.monitoring.lag_history.archives import Archive, Resolution, archives, automatic, chosen
from backend.monitoring.lag_history.curve import begins_at, points
from backend.monitoring.models import LagBucket, LagProgress, LagSample
from tests.core.builders.examples import examples

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
VALUES = st.none() | st.integers(0, 2**31 - 1)
SAMPLES = st.lists(
    st.tuples(st.integers(0, 1_500_000), VALUES, VALUES, st.sampled_from(sorted(RANKS.values()))),
    min_size=1,
    max_size=25,
    unique_by=lambda sample: sample[0],
)
"""Of twenty-five minutes: milliseconds since noon, transactions and seconds behind, the state."""


def store(link: Link, samples: Iterable[tuple[int, int | None, int | None, int]]) -> None:
    LagSample.objects.bulk_create(
        LagSample(
            link=link,
            at=NOON + timedelta(milliseconds=ms),
            forward_gap=gap,
            forward_lag_s=lag_s,
            reverse_gap=lag_s,
            reverse_lag_s=gap,
            state_rank=rank,
        )
        for ms, gap, lag_s, rank in samples
    )


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass rolls up and deletes whatever there is."""
    monkeypatch.setattr(rollup, "ROLLED_AT_ONCE", 100_000)
    monkeypatch.setattr(rollup, "DELETED_AT_ONCE", 1_000_000)


def passes(*minutes: float) -> None:
    """A pass at each of these minutes after noon."""
    for minute in minutes:
        rollup.roll_up(NOON + timedelta(minutes=minute))


def rows(width_s: int) -> list[dict[str, Any]]:
    return list(LagBucket.objects.filter(width_s=width_s).order_by("at").values())


def _expected(values: list[int | None]) -> dict[str, int | None]:
    known = [value for value in values if value is not None]
    return {
        "min": min(known, default=None),
        "max": max(known, default=None),
        "sum": sum(known) if known else None,
        "known": len(known),
    }


@settings(examples(10, few=3), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(samples=SAMPLES, between=st.integers(1, 25))
def test_buckets__of_any_samples__have_their_minimum_average_maximum_and_worst_state(
    stored_link: Link, at_once: None, samples: list[tuple[int, int | None, int | None, int]], between: int
) -> None:
    for model in (LagSample, LagBucket, LagProgress):
        model.objects.all().delete()
    store(stored_link, samples)
    passes(between, 32)
    for width_s in (10, 60, 600):
        slots: dict[int, list[tuple[int, int | None, int | None, int]]] = {}
        for sample in samples:
            slots.setdefault(sample[0] // (width_s * 1000), []).append(sample)
        found = rows(width_s)
        assert [row["at"] for row in found] == [NOON + timedelta(seconds=width_s * slot) for slot in sorted(slots)]
        for row, slot in zip(found, sorted(slots), strict=True):
            _, gaps, lags, ranks = zip(*slots[slot], strict=True)
            assert (row["samples"], row["state_rank"]) == (len(ranks), max(ranks))
            for name, values in zip(MEASURES, (gaps, lags, lags, gaps), strict=True):
                assert {part: row[f"{name}_{part}"] for part in ("min", "max", "sum", "known")} == _expected(values)


def test_roll_up__a_second_time__changes_nothing(stored_link: Link, at_once: None) -> None:
    store(stored_link, [(ms, ms, None, 0) for ms in range(0, 1_200_000, 5000)])
    passes(30)
    before = [rows(width_s) for width_s in (10, 60, 600)]
    LagProgress.objects.all().delete()
    passes(13, 30, 30)
    assert [rows(width_s) for width_s in (10, 60, 600)] == before


def test_roll_up__monitor_was_down_for_hours__the_gap_stays_and_is_passed_at_once(stored_link: Link) -> None:
    store(stored_link, [(0, 1, 1, 0), (4 * 3_600_000, 2, 2, 0)])
    passes(10, 241.5, 241.6, 241.7)
    assert [row["forward_gap_max"] for row in rows(10)] == [1, 2]


def test_roll_up__backlog__is_worked_off_over_several_passes(stored_link: Link) -> None:
    store(stored_link, [(ms, 1, 1, 0) for ms in range(0, 1_200_000, 10_000)])
    counts = []
    for _ in range(5):
        passes(60)
        counts.append(len(rows(10)))
    assert counts == [30, 60, 90, 120, 120]


def test_roll_up__clock_was_an_hour_ahead__goes_on_at_once(stored_link: Link) -> None:
    passes(60)
    store(stored_link, [(60_000, 7, 0, 0)])
    passes(1, 2)
    assert [row["forward_gap_max"] for row in rows(10)] == [7]


def test_roll_up__fifty_links__takes_as_many_statements_as_one(
    stored_link: Link, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    more_links = Link.objects.bulk_create(
        Link(
            id=f"l_{number}",
            name=f"link-{number}",
            active_cluster=stored_link.active_cluster,
            standby_cluster=stored_link.standby_cluster,
            home_cluster=stored_link.home_cluster,
        )
        for number in range(2, 51)
    )
    for link in (stored_link, *more_links):
        store(link, [(ms, 1, 1, 0) for ms in range(0, 20_000, 1000)])
    passes(0.7)
    with django_assert_max_num_queries(20):
        passes(0.9)
    assert LagBucket.objects.filter(width_s=10).count() == 100


def test_retention__of_each_resolution__deletes_what_is_older(stored_link: Link, at_once: None) -> None:
    store(stored_link, [(ms, 1, 1, 0) for ms in range(0, 7_200_000, 60_000)])
    passes(150)
    assert LagSample.objects.count() == 30
    days = []
    for day in (1.5, 3, 9, 60, 91):
        passes(day * 1440)
        days.append([len(rows(width_s)) for width_s in (10, 60, 600)])
    assert days == [[0, 120, 12], [0, 120, 12], [0, 0, 12], [0, 0, 12], [0, 0, 0]]


def test_retention__shortened__is_applied_over_several_passes(stored_link: Link) -> None:
    store(stored_link, [(ms, 1, 1, 0) for ms in range(0, 1_200_000, 1000)])
    counts = []
    for _ in range(4):
        passes(24 * 60)
        counts.append(LagSample.objects.count())
    assert counts == [1200, 1080, 960, 840]


def test_retention__what_is_not_rolled_up_to_the_coarsest__stays(
    stored_link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollup, "DELETED_AT_ONCE", 1_000_000)
    store(stored_link, [(0, 1, 1, 0), (6_000_000, 1, 1, 0)])
    for _ in range(8):
        passes(600)
        assert LagSample.objects.count() + sum(row["samples"] for row in rows(600)) >= 2
    assert (LagSample.objects.count(), len(rows(600))) == (0, 2)


def test_curve__coarse__goes_on_with_samples_to_the_present(stored_link: Link, at_once: None) -> None:
    store(stored_link, [(ms, 5 if ms < 1_500_000 else 9, None, 0) for ms in range(0, 1_800_000, 1000)])
    passes(30)
    end = NOON + timedelta(minutes=30)
    found = list(points("l_1", Resolution(Archive(600, timedelta(days=90)), 1200), NOON, end))
    assert [(p["samples"], p["forward_gap"], p["forward_gap_max"], p["forward_lag_s_unknown"]) for p in found] == [
        (1200, 5, 5, 1200),
        (600, 7, 9, 600),
    ]
    assert begins_at("l_1") == NOON


def test_curve__span_without_samples__has_no_points_and_none_is_zero(stored_link: Link) -> None:
    store(stored_link, [(0, None, 3, 20), (90_000, 4, None, 0)])
    found = list(points("l_1", Resolution(archives()[0], 10), NOON, NOON + timedelta(minutes=2), ("forward",)))
    assert [(p["at"], p["state"], p["forward_gap"], p["forward_gap_unknown"]) for p in found] == [
        (NOON, "unknown", None, 1),
        (NOON + timedelta(seconds=90), "protected", 4, 0),
    ]
    assert "reverse_gap" not in found[0]


@pytest.mark.parametrize(
    ("minutes", "count", "expected"),
    [(15, 900, (1, 1)), (15, 450, (1, 2)), (60, 900, (1, 5)), (360, 900, (10, 30)), (1440, 900, (60, 120)),
     (10_080, 900, (600, 1200)), (129_600, 900, (600, 10_800)), (129_600, 20_000, (600, 600))],
)  # fmt: skip
def test_resolution__automatic__fits_the_points_and_is_stored_for_all_of_the_time(
    minutes: int, count: int, expected: tuple[int, int]
) -> None:
    found = automatic(archives(), NOON - timedelta(minutes=minutes), NOON, NOON, count)
    assert (found.archive.width_s, found.step_s) == expected


def test_resolution__short_time_long_ago__is_the_one_that_is_still_stored() -> None:
    since = NOON - timedelta(days=30)
    assert automatic(archives(), since, since + timedelta(minutes=10), NOON, 900).step_s == 600
    assert chosen(archives(), 3600, since, NOON).archive.width_s == 600


def test_ranks__of_all_states__are_distinct_and_unknown_is_worse_than_degraded() -> None:
    assert sorted(RANKS) == sorted(LinkState)
    assert [state_of_rank(RANKS[state]) for state in LinkState] == list(LinkState)
    assert RANKS[LinkState.PROTECTED] < RANKS[LinkState.DEGRADED] < RANKS[LinkState.UNKNOWN]
    assert state_of_rank(None) is state_of_rank(7) is LinkState.UNKNOWN

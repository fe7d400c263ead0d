"""IST or SST by the exact rule, the capacity law against what was measured, and the times that follow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.node_absence.alarm import is_alarmed
from backend.core.adviser.node_absence.cache import Cache, capacity, is_full, safety_margin, size_of
from backend.core.adviser.node_absence.forecast import Unlimited, Verdict, holds, longest, time_away, time_left, verdict
from backend.core.adviser.node_absence.rates import Rate
from backend.core.estimates import FieldError, Unknown

MIB_16 = 16 * 2**20
UNREAD = Unknown("not read")


@pytest.mark.parametrize(
    ("first_missing", "downto", "seen"),
    [(9, 501, Verdict.SST), (13_212, 13_206, Verdict.IST), (25_918, 25_923, Verdict.SST)],
)
def test_verdict__as_measured(first_missing: int, downto: int, seen: Verdict) -> None:
    caches = [Cache(MIB_16, downto, 25_918)] * 2
    assert verdict(caches, first_missing - 1) is seen


@pytest.mark.parametrize(("average", "held"), [(1_296, 12_709), (4_340, 3_845)])
def test_capacity__as_measured__within_half_a_percent(average: float, held: int) -> None:
    assert capacity(MIB_16, average) == pytest.approx(held, rel=0.005)


def test_verdict__one_donor_of_two_holds_it__depends_within_the_provider_s_safety_gap() -> None:
    large, small = Cache(2 * MIB_16, 1_000, 30_000), Cache(MIB_16, 17_000, 30_000)
    assert verdict([large, small], 1_100) is Verdict.DEPENDS
    assert verdict([large, small], 1_000 + (29_000 >> 7)) is Verdict.IST


@pytest.mark.parametrize("caches", [[], [Cache(MIB_16, UNREAD, 5)]])
def test_verdict__nothing_read__unknown(caches: list[Cache]) -> None:
    assert verdict(caches, 4) is Verdict.UNKNOWN
    assert verdict([Cache(MIB_16, 1, 5)], UNREAD) is Verdict.UNKNOWN


@given(st.integers(1, 10**12), st.integers(1, 10**12))
def test_holds__the_exact_rule(last: int, downto: int) -> None:
    assert holds(Cache(MIB_16, downto, downto), last) is (last + 1 >= downto)


def test_time_away__at_the_law__less_the_margin() -> None:
    assert time_away(Cache(MIB_16, 1, 2), Rate(10.0, 12_960.0, 3600.0)) == pytest.approx((12_710 - 99) / 10)


@given(st.floats(0.1, 1e5), st.floats(1, 1e6), st.integers(20, 40))
def test_time_away__a_larger_gcache__never_shorter(sets: float, size: float, power: int) -> None:
    rate = Rate(sets, sets * size, 3600.0)
    shorter, longer = (time_away(Cache(2**p, 1, 2), rate) for p in (power, power + 1))
    assert isinstance(shorter, float)
    assert isinstance(longer, float)
    assert 0 <= shorter <= longer


def test_time_left__full_gcache__what_is_left_before_its_oldest() -> None:
    full = Cache(MIB_16, 10_001, 22_710)
    rate = Rate(10.0, 12_960.0, 3600.0)
    assert is_full(full, rate) is True
    assert time_left(full, 15_000, rate) == (15_001 - 10_001 - 99) / 10


def test_time_left__gcache_not_full__its_capacity_less_what_was_missed() -> None:
    young = Cache(MIB_16, 1, 1_000)
    rate = Rate(10.0, 12_960.0, 3600.0)
    assert is_full(young, rate) is False
    assert time_left(young, 400, rate) == (12_710 - 600 - 10) / 10


def test_time_left__already_dropped__zero_at_any_rate() -> None:
    assert time_left(Cache(MIB_16, 501, 600), 8, Unknown("no rate")) == 0.0


def test_times__nothing_written__unlimited_not_a_number() -> None:
    still = Rate(0.0, 0.0, 3600.0)
    assert isinstance(time_away(Cache(MIB_16, 1, 2), still), Unlimited)
    assert isinstance(time_left(Cache(MIB_16, 1, 2), 1, still), Unlimited)


@pytest.mark.parametrize("cache", [Cache(UNREAD, 1, 2), Cache(MIB_16, UNREAD, 2), Cache(MIB_16, 1, UNREAD)])
def test_time_left__a_fact_is_missing__unknown(cache: Cache) -> None:
    assert time_left(cache, 1, Rate(10.0, 12_960.0, 3600.0)) == UNREAD


def test_longest__of_donors() -> None:
    assert longest([1.0, UNREAD, 3.0]) == 3.0
    assert longest([UNREAD]) == UNREAD
    assert isinstance(longest([]), Unknown)
    assert isinstance(longest([1.0, Unlimited("")]), Unlimited)


@pytest.mark.parametrize(
    ("text", "size"), [("128M", 2**27), ("16m", 2**24), ("1G", 2**30), ("4096", 4096), ("2T", 2**41)]
)
def test_size__as_the_provider_writes_it(text: str, size: int) -> None:
    assert size_of(text) == size


@pytest.mark.parametrize("text", [None, "", "many", "-1", "0", "1.5G"])
def test_size__not_read__unknown(text: str | None) -> None:
    assert isinstance(size_of(text), Unknown)


@pytest.mark.parametrize("average", [0, -1, float("nan"), float("inf")])
def test_capacity__absurd__names_the_field(average: float) -> None:
    with pytest.raises(FieldError, match="average_bytes") as refused:
        capacity(MIB_16, average)
    assert refused.value.field == "average_bytes"


def test_safety_margin__from_ten_to_a_million() -> None:
    assert [safety_margin(n, 0) for n in (0, 12_800, 2**40)] == [10, 100, 2**20]


@pytest.mark.parametrize(
    ("time", "was", "alarmed"),
    [
        (59.0, False, True),
        (60.0, False, False),
        (74.0, True, True),
        (75.0, True, False),
        (Unlimited(""), True, False),
        (UNREAD, True, True),
        (UNREAD, False, False),
    ],
)
def test_alarm__between_threshold_and_a_quarter_more__stays(time: float, was: bool, alarmed: bool) -> None:
    assert is_alarmed(time, threshold_s=60.0, was_alarmed=was) is alarmed


def test_alarm__threshold_zero__is_off() -> None:
    assert is_alarmed(0.0, threshold_s=0, was_alarmed=True) is False

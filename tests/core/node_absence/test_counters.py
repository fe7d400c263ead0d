"""Running totals and rates of write-sets, over restarts of the server that counts."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.node_absence.counters import Totals, advanced
from backend.core.adviser.node_absence.rates import HOUR_S, Rate, Window, longest_counted, rates_of
from backend.core.estimates import Unknown
from backend.core.topology import WriteSetCounters

NOW = 1_800_000_000.0


def raw(sets: int, size: int = 1_000) -> WriteSetCounters:
    return WriteSetCounters(sets, sets * size, 0, 0)


def readings(*sets: int, every_s: float = 60.0) -> list[Totals]:
    """Readings that end now."""
    found: list[Totals] = []
    for i, count in enumerate(sets):
        at_s = NOW - (len(sets) - 1 - i) * every_s
        found.append(advanced(found[-1] if found else None, raw(count), at_s))
    return found


@given(st.lists(st.integers(min_value=0, max_value=10**12), min_size=1, max_size=8))
def test_totals__any_readings__never_fall_and_cover_no_more_than_passed(counts: list[int]) -> None:
    found = readings(*counts)
    assert all(a.write_sets <= b.write_sets and a.bytes <= b.bytes for a, b in pairwise(found))
    assert found[-1].covered_s <= found[-1].at_s - found[0].at_s
    assert found[-1].write_sets <= sum(counts)


def test_totals__a_restart__adds_nothing_and_its_time_is_not_covered() -> None:
    last = readings(1_000, 1_600, 20, 620)[-1]
    assert (last.write_sets, last.covered_s) == (1_200, 120.0)


def test_rates__hour__of_what_was_counted() -> None:
    rate = rates_of(readings(*range(0, 61 * 600, 600)), NOW)[Window.HOUR]
    assert rate == Rate(10.0, 10_000.0, 3600.0, 1.0)


def test_rates__nine_minutes__unknown_with_the_reason() -> None:
    rate = rates_of(readings(*range(10)), NOW)[Window.HOUR]
    assert rate == Unknown("The write-sets were counted for 9 min; a rate needs 10 min.")


def test_rates__never_counted__unknown() -> None:
    assert all(isinstance(rate, Unknown) for rate in rates_of([], NOW).values())


def test_rates__busiest_hour__is_found_among_hours_of_a_week() -> None:
    hours = readings(0, 3_600, 7_200, 79_200, 82_800, every_s=HOUR_S)
    found = rates_of(hours, NOW)
    busiest, week = found[Window.BUSIEST_HOUR], found[Window.WEEK]
    assert isinstance(busiest, Rate)
    assert isinstance(week, Rate)
    assert (busiest.write_sets_per_s, week.write_sets_per_s) == (20.0, 5.75)


def test_longest_counted__a_node_that_was_away__is_not_the_one() -> None:
    whole, half = readings(0, 1, 2, 3), readings(0, 1, 2)
    assert longest_counted([half, whole], NOW) == whole
    assert longest_counted([], NOW) == ()

"""Change windows over time zones and daylight saving, freezes, and what they never block."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.change_calendar.decision import Calendar, Freeze, next_common_start, next_start, objections
from backend.core.change_calendar.windows import MAX_MINUTES, CalendarError, SingleWindow, WeeklyWindow, zone_of
from backend.core.plans.kinds import OPERATIONS

EMERGENCY = sorted(kind for kind, one in OPERATIONS.items() if one.is_emergency)
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia")
T0 = datetime(2026, 3, 2, 12, tzinfo=UTC)

moments = st.integers(0, 15 * 366 * 24 * 60).map(lambda minutes: T0 - timedelta(days=2000) + timedelta(minutes=minutes))
weekly = st.builds(
    WeeklyWindow,
    name=st.just("w"),
    zone=st.sampled_from(ZONES),
    weekdays=st.frozensets(st.integers(0, 6), min_size=1),
    starts=st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    minutes=st.integers(1, MAX_MINUTES),
)


def _codes(calendar: Calendar, now: datetime, kind: str = "switchover") -> list[str]:
    return [one.code for one in objections(calendar, kind, now)]


def _weekly(zone: str, weekday: int, starts: time, minutes: int) -> Calendar:
    return Calendar(windows=(WeeklyWindow("night", zone, frozenset({weekday}), starts, minutes),))


def test_objections__empty_calendar__none() -> None:
    assert not objections(Calendar(), "switchover", T0)


@given(weekly, moments)
def test_weekly__any_zone_and_time__opens_again_within_two_weeks_and_as_long_as_it_says(
    window: WeeklyWindow, now: datetime
) -> None:
    openings = list(window.openings(now))
    assert openings[0].opens_at <= now + timedelta(days=14)
    for one in openings:
        assert one.closes_at - one.opens_at == timedelta(minutes=window.minutes)
        assert one.opens_at.astimezone(ZoneInfo(window.zone)).minute is not None
    assert [one.opens_at for one in openings] == sorted({one.opens_at for one in openings})


@given(weekly, moments)
def test_objections__one_window__agree_with_its_openings(window: WeeklyWindow, now: datetime) -> None:
    is_open = any(one.holds(now) for one in window.openings(now))
    assert (_codes(Calendar(windows=(window,)), now) == []) is is_open


@given(weekly, moments, st.integers(1, 60 * 24 * 20), st.sampled_from(EMERGENCY))
def test_objections__freeze_and_windows__next_start_is_free_and_an_emergency_always(
    window: WeeklyWindow, now: datetime, minutes: int, kind: str
) -> None:
    freeze = Freeze("f", "", now - timedelta(minutes=5), now + timedelta(minutes=minutes))
    calendar = Calendar(windows=(window,), freezes=(freeze,))
    assert "change_freeze" in _codes(calendar, now)
    assert not objections(calendar, kind, now)
    following = next_start(calendar, now)
    assert following is not None
    assert following >= freeze.ends_at
    assert not objections(calendar, "switchover", following)


@pytest.mark.parametrize("kind", ["switchover", "failback", "configure", "node_maintenance", "a kind of tomorrow"])
def test_objections__planned_or_unknown_kind_in_a_freeze__refused(kind: str) -> None:
    freeze = Freeze("year end", "closing of the books", T0, T0 + timedelta(hours=1))
    found = objections(Calendar(freezes=(freeze,)), kind, T0)
    assert [one.code for one in found] == ["change_freeze"]
    assert "year end (closing of the books)" in found[0].sentence
    assert "2026-03-02 13:00 UTC" in found[0].sentence


def test_freeze__its_last_moment_and_its_end__frozen_then_free() -> None:
    calendar = Calendar(freezes=(Freeze("f", "", T0, T0 + timedelta(hours=1)),))
    assert _codes(calendar, T0 + timedelta(minutes=59, seconds=59)) == ["change_freeze"]
    assert _codes(calendar, T0 + timedelta(hours=1)) == []


def test_weekly__clock_set_forward_over_its_opening__opens_that_night_all_the_same() -> None:
    """In Berlin, 02:30 does not exist on 2026-03-29: the clock goes from 02:00 to 03:00."""
    calendar = _weekly("Europe/Berlin", 6, time(2, 30), 60)
    assert _codes(calendar, datetime(2026, 3, 29, 1, 29, tzinfo=UTC)) == ["outside_change_window"]
    assert _codes(calendar, datetime(2026, 3, 29, 1, 30, tzinfo=UTC)) == []
    assert _codes(calendar, datetime(2026, 3, 29, 2, 30, tzinfo=UTC)) == ["outside_change_window"]


def test_weekly__clock_set_back_over_it__opens_once_and_for_its_length() -> None:
    """In Berlin, 02:30 is there twice on 2026-10-25: at 00:30 and at 01:30 UTC."""
    calendar = _weekly("Europe/Berlin", 6, time(2, 30), 45)
    assert _codes(calendar, datetime(2026, 10, 25, 0, 30, tzinfo=UTC)) == []
    assert _codes(calendar, datetime(2026, 10, 25, 1, 20, tzinfo=UTC)) == ["outside_change_window"]


def test_weekly__over_midnight_and_the_end_of_the_week__still_open_on_monday() -> None:
    calendar = _weekly("America/New_York", 6, time(22, 0), 240)
    assert _codes(calendar, datetime(2026, 3, 2, 6, 59, tzinfo=UTC)) == []
    assert _codes(calendar, datetime(2026, 3, 2, 7, 0, tzinfo=UTC)) == ["outside_change_window"]


def test_single_window__over__no_further_one_is_planned() -> None:
    calendar = Calendar(windows=(SingleWindow("move", T0, T0 + timedelta(hours=2)),))
    assert _codes(calendar, T0) == []
    late = objections(calendar, "switchover", T0 + timedelta(hours=2))
    assert late[0].sentence.endswith("No further one is planned.")
    assert next_start(calendar, T0 + timedelta(hours=2)) is None


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", "", "Europe/Ber\0lin"])
def test_objections__unknown_zone__never_passes(zone: str) -> None:
    calendar = _weekly(zone, T0.weekday(), time(12, 0), 60)
    assert _codes(calendar, T0) == ["change_calendar_unknown"]
    assert next_start(calendar, T0) is None
    with pytest.raises(CalendarError):
        zone_of(zone)


@pytest.mark.parametrize(
    "window",
    [
        WeeklyWindow("w", "UTC", frozenset(), time(0), 60),
        WeeklyWindow("w", "UTC", frozenset({0}), time(0), 0),
        SingleWindow("w", T0, T0),
    ],
)
def test_objections__window_that_cannot_open__never_passes(window: WeeklyWindow | SingleWindow) -> None:
    assert _codes(Calendar(windows=(window,)), T0) == ["change_calendar_unknown"]


def test_objections__freeze_that_ends_before_it_begins__never_passes() -> None:
    assert _codes(Calendar(freezes=(Freeze("f", "", T0, T0),)), T0 - timedelta(days=1)) == ["change_calendar_unknown"]


def test_next_common_start__windows_and_a_freeze_of_two_links__when_both_allow_it() -> None:
    day, hour = timedelta(days=1), timedelta(hours=1)
    own = Calendar(freezes=(Freeze("f", "", T0 - hour, T0 + day),))
    other = Calendar(
        windows=(SingleWindow("w", T0 + hour, T0 + 2 * hour), SingleWindow("w", T0 + 2 * day, T0 + 3 * day))
    )
    assert next_common_start((own,), T0) == next_start(own, T0) == T0 + day
    assert next_common_start((own, other), T0) == T0 + 2 * day
    never = Calendar(windows=(SingleWindow("w", T0 + hour, T0 + 2 * hour),))
    assert next_common_start((own, never), T0) is None
    assert next_common_start((Calendar(), Calendar()), T0) == T0

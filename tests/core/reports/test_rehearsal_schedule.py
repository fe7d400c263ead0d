"""Rehearsals that a schedule demanded and that did not take place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backend.core.reports.rehearsal_schedule import HeldRehearsal, ScheduleSetting, missed

START = datetime(2026, 10, 1, tzinfo=UTC)
END = START + timedelta(days=10)


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def held(*hours: float, kind: str = "relocate") -> list[HeldRehearsal]:
    return [HeldRehearsal(kind, at(hour), is_passed=True) for hour in hours]


def daily(hours: float = -240, *, on: bool = True, every: int = 24) -> ScheduleSetting:
    return ScheduleSetting(at(hours), on, every, ("relocate",))


@pytest.mark.parametrize(
    ("settings", "rehearsals", "count"),
    [
        ([], [], None),
        ([daily(on=False)], [], None),
        ([daily(0)], held(*range(0, 240, 24)), 0),
        ([daily(0)], held(*(24.01 * n for n in range(10))), 0),
        ([daily(0)], [], 10),
        ([daily(0)], held(0.5, 24.4, 72.4), 7),
        ([daily(0)], held(*range(0, 240, 12)), 0),
        ([daily(-240)], held(-1), 10),
        ([daily(-240)], held(-1, *range(23, 240, 24)), 0),
        ([daily(0), daily(48, on=False)], held(0.1), 1),
        ([daily(0), daily(48, every=48)], held(0.1, 24.2), 4),
        ([daily(238.5)], [], 1),
        ([daily(239.5)], [], 0),
        ([daily(400)], [], None),
    ],
)
def test_missed__each_schedule__what_was_due_and_did_not_take_place(
    settings: list[ScheduleSetting], rehearsals: list[HeldRehearsal], count: int | None
) -> None:
    assert missed(settings, rehearsals, START, END).get("relocate") == count


def test_missed__another_kind__does_not_count_for_this_one() -> None:
    both = ScheduleSetting(START, True, 24, ("relocate", "failover"))
    rehearsals = held(*range(0, 240, 24), kind="failover")
    assert missed([both], rehearsals, START, END) == {"relocate": 10, "failover": 0}

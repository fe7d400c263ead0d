"""Advice of high risk is told once: flapping, dismissed and unknown advice sends nothing more."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.advice.notifications import QUIET, Notice, Reported, Standing, judge

START = datetime(2026, 11, 27, tzinfo=UTC)
OPEN, DISMISSED, GONE, UNKNOWN = Standing.OPEN, Standing.DISMISSED, Standing.GONE, Standing.UNKNOWN
APPEARED, RESOLVED = Notice.APPEARED, Notice.RESOLVED


def sent(standings: Iterable[tuple[int, Standing]]) -> list[tuple[int, Notice]]:
    """What is sent, and in which minute."""
    reported, found = Reported(), []
    for minute, standing in standings:
        judgement = judge(reported, standing, START + timedelta(minutes=minute))
        reported = judgement.reported or Reported()
        if judgement.notice is not None:
            found.append((minute, judgement.notice))
    return found


def test_open_then_gone__told_at_once_and_resolved_after_the_quiet_time() -> None:
    standings = [(0, OPEN), (1, OPEN), *((minute, GONE) for minute in range(2, 60))]
    assert sent(standings) == [(0, APPEARED), (32, RESOLVED)]


def test_flapping_each_minute__told_once() -> None:
    assert sent((minute, (OPEN, GONE)[minute % 2]) for minute in range(300)) == [(0, APPEARED)]


def test_dismissed__nothing_of_it_nor_of_its_end() -> None:
    standings = [(0, OPEN), (1, DISMISSED), *((minute, GONE) for minute in range(2, 90))]
    assert sent(standings) == [(0, APPEARED)]
    assert sent([(0, DISMISSED), (1, DISMISSED), (2, GONE)]) == []


def test_dismissal_withdrawn_at_once__told_again_only_after_the_quiet_time() -> None:
    standings = [(0, OPEN), (1, DISMISSED), *((minute, OPEN) for minute in range(2, 40))]
    assert sent(standings) == [(0, APPEARED), (30, APPEARED)]


def test_unknown__is_never_resolved() -> None:
    assert sent([(0, OPEN), *((minute, UNKNOWN) for minute in range(1, 200))]) == [(0, APPEARED)]
    flapping = [(0, OPEN), *((minute, (GONE, UNKNOWN)[minute % 20 == 0]) for minute in range(1, 200))]
    assert sent(flapping) == [(0, APPEARED)]


@given(st.lists(st.sampled_from(Standing), max_size=120))
def test_any_history__bounded_and_in_turn(standings: list[Standing]) -> None:
    found = sent(enumerate(standings))
    appeared = [minute for minute, notice in found if notice is APPEARED]
    minutes = QUIET / timedelta(minutes=1)
    assert all(after - before >= minutes for before, after in itertools.pairwise(appeared))
    assert all(standings[minute] is (OPEN if notice is APPEARED else GONE) for minute, notice in found)
    order = [notice for _, notice in found]
    assert (RESOLVED, RESOLVED) not in itertools.pairwise(order)
    assert order[:1] != [RESOLVED]

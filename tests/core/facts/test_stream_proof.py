"""When a direction was proven, over time: from what each look at its account found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.facts.stream_proof import SENTENCES, Cause, Look, Period, followed, sentence
from backend.core.stream_account import Fault, StreamAccount, Unaccounted

WITHIN_S = 60.0
SINCE_S = 1_000.0
PROVEN = Period(None, 2_000.0, 3_000.0, SINCE_S)
GAP = Period(Cause.UNREACHABLE, 2_000.0, 3_000.0)
LEFT_OUT = Unaccounted(Fault.MISSING, "n_a1", "0-11-7", 5, 11, "binlog.000001:4", "binlog.000001:90", 3_001.0)


def look(until_s: float | None, now_s: float, cause: Cause = Cause.BEGUN_ANEW, **changes: object) -> Look:
    """At an account that stood until then."""
    since_s = None if until_s is None else SINCE_S
    seen = Look(StreamAccount(since_s, until_s, 7), cause, now_s, now_s - 1, WITHIN_S)
    return replace(seen, **changes)  # type: ignore[arg-type]


def kinds(periods: tuple[Period, ...]) -> list[tuple[Cause | None, float, float]]:
    return [(one.cause, one.began_s, one.ended_s) for one in periods]


def test_history__first_look__begins_now_whatever_the_span_says_of_before() -> None:
    assert kinds(followed(None, look(3_000.0, 3_001.0))) == [(None, 3_000.0, 3_000.0)]
    assert kinds(followed(None, look(None, 3_001.0))) == [(Cause.BEGUN_ANEW, 3_001.0, 3_001.0)]


def test_proven__the_same_span_goes_on__longer() -> None:
    assert kinds(followed(PROVEN, look(3_010.0, 3_011.0))) == [(None, 2_000.0, 3_010.0)]


def test_proven__nothing_new_was_read_for_a_moment__neither_longer_nor_over() -> None:
    assert kinds(followed(PROVEN, look(3_000.0, 3_050.0))) == [(None, 2_000.0, 3_000.0)]


@pytest.mark.parametrize("until_s", [3_000.0, None])
def test_proven__not_read_within_the_bound_or_void__over_when_it_last_stood(until_s: float | None) -> None:
    found = followed(PROVEN, look(until_s, 3_061.0, Cause.LOG_UNREAD))
    assert kinds(found) == [(None, 2_000.0, 3_000.0), (Cause.LOG_UNREAD, 3_000.0, 3_061.0)]


def test_proven__a_transaction_is_on_one_side__over() -> None:
    account = StreamAccount(SINCE_S, 3_001.0, 7, (LEFT_OUT,))
    found = followed(PROVEN, look(3_001.0, 3_001.0, Cause.UNACCOUNTED, account=account))
    assert kinds(found) == [(None, 2_000.0, 3_000.0), (Cause.UNACCOUNTED, 3_000.0, 3_001.0)]


def test_proven__caught_up_with_after_longer_than_the_bound__the_time_between_stays_a_gap() -> None:
    found = followed(PROVEN, look(3_090.0, 3_090.0))
    assert kinds(found) == [
        (None, 2_000.0, 3_000.0),
        (Cause.LOG_UNREAD, 3_000.0, 3_090.0),
        (None, 3_090.0, 3_090.0),
    ]


def test_proven__another_span_stands__one_does_not_go_on_in_the_other() -> None:
    found = followed(replace(PROVEN, since_s=500.0), look(3_010.0, 3_010.0))
    assert [one.cause for one in found] == [None, Cause.BEGUN_ANEW, None]


@pytest.mark.parametrize("last", [PROVEN, GAP])
def test_nobody_looked__for_longer_than_the_bound__a_gap_of_its_own_though_the_span_goes_on(last: Period) -> None:
    found = followed(last, look(3_400.0, 3_400.0, looked_s=3_005.0))
    assert kinds(found) == [
        (last.cause, 2_000.0, 3_000.0),
        (Cause.NOBODY_LOOKED, 3_000.0, 3_400.0),
        (None, 3_400.0, 3_400.0),
    ]


def test_nobody_looked__for_less__no_gap() -> None:
    assert kinds(followed(PROVEN, look(3_030.0, 3_031.0, looked_s=3_000.0))) == [(None, 2_000.0, 3_030.0)]


@pytest.mark.parametrize(
    ("began_s", "cause", "expected"),
    [
        (2_000.0, Cause.UNREACHABLE, [Cause.UNREACHABLE]),
        (2_000.0, Cause.LOG_UNREAD, [Cause.UNREACHABLE]),
        (2_000.0, Cause.DIVERGED, [Cause.UNREACHABLE, Cause.DIVERGED]),
        (2_990.0, Cause.DIVERGED, [Cause.UNREACHABLE]),
    ],
    ids=["same", "what follows of it", "another one", "another one at once"],
)
def test_gap__goes_on__its_cause_is_the_first_until_another_one_lasts(
    began_s: float, cause: Cause, expected: list[Cause]
) -> None:
    found = followed(replace(GAP, began_s=began_s), look(None, 3_001.0, cause))
    assert [one.cause for one in found] == expected
    assert (found[0].began_s, found[-1].ended_s) == (began_s, 3_001.0)


def test_gap__the_account_stands_again__proven_from_now_on_and_no_earlier() -> None:
    found = followed(GAP, look(3_005.0, 3_006.0))
    assert kinds(found) == [(Cause.UNREACHABLE, 2_000.0, 3_006.0), (None, 3_006.0, 3_006.0)]


def test_clock__set_back__no_period_ends_before_it_began() -> None:
    for last in (PROVEN, GAP):
        for until_s in (1_500.0, None):
            for period in followed(last, look(until_s, 1_501.0)):
                assert period.began_s <= period.ended_s


def test_sentences__each_cause__has_one() -> None:
    assert set(SENTENCES) == set(Cause)
    assert sentence(Cause.NO_CHANNEL, "Milan", "Frankfurt") == "No channel from Milan to Frankfurt was seen."

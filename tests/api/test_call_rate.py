"""Calls of one caller in a minute are bounded, before anything is looked up for them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.audit.aggregation import refusals
from backend.audit.models import AuditRecord
from backend.common.rest import call_rate
from backend.common.rest.call_rate import CallRate
from tests.support.console import Caller


class Clock:
    """Set by the test; it begins with a minute."""

    now = 600.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A rate of its own that follows it."""
    made = Clock()
    monkeypatch.setattr(call_rate, "rate", CallRate(made))
    return made


def test_calls__beyond_the_rate_of_a_user__429_until_the_minute_is_over_and_others_go_on(
    operator: Caller, viewer: Caller, clock: Clock, settings: Any
) -> None:
    settings.HAWSER_CALLS_PER_MINUTE = 3
    assert [operator.get("/links").status for _ in range(3)] == [200] * 3
    refused = operator.get("/links")
    assert (refused.status, refused.body["code"], refused.headers["Retry-After"]) == (429, "throttled", "60")
    assert viewer.get("/links").status == 200
    clock.now += 45
    assert operator.get("/links").headers["Retry-After"] == "15"
    clock.now += 60
    assert operator.get("/links").status == 200


def test_calls__with_wrong_tokens__count_for_the_address(clock: Clock, settings: Any, db: None) -> None:
    settings.HAWSER_ANONYMOUS_CALLS_PER_MINUTE = 2
    guesses = [Caller(f"hawser_{number:040}").get("/links").status for number in range(3)]
    assert guesses == [401, 401, 429]
    assert Caller().get("/session").status == 429


def test_calls__many_refused__one_record_with_their_number(operator: Caller, clock: Clock, settings: Any) -> None:
    settings.HAWSER_CALLS_PER_MINUTE = 1
    for _ in range(6):
        operator.get("/links")
    refusals.flush()
    record = AuditRecord.objects.get(action="api:access:throttled")
    assert (record.actor, record.facts["count"]) == ("operator-1", 5)


@given(st.lists(st.floats(0, 30), min_size=1, max_size=200), st.integers(1, 20))
def test_rate__whatever_the_moments__no_window_has_more_than_twice_the_rate(pauses: list[float], most: int) -> None:
    clock, accepted = Clock(), []
    rate = CallRate(clock)
    for pause in pauses:
        clock.now += pause
        if not rate.wait_s("zoe", most):
            accepted.append(clock.now)
    for at in accepted:
        assert sum(at <= one < at + 60 for one in accepted) <= 2 * most
        minute = at // 60
        assert sum(one // 60 == minute for one in accepted) <= most


def test_rate__more_callers_than_are_kept__share_one_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_rate, "MAX_CALLERS", 2)
    rate = CallRate(Clock())
    assert not any(rate.wait_s(caller, 1) for caller in ("a", "b"))
    assert rate.wait_s("c", 1) == 0
    assert rate.wait_s("d", 1) > 0
    assert rate.wait_s("a", 2) == 0

"""Calls of one caller in a minute are bounded, before anything is looked up for them."""

from __future__ import annotations

from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from hypothesis import given
from hypothesis import strategies as st

from backend.api.views.service import SchemaView
from backend.audit.aggregation import refusals
from backend.audit.models import AuditRecord
from backend.common.client_networks import networks_of
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


def test_rate__more_addresses_than_are_kept__share_the_counts_of_wider_networks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(call_rate, "MAX_CALLERS", 2)
    rate = CallRate(Clock())
    assert not any(rate.stranger_wait_s((one, "wide"), 1) for one in ("a", "b"))
    assert rate.stranger_wait_s(("c", "wide"), 1) == 0
    assert rate.stranger_wait_s(("d", "wide"), 1) > 0
    assert rate.stranger_wait_s(("e", "another"), 1) == 0
    assert rate.stranger_wait_s(("f", "third"), 1) == 0
    assert rate.stranger_wait_s(("g", "fourth"), 1) > 0
    assert rate.stranger_wait_s(("a", "wide"), 2) == 0


def test_rate__any_number_of_addresses__a_user_has_a_count_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_rate, "MAX_CALLERS", 1)
    rate = CallRate(Clock())
    for one in ("a", "b", "c", "d"):
        rate.stranger_wait_s((one, one), 1)
    assert [rate.wait_s(user, 1) for user in ("zoe", "yan")] == [0, 0]


@pytest.mark.parametrize(
    ("source_ip", "networks"),
    [
        ("2001:db8:1:2:3::4", ("2001:db8:1:2::/64", "2001:db8:1::/48")),
        ("192.0.2.7", ("192.0.2.7", "192.0.2.0/24")),
        ("::ffff:192.0.2.7", ("192.0.2.7", "192.0.2.0/24")),
        ("fe80::1%eth0", ("fe80::/64", "fe80::/48")),
        ("unknown", ("unknown", "unknown")),
    ],
)
def test_networks__of_a_client(source_ip: str, networks: tuple[str, str]) -> None:
    assert networks_of(source_ip) == networks


def test_schema__asked_for_by_strangers__counted_and_made_once(
    clock: Clock, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HAWSER_ANONYMOUS_CALLS_PER_MINUTE = 2
    made: list[int] = []
    generate = SchemaGenerator.get_schema
    monkeypatch.setattr(SchemaView, "_made", {})
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *a, **k: made.append(1) or generate(*a, **k))
    assert [Caller().get("/schema").status for _ in range(3)] == [200, 200, 429]
    assert made == [1]

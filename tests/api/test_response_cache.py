"""Answers that are kept for a moment: never past a change, and never for a user who may not read them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.api import response_cache
from backend.clusters.models import Link
from backend.common.events import services as events
from tests.support.clock import StillTime, stop_clock
from tests.support.console import Caller, make_caller, make_link, set_approval_rule

Read = Callable[[Link], str]
PATHS: dict[str, Read] = {
    "links": lambda _: "/links",
    "link": lambda link: f"/links/{link.id}",
    "clusters": lambda _: "/clusters",
    "cluster": lambda link: f"/clusters/{link.active_cluster_id}",
}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> StillTime:
    """The clock that kept answers go by."""
    return stop_clock(monkeypatch, response_cache)


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS.keys())
def test_read__again_in_the_same_second__same_answer_without_reading_the_facts(
    path: Read, operator: Caller, link: Link
) -> None:
    """One answer for all who may do the same; it says what that is."""
    another = make_caller("otto", "operator")
    another.get("/session")
    first = operator.get(path(link))
    with CaptureQueriesContext(connection) as asked:
        second = another.get(path(link))
    assert first.status == second.status == 200
    assert first.body == second.body
    assert not [q["sql"] for q in asked if "clusters_" in q["sql"] or "monitoring_" in q["sql"]]


def test_read__link_changed_in_between__told_at_once(operator: Caller, admin: Caller, link: Link) -> None:
    assert operator.get(f"/links/{link.id}").body["requires_approval"] is False
    assert set_approval_rule(admin, link.id, is_on=True).status == 200
    assert operator.get(f"/links/{link.id}").body["requires_approval"] is True
    assert operator.get("/links").body["results"][0]["requires_approval"] is True


def test_read__monitor_told_of_something__seen_at_once(viewer: Caller, link: Link) -> None:
    assert viewer.get(f"/links/{link.id}").body["requires_approval"] is False
    Link.objects.update(requires_approval=True)
    events.link_updated(link_id=link.id)
    assert viewer.get(f"/links/{link.id}").body["requires_approval"] is True


def test_read__changed_without_a_word__seen_in_the_next_second(viewer: Caller, link: Link, clock: StillTime) -> None:
    viewer.get(f"/links/{link.id}")
    Link.objects.update(requires_approval=True)
    clock.now_s += 1
    assert viewer.get(f"/links/{link.id}").body["requires_approval"] is True


def test_read__two_links__each_its_own_answer(viewer: Caller, link: Link) -> None:
    other = make_link("other", "127.0.72")
    assert [viewer.get(f"/links/{one.id}").body["id"] for one in (link, other)] == [link.id, other.id]


def test_read__kept__still_only_for_those_who_may(viewer: Caller, link: Link) -> None:
    assert viewer.get(f"/links/{link.id}").status == 200
    assert Caller().get(f"/links/{link.id}").status == 401

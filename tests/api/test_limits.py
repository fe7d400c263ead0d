"""One caller cannot take all threads or open event streams without end, nor a stranger cores by JSON."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

import pytest

from backend.clusters.models import Link
from backend.common.rest.limits import CallerLimit, slow_calls, streams
from tests.api.event_stream import close_stream, open_stream
from tests.api.webhooks import add
from tests.support.console import API, Caller
from tests.support.page import SESSION, Page

T = TypeVar("T")
CALLS_AN_OBJECT, CALLS_A_REQUEST = 4, 20_000
"""Function calls, of Python's own too. Reading takes three for each object."""


@contextmanager
def held(limit: CallerLimit, caller: str, times: int) -> Iterator[None]:
    """So many calls of the caller are under way."""
    for _ in range(times):
        limit.acquire(caller)
    try:
        yield
    finally:
        for _ in range(times):
            limit.release(caller)


def plan(caller: Caller, link: Link, **headers: str) -> tuple[int, str]:
    answer = caller.post(f"/links/{link.id}/plans", {"kind": "relocate", "reason": "x"}, **headers)
    return answer.status, answer.body.get("code", "")


def test_slow_call__too_many_of_the_caller__429_and_others_go_on(
    operator: Caller, admin: Caller, link: Link, settings: Any
) -> None:
    settings.HAWSER_SLOW_CALLS_PER_CALLER, settings.HAWSER_SLOW_CALLS = 2, 20
    with held(slow_calls, "operator-1", 2):
        assert plan(operator, link) == (429, "too_many_calls")
        assert operator.post(f"/links/{link.id}/orphans/scan").body["code"] == "too_many_calls"
        assert plan(admin, link)[0] == 201
    assert plan(operator, link)[0] == 201
    assert [plan(operator, link)[0] for _ in range(3)] == [201] * 3


def test_slow_call__too_many_in_all__429(operator: Caller, link: Link, settings: Any) -> None:
    settings.HAWSER_SLOW_CALLS_PER_CALLER, settings.HAWSER_SLOW_CALLS = 8, 3
    with held(slow_calls, "other", 3):
        assert plan(operator, link) == (429, "too_many_calls")


def test_slow_call__refused_under_a_key__the_key_works_again(operator: Caller, link: Link, settings: Any) -> None:
    settings.HAWSER_SLOW_CALLS_PER_CALLER = 1
    with held(slow_calls, "operator-1", 1):
        assert plan(operator, link, Idempotency_Key="one-call-1")[0] == 429
    assert plan(operator, link, Idempotency_Key="one-call-1")[0] == 201


def test_slow_call__test_of_a_webhook__limited(admin: Caller, link: Link, settings: Any) -> None:
    hook = add(admin, link)
    with held(slow_calls, "admin-1", settings.HAWSER_SLOW_CALLS_PER_CALLER):
        assert admin.post(f"/hooks/{hook['id']}/test").body["code"] == "too_many_calls"


def test_streams__more_than_allowed__429_until_one_ends(
    emptied: None, as_role: Callable[[str], Caller], settings: Any
) -> None:
    settings.HAWSER_STREAMS_PER_CALLER = 2
    viewer, operator = (as_role(role).token for role in ("viewer", "operator"))

    async def follow() -> list[int]:
        first, started = await open_stream("/events", viewer)
        second, _ = await open_stream("/events", viewer)
        statuses = [started["status"]]
        for token in (viewer, operator):
            stream, start = await open_stream("/events", token)
            statuses.append(start["status"])
            await (stream.wait(timeout=5) if start["status"] == 429 else close_stream(stream))
        await close_stream(first)
        third, start = await open_stream("/events", viewer)
        statuses.append(start["status"])
        await close_stream(second)
        await close_stream(third)
        return statuses

    assert asyncio.run(follow()) == [200, 429, 200, 200]
    assert not streams._held


def test_streams__as_many_open_as_allowed__429(viewer: Caller, settings: Any) -> None:
    assert settings.HAWSER_STREAMS_PER_CALLER == 10
    with held(streams, "viewer-1", 10):
        answer = viewer.client.get(f"{API}/events", headers={"Authorization": f"Bearer {viewer.token}"})
    assert answer.status_code == 429
    assert answer.json()["code"] == "too_many_streams"


def test_streams__client_left_before_it_began__does_not_count(viewer: Caller, settings: Any) -> None:
    settings.HAWSER_STREAMS_PER_CALLER = 1
    for _ in range(3):
        answer = viewer.client.get(f"{API}/events", headers={"Authorization": f"Bearer {viewer.token}"})
        assert answer.status_code == 200
        del answer
        gc.collect()


def refused_quickly(send: Callable[[], T], objects: int = 1) -> T:
    """The answer, given with few function calls: nothing is done with each member of the body once it is read."""
    Page().send("POST", SESSION, {})  # the first request of a process loads all views
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        answer = send()
    finally:
        sys.setprofile(None)
    assert calls < CALLS_AN_OBJECT * objects + CALLS_A_REQUEST
    return answer


def test_sign_in__80_000_unknown_fields__refused_quickly_and_shortly(db: None) -> None:
    page = Page()
    body = {f"{n:05}": 1 for n in range(80_000)}
    answer = refused_quickly(lambda: page.send("POST", SESSION, body))
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_json")
    assert "5,000 members" in answer.json()["detail"]
    assert len(answer.content) < 10_000


def test_sign_in__4_000_long_unknown_fields__names_ten_and_counts_the_others(db: None) -> None:
    page, body = Page(), {f"{n:04}" + "x" * 200: 1 for n in range(4_000)}
    answer = refused_quickly(lambda: page.send("POST", SESSION, body))
    errors = answer.json()["errors"]
    assert len(errors) == 11
    assert errors[0]["field"].startswith("0000x")
    assert errors[-1] == {"field": "", "message": "and 3990 more"}
    assert len(answer.content) < 10_000


@pytest.mark.parametrize("item", ["1", "[]", '{"a":1}'])
def test_body__too_many_items__refused_quickly(admin: Caller, item: str) -> None:
    body = f'{{"name":[{",".join([item] * 100_000)}]}}'
    answer = refused_quickly(lambda: admin.call("POST", "/links", body), objects=item.count("{") * 100_000)
    assert (answer.status, answer.body["code"]) == (400, "malformed_json")


def test_body__name_twice_in_one_object__refused_by_name(viewer: Caller) -> None:
    for body in ('{"label":"a","label":"b"}', '{"label":"a","role":{"x":1,"x":1}}'):
        answer = viewer.call("POST", "/tokens", body)
        assert (answer.status, answer.body.get("code")) == (400, "malformed_json")
        assert "more than once" in answer.body["detail"]


def test_body__a_thousand_wrong_items__the_answer_names_some(operator: Caller, link: Link) -> None:
    options = {"conflict_decisions": [{"x": 1}] * 1_000}
    answer = operator.post(f"/links/{link.id}/plans", {"kind": "reprotect", "reason": "x", "options": options})
    assert answer.status == 400
    assert 0 < len(answer.body["errors"]) <= 50
    assert len(json.dumps(answer.body)) < 20_000

"""Server-Sent Events through the ASGI application itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.utils import timezone

from backend.api import event_feed
from backend.api.event_feed import EventFollower
from backend.clusters.models import Link
from backend.common.events import services as events
from backend.common.events.models import Event
from tests.api.event_stream import close_stream, open_stream
from tests.support.asgi import in_thread
from tests.support.console import Caller, make_link


async def _read_until(stream: ApplicationCommunicator, text: str) -> str:
    got = ""
    while text not in got:
        message = await stream.receive_output(timeout=5)
        got += message.get("body", b"").decode()
    return got


def test_stream__new_event__arrives_with_its_id_and_only_on_its_link(
    emptied: None, as_role: Callable[[str], Caller]
) -> None:
    link, other = make_link(), make_link("other", "127.0.72")
    token = as_role("viewer").token

    async def follow() -> str:
        stream, start = await open_stream(f"/links/{link.id}/events", token)
        assert start["status"] == 200
        assert dict(start["headers"])[b"Content-Type"] == b"text/event-stream; charset=utf-8"
        await _read_until(stream, "following")
        await in_thread(_raise, other, "not for you")
        await in_thread(_raise, link, "for you")
        got = await _read_until(stream, "for you")
        await close_stream(stream)
        return got

    got = asyncio.run(follow())
    newest = Event.objects.order_by("-id")[0]
    assert f"id: {newest.pk}\nevent: event.raised\ndata: " in got
    assert "not for you" not in got


def test_stream__last_event_id__replays_what_was_missed_once(emptied: None, as_role: Callable[[str], Caller]) -> None:
    link = make_link()
    token = as_role("viewer").token
    first, *_ = [_raise(link, f"message {n}") for n in range(4)]

    async def follow() -> str:
        stream, _ = await open_stream("/events", token, str(first.pk))
        got = await _read_until(stream, "message 3")
        await close_stream(stream)
        return got

    got = asyncio.run(follow())
    assert "message 0" not in got
    assert [got.count(f"message {n}") for n in (1, 2, 3)] == [1, 1, 1]


def test_stream__error_with_a_row__viewer_reads_it_without_the_row(
    emptied: None, as_role: Callable[[str], Caller]
) -> None:
    link = make_link()
    first = _raise(link, "before")
    _raise(link, "Duplicate entry '4711' for key 'PRIMARY'")
    tokens = {role: as_role(role).token for role in ("viewer", "operator")}

    async def follow(role: str) -> str:
        stream, _ = await open_stream("/events", tokens[role], str(first.pk))
        got = await _read_until(stream, "for key")
        await close_stream(stream)
        return got

    assert "Duplicate entry '***' for key 'PRIMARY'" in asyncio.run(follow("viewer"))
    assert "Duplicate entry '4711' for key 'PRIMARY'" in asyncio.run(follow("operator"))


def test_stream__nothing_happens__beats_without_an_id(
    emptied: None, as_role: Callable[[str], Caller], settings: Any
) -> None:
    settings.HAWSER_STREAM_HEARTBEAT_S = 0.1
    token = as_role("viewer").token

    async def follow() -> str:
        stream, _ = await open_stream("/events", token)
        await _read_until(stream, "following\n\n")
        got = await _read_until(stream, "\n\n")
        await close_stream(stream)
        return got

    assert asyncio.run(follow()) == "event: heartbeat\ndata: {}\n\n"


def test_stream__refused_callers__get_a_problem(emptied: None, as_role: Callable[[str], Caller]) -> None:
    token = as_role("viewer").token

    async def statuses() -> list[int]:
        found = []
        for path, caller, last in (
            ("/events", None, None),
            ("/runs/r_aaaaaaaaaaaa/events", token, None),
            ("/events", token, "x"),
        ):
            stream, start = await open_stream(path, caller, last)
            await stream.wait(timeout=5)
            found.append(start["status"])
        return found

    assert asyncio.run(statuses()) == [401, 404, 400]


def _raise(link: Link, message: str) -> Event:
    return events.raised(link_id=link.id, kind="test", severity="info", message=message)


def test_follower__a_lower_id_whose_commit_waited_for_a_minute__arrives(db: None) -> None:
    now = [0.0]
    follower = EventFollower(0, lambda: now[0])
    _stored(8)
    assert _read(follower) == [8]
    _stored(7)
    now[0] = 4.0
    assert _read(follower) == [7]
    _stored(9)
    now[0] = 20.0
    assert _read(follower) == [9]
    assert _read(follower) == []


def test_follower__far_behind__reads_on_without_waiting(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_feed, "KEPT", 2)
    follower = EventFollower(0, lambda: 0.0)
    for number in range(1, 6):
        _stored(number)
    assert [_read(follower) for _ in range(4)] == [[1, 2], [3, 4], [5], []]


def _stored(number: int) -> None:
    """As of a time long ago, by a commit of now."""
    Event.objects.create(pk=number, type="link.updated", data={}, at=timezone.now() - timedelta(minutes=1))


def _read(follower: EventFollower) -> list[int]:
    return [event.pk for event in follower.poll()]

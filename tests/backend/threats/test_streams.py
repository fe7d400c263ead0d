"""A user without access receives nothing more: an open event stream ends within two seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.utils import timezone

from backend.api import sse
from backend.api.event_feed import EventFeed
from backend.config.asgi import application
from backend.identity.accounts import services, token_services
from backend.identity.accounts.access import end_access
from backend.identity.accounts.models import ApiToken, User
from tests.support.asgi import asgi_request, in_thread
from tests.support.clock import StillTime
from tests.support.console import SignedIn, make_caller, make_user

WITHIN_S = 2.0


class StreamTime(StillTime):
    """The clock of the streams: stands still before `is_passing`, then each wait of a stream lasts to its limit."""

    is_passing = False


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StreamTime:
    """The clock of the event streams of this process."""
    found, real = StreamTime(), EventFeed.wait

    async def wait(feed: EventFeed, limit_s: float) -> None:
        if found.is_passing:
            found.now_s += limit_s
        await real(feed, 0.01)

    monkeypatch.setattr(sse, "time", found)
    monkeypatch.setattr(EventFeed, "wait", wait)
    return found


def _owner() -> User:
    return User.objects.get(username="nora")


def _revoked() -> None:
    token_services.token_revoke(actor="test", token=ApiToken.objects.get())


def _expired() -> None:
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def _disabled() -> None:
    services.user_update(actor="test", source="cli", user=_owner(), is_active=False)


def _other_role() -> None:
    services.user_update(actor="test", source="cli", user=_owner(), role="viewer")


def _new_password() -> None:
    services.user_update(actor="test", source="cli", user=_owner(), password="a much better one 4711")


def _ended() -> None:
    end_access(_owner())


def _request(*, by_session: bool) -> dict[str, Any]:
    if not by_session:
        return asgi_request("/events", make_caller("nora", "operator").token, accept="text/event-stream")
    page = SignedIn(make_user("nora", "operator"))
    cookie = f"hawser_session={page.client.cookies['hawser_session'].value}"
    asked = asgi_request("/events", None, accept="text/event-stream")
    return {**asked, "headers": [*asked["headers"], (b"cookie", cookie.encode())]}


async def _seconds_until_end(request: dict[str, Any], action: Callable[[], None], clock: StreamTime) -> float:
    stream = ApplicationCommunicator(application, request)
    await stream.send_input({"type": "http.request", "body": b"", "more_body": False})
    assert (await stream.receive_output(timeout=5))["status"] == 200
    await in_thread(action)
    began_s, clock.is_passing = clock.now_s, True
    while (await stream.receive_output(timeout=20)).get("more_body"):
        pass
    await stream.wait(timeout=20)
    return clock.now_s - began_s


@pytest.mark.parametrize("action", [_revoked, _expired, _disabled, _other_role, _new_password])
def test_stream__of_a_token_that_works_no_more__ends(
    emptied: None, action: Callable[[], None], clock: StreamTime
) -> None:
    assert asyncio.run(_seconds_until_end(_request(by_session=False), action, clock)) <= WITHIN_S


@pytest.mark.parametrize("action", [_ended, _disabled, _other_role, _new_password])
def test_stream__of_a_session_that_works_no_more__ends(
    emptied: None, action: Callable[[], None], clock: StreamTime
) -> None:
    assert asyncio.run(_seconds_until_end(_request(by_session=True), action, clock)) <= WITHIN_S

"""Server-Sent Events from rows: a lost stream resumes at its last id, Redis plays no part."""

from __future__ import annotations

import asyncio
import json
import time
import weakref
from collections.abc import AsyncIterator, Callable
from datetime import timedelta

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils import timezone

from backend.common.events.models import Event
from backend.common.events.selectors import latest_id, wire

BATCH = 500
SETTLED = timedelta(seconds=5)
"""Ids are given out before commit, so a lower id can appear after a higher one within this time."""


CHECK_EVERY_S = 1.0
"""How long somebody who was signed out may still hear: two seconds are promised."""
BEAT = b"event: heartbeat\ndata: {}\n\n"
"""An event and no comment: a page is told of events only, and can tell silence from a connection that died."""


class EventFollower:
    """Reads new events, each once, although they may be committed out of the order of their ids."""

    def __init__(self, rows: QuerySet[Event], after: int) -> None:
        self._rows = rows
        self._low = after
        self._seen: set[int] = set()

    def poll(self) -> list[Event]:
        """What came since the last call, in the order of ids."""
        close_old_connections()
        found = list(self._rows.filter(id__gt=self._low).order_by("id")[:BATCH])
        fresh = [event for event in found if event.pk not in self._seen]
        self._seen.update(event.pk for event in fresh)
        settled = timezone.now() - SETTLED
        old = [event.pk for event in found if event.at < settled]
        if old:
            self._low = max(old)
            self._seen = {pk for pk in self._seen if pk > self._low}
        return fresh


class EventStreamResponse(StreamingHttpResponse):
    """Calls `release` once: when it is closed, or dropped because the client left before it began."""

    def __init__(self, events: AsyncIterator[bytes], release: Callable[[], None]) -> None:
        super().__init__(events, content_type="text/event-stream")
        self._release = weakref.finalize(self, release)

    def close(self) -> None:
        """The stream is over."""
        super().close()
        self._release()


def event_stream(
    rows: QuerySet[Event], last_id: int | None, alive: Callable[[], bool], release: Callable[[], None]
) -> StreamingHttpResponse:
    """Follow events after `last_id` (from now where None); ends when `alive` says no, or after a while."""
    response = EventStreamResponse(_events(rows, last_id, alive), release)
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


async def _events(rows: QuerySet[Event], last_id: int | None, alive: Callable[[], bool]) -> AsyncIterator[bytes]:
    start = last_id if last_id is not None else await sync_to_async(latest_id)()
    follower = EventFollower(rows, start)
    ends = time.monotonic() + settings.HAWSER_STREAM_MAX_S
    last_heartbeat = checked_at = time.monotonic()
    # A first id, so that even a stream without events resumes where it began.
    yield f"retry: 1000\nid: {start}\n: following\n\n".encode()
    while time.monotonic() < ends:
        for event in await sync_to_async(follower.poll)():
            yield frame(event)
        if time.monotonic() - last_heartbeat >= settings.HAWSER_STREAM_HEARTBEAT_S:
            last_heartbeat = time.monotonic()
            yield BEAT
        if time.monotonic() - checked_at >= CHECK_EVERY_S:
            checked_at = time.monotonic()
            if not await sync_to_async(alive)():
                return
        await asyncio.sleep(settings.HAWSER_STREAM_POLL_S)


def frame(event: Event) -> bytes:
    """One event on the wire."""
    data = json.dumps(wire(event), separators=(",", ":"))
    return f"id: {event.pk}\nevent: {event.type}\ndata: {data}\n\n".encode()

"""Server-Sent Events from the table of events. A stream resumes after its last id; Redis is not involved."""

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
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.db.models.functions import Now
from django.http import StreamingHttpResponse

from backend.common.events.models import Event
from backend.common.events.selectors import latest_id, wire

BATCH = 500
SETTLED = timedelta(seconds=5)
"""Ids are assigned before commit, so a lower id can appear after a higher one within this time."""
_IS_SETTLED = ExpressionWrapper(Q(at__lt=Now() - SETTLED), output_field=BooleanField())
"""By the clock of the database, which wrote the time, too."""


CHECK_EVERY_S = 1.0
"""How long the stream of a user who was signed out may go on; two seconds are documented."""
BEAT = b"event: heartbeat\ndata: {}\n\n"
"""Sent as an event and not as a comment, so that a page can distinguish an idle stream from a broken connection."""


class EventFollower:
    """Reads each new event once, although events may be committed out of the order of their ids."""

    def __init__(self, rows: QuerySet[Event], after: int) -> None:
        self._rows = rows
        self._low = after
        self._seen: set[int] = set()

    def poll(self) -> list[Event]:
        """The events since the last call, in the order of ids."""
        close_old_connections()
        found = list(self._rows.filter(id__gt=self._low).annotate(is_settled=_IS_SETTLED).order_by("id")[:BATCH])
        fresh = [event for event in found if event.pk not in self._seen]
        self._seen.update(event.pk for event in fresh)
        old = [event.pk for event in found if event.is_settled]
        if old:
            self._low = max(old)
            self._seen = {pk for pk in self._seen if pk > self._low}
        return fresh


class EventStreamResponse(StreamingHttpResponse):
    """Calls `release` once: when the stream is closed, or dropped because the client left before its start."""

    def __init__(self, events: AsyncIterator[bytes], release: Callable[[], None]) -> None:
        super().__init__(events, content_type="text/event-stream; charset=utf-8")
        self._release = weakref.finalize(self, release)

    def close(self) -> None:
        """End the stream."""
        super().close()
        self._release()


def event_stream(
    rows: QuerySet[Event], last_id: int | None, alive: Callable[[], bool], release: Callable[[], None]
) -> StreamingHttpResponse:
    """Stream the events after `last_id` (from now on if None), until `alive` returns False or the time limit."""
    response = EventStreamResponse(_events(rows, last_id, alive), release)
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


async def _events(rows: QuerySet[Event], last_id: int | None, alive: Callable[[], bool]) -> AsyncIterator[bytes]:
    start = last_id if last_id is not None else await sync_to_async(latest_id)()
    follower = EventFollower(rows, start)
    ends = time.monotonic() + settings.HAWSER_STREAM_MAX_S
    last_heartbeat = checked_at = time.monotonic()
    # A first id, so that a stream without events resumes where it began, too.
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
    """An event in the form of Server-Sent Events."""
    data = json.dumps(wire(event), separators=(",", ":"))
    return f"id: {event.pk}\nevent: {event.type}\ndata: {data}\n\n".encode()

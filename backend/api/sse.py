"""Server-Sent Events from the table of events. A stream resumes after its last id; Redis is not involved."""

from __future__ import annotations

import asyncio
import json
import time
import weakref
from collections.abc import AsyncIterator, Callable

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.db.models import QuerySet
from django.http import StreamingHttpResponse

from backend.common.events.models import Event
from backend.common.events.selectors import latest_id, wire

BATCH = 500
SETTLED_S = 5.0
"""Ids are assigned before commit, so a lower id can appear after a higher one: for this long after that was read.

Not by the time in the event: a commit can wait for a minute, for example for room on the disk of the database.
"""


CHECK_EVERY_S = 1.0
"""How long the stream of a user who was signed out may go on; two seconds are documented."""
BEAT = b"event: heartbeat\ndata: {}\n\n"
"""Sent as an event and not as a comment, so that a page can distinguish an idle stream from a broken connection."""


class EventFollower:
    """Reads each new event once, although events may be committed out of the order of their ids."""

    def __init__(self, rows: QuerySet[Event], after: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rows, self._clock = rows, clock
        self._low = after
        self._seen: dict[int, float] = {}
        """When each of them was read that is above the lowest."""

    def poll(self) -> list[Event]:
        """The events since the last call, in the order of ids."""
        close_old_connections()
        rows, now = self._rows.filter(id__gt=self._low).exclude(pk__in=list(self._seen)), self._clock()
        fresh = list(rows.order_by("id")[:BATCH])
        self._seen |= {event.pk: now for event in fresh}
        settled = [pk for pk, read_at in self._seen.items() if read_at < now - SETTLED_S]
        if settled:
            self._low = max(settled)
            self._seen = {pk: read_at for pk, read_at in self._seen.items() if pk > self._low}
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

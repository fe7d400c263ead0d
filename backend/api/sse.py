"""Server-Sent Events from the table of events. A stream resumes after its last id; Redis is not involved."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import AsyncIterator, Callable
from functools import partial

from django.conf import settings
from django.http import StreamingHttpResponse

from backend.api.event_feed import EventFeed, Frame, TooSlowError, Wanted, feed, frame_of, in_thread
from backend.common.events.selectors import latest_id, newer

BATCH = 500
CHECK_EVERY_S = 1.0
"""How long the stream of a user who was signed out may go on; two seconds are documented."""
BEAT = b"event: heartbeat\ndata: {}\n\n"
"""Sent as an event and not as a comment, so that a page can distinguish an idle stream from a broken connection."""


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
    wanted: Wanted, last_id: int | None, alive: Callable[[], bool], release: Callable[[], None]
) -> StreamingHttpResponse:
    """Stream the events after `last_id` (from now on if None), until `alive` returns False or the time limit."""
    response = EventStreamResponse(_events(wanted, last_id, alive), release)
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


async def _events(wanted: Wanted, last_id: int | None, alive: Callable[[], bool]) -> AsyncIterator[bytes]:
    shared = feed()
    cursor = await shared.join()
    try:
        start = last_id if last_id is not None else await in_thread(latest_id)
        # A first id, so that a stream without events resumes where it began, too.
        yield f"retry: 1000\nid: {start}\n: following\n\n".encode()
        replayed: set[int] = set()
        if last_id is not None:
            async for frame in _missed(wanted, last_id):
                replayed.add(frame.id)
                yield frame.text
        async for part in _new(shared, cursor, alive, lambda one: _is_due(one, wanted, start, replayed)):
            yield part
    except TooSlowError:
        return  # the client connects again with its last id
    finally:
        shared.leave()


def _is_due(frame: Frame, wanted: Wanted, start: int, replayed: set[int]) -> bool:
    return frame.id > start and frame.id not in replayed and wanted.includes(frame)


async def _missed(wanted: Wanted, after: int) -> AsyncIterator[Frame]:
    """What is in the table after the client's last id, in portions."""
    while events := await in_thread(partial(newer, after, BATCH)):
        for frame in map(frame_of, events):
            if wanted.includes(frame):
                yield frame
        after = events[-1].pk
        await asyncio.sleep(0)


async def _new(
    shared: EventFeed, cursor: int, alive: Callable[[], bool], is_due: Callable[[Frame], bool]
) -> AsyncIterator[bytes]:
    """What is read from now on, a portion at a time, and heartbeats in between."""
    ends = time.monotonic() + settings.HAWSER_STREAM_MAX_S
    last_heartbeat = checked_at = time.monotonic()
    while time.monotonic() < ends:
        frames, cursor = shared.since(cursor)
        if due := [frame.text for frame in frames if is_due(frame)]:
            yield b"".join(due)
        if time.monotonic() - last_heartbeat >= settings.HAWSER_STREAM_HEARTBEAT_S:
            last_heartbeat = time.monotonic()
            yield BEAT
        if time.monotonic() - checked_at >= CHECK_EVERY_S:
            checked_at = time.monotonic()
            if not await in_thread(alive):
                return
        await shared.wait(min(CHECK_EVERY_S, settings.HAWSER_STREAM_HEARTBEAT_S))

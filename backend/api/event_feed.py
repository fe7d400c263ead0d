"""Reads new events once for all event streams of this process.

Each stream used to ask the database for itself, in a thread and with a connection of its own. Here one task reads what
is new, a few times a second while any stream is open, and the streams take from it what their callers may read.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections

from backend.common.events.models import Event, EventType
from backend.common.events.selectors import events_of, latest_id, newer_ids, wire

log = structlog.get_logger(__name__)
T = TypeVar("T")
SETTLED_S: Final = 5.0
"""Ids are assigned before commit, so a lower id can appear after a higher one: for this long after that was read.

Not by the time in the event: a commit can wait for a minute, for example for room on the disk of the database.
"""
KEPT: Final = 5_000
"""Events in memory; a stream whose client reads more slowly ends, and is resumed from the table."""
_threads: Final = ThreadPoolExecutor(4, "events")
"""All that streams ask of the database, however many are open."""


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it is sent, and what decides who gets it."""

    id: int
    link_ids: frozenset[str]
    """The links that it tells of: of an incident all of them, of the console none."""
    run_id: str
    text: bytes


@dataclass(frozen=True, slots=True)
class Wanted:
    """The events of one link alone, of one run, or all; with `readable` only those of these links.

    An event of several links is for those who may read each of them, as the incident itself is.
    """

    link_id: str = ""
    run_id: str = ""
    readable: Collection[str] | None = None

    def includes(self, frame: Frame) -> bool:
        """Whether a stream of these gets the event."""
        if self.link_id and frame.link_ids != {self.link_id}:
            return False
        if self.run_id and frame.run_id != self.run_id:
            return False
        if self.readable is None:
            return True
        # What names no link is for those who may read everything.
        return bool(frame.link_ids) and all(one in self.readable for one in frame.link_ids)


class EventFollower:
    """Reads each new event once, although events may be committed out of the order of their ids."""

    def __init__(self, after: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._low, self._clock = after, clock
        self._seen: dict[int, float] = {}
        """When each of them was read that is above the lowest."""

    def poll(self) -> list[Event]:
        """The events since the last call, in the order of ids."""
        now = self._clock()
        fresh = [pk for pk in newer_ids(self._low, KEPT + len(self._seen)) if pk not in self._seen]
        self._seen |= dict.fromkeys(fresh, now)
        self._low = max((pk for pk, read_at in self._seen.items() if read_at < now - SETTLED_S), default=self._low)
        self._seen = {pk: read_at for pk, read_at in self._seen.items() if pk > self._low}
        return events_of(fresh)


class TooSlowError(Exception):
    """A stream was left behind: what comes next is not in memory any more."""


class EventFeed:
    """What one event loop's streams take from; its task ends once no stream is open."""

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque(maxlen=KEPT)
        self._count = 0
        self._open = 0
        self._joining = asyncio.Lock()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def join(self) -> int:
        """Read for one more stream; returns its cursor, from which on it takes events."""
        async with self._joining:
            if self._task is None or self._task.done():
                follower = EventFollower(await in_thread(latest_id))
                self._task = asyncio.create_task(self._read(follower))
            self._open += 1
        return self._count

    def leave(self) -> None:
        """One stream less."""
        self._open -= 1

    def since(self, cursor: int) -> tuple[list[Frame], int]:
        """What was read since that cursor, and the next cursor; raises TooSlowError."""
        missed = self._count - cursor
        if missed > len(self._frames):
            raise TooSlowError
        return [self._frames[index] for index in range(-missed, 0)], self._count

    async def wait(self, limit_s: float) -> None:
        """Until something new was read, or for that long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), limit_s)

    async def _read(self, follower: EventFollower) -> None:
        while self._open > 0:
            try:
                self._publish(await in_thread(follower.poll))
            except Exception:
                log.exception("events.read_failed")  # the streams stay open, and go on when the database is back
            await asyncio.sleep(settings.HAWSER_STREAM_POLL_S)

    def _publish(self, events: list[Event]) -> None:
        if events:
            self._frames.extend(map(frame_of, events))
            self._count += len(events)
            self._changed.set()
            self._changed = asyncio.Event()


_feeds: WeakKeyDictionary[asyncio.AbstractEventLoop, EventFeed] = WeakKeyDictionary()


def feed() -> EventFeed:
    """The feed of the running event loop."""
    return _feeds.setdefault(asyncio.get_running_loop(), EventFeed())


async def in_thread(work: Callable[[], T]) -> T:
    """Ask the database in one of the threads of all streams."""
    return await sync_to_async(_connected, thread_sensitive=False, executor=_threads)(work)


def _connected(work: Callable[[], T]) -> T:
    close_old_connections()
    return work()


def frame_of(event: Event) -> Frame:
    """An event in the form of Server-Sent Events."""
    data = json.dumps(wire(event), separators=(",", ":"))
    text = f"id: {event.pk}\nevent: {event.type}\ndata: {data}\n\n".encode()
    return Frame(event.pk, _links_of(event), event.run_id, text)


def _links_of(event: Event) -> frozenset[str]:
    """An event of an incident that an earlier version wrote names no link."""
    if event.type == EventType.INCIDENT_UPDATED:
        return frozenset(event.data.get("link_ids", ()))
    return frozenset({event.link_id} - {""})

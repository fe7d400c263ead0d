"""Reads one log from a boundary on, within limits, and collects the groups that match with their neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from backend.core.lookup.groups import counted, logged_groups
from backend.core.lookup.log_events import GTID, TimedEvent, timed_events
from backend.core.lookup.matching import Beyond, matches
from backend.core.lookup.model import Criteria, LoggedGroup, LookupLimits, Match, Neighbour, Scan, Stop
from backend.core.orphans.transactions import RawEvent
from backend.core.positions import FilePosition


class Elapsed(Protocol):
    """The seconds since the search of a node began."""

    def __call__(self) -> float: ...


class DumpedLog(Protocol):
    """A log that is read by the dump protocol."""

    @property
    def has_full_images(self) -> bool: ...

    def events(self, start: FilePosition) -> Iterator[RawEvent]:
        """Events from a boundary to the log's end when it is reached; raises NodeError."""
        ...


def scan(
    log: DumpedLog, criteria: Criteria, start: FilePosition, limits: LookupLimits, elapsed: Elapsed, *, is_first: bool
) -> Scan:
    """Read from `start`; `is_first`: no group stands before it. Raises NodeError and UnknownEventError."""
    events = _Limited(log, start, limits, elapsed)
    groups = _Reading(criteria, limits, is_first=is_first)
    stop = Stop.LOG_END
    for one in logged_groups(events, has_full_images=log.has_full_images):
        found = groups.take(one)
        if found is not None:
            stop = found
            break
    else:
        stop = events.stop or Stop.LOG_END
    return groups.result(start, stop)


class _Limited:
    """The events until a limit is reached; that of bytes ends between two groups, so that each search advances."""

    def __init__(self, log: DumpedLog, start: FilePosition, limits: LookupLimits, elapsed: Elapsed) -> None:
        self._log, self._start, self._limits, self._elapsed = log, start, limits, elapsed
        self.stop: Stop | None = None

    def __iter__(self) -> Iterator[TimedEvent]:
        read, has_group = 0, False
        for timed in timed_events(self._log.events(self._start), self._start):
            if self._elapsed() > self._limits.seconds:
                self.stop = Stop.TIME
                return
            if timed.raw.kind == GTID:
                if has_group and read >= self._limits.bytes:
                    self.stop = Stop.BYTES
                    return
                has_group = True
            read += (timed.event.end_log_pos - timed.event.pos) % 2**32
            yield timed


class _Reading:
    """The matches so far, each with the group before it; the group after it is set by the next one."""

    def __init__(self, criteria: Criteria, limits: LookupLimits, *, is_first: bool) -> None:
        self._criteria, self._limits = criteria, limits
        self._beyond = Beyond(criteria)
        self._before_is = Neighbour.LOG_START if is_first else Neighbour.NOT_READ
        self._previous: LoggedGroup | None = None
        self._matches: list[Match] = []
        self._is_last_matched = False
        self._groups = self._bytes = self._textless = 0

    def take(self, one: LoggedGroup) -> Stop | None:
        """Read one group; a reason to stop before it, if there is one."""
        if self._is_last_matched:
            self._matches[-1] = replace(self._matches[-1], after=_plain(one), after_is=Neighbour.GROUP)
        if len(self._matches) >= self._limits.matches:
            return Stop.MATCHES
        if self._beyond.is_after(one):
            return Stop.PAST
        self._groups += 1
        self._bytes += one.group.end - one.group.start
        self._textless += not one.has_text
        self._is_last_matched = matches(self._criteria, one)
        if self._is_last_matched:
            before = _plain(self._previous) if self._previous else None
            before_is = Neighbour.GROUP if before else self._before_is
            self._matches.append(Match(counted(one), before=before, before_is=before_is))
        self._previous = one
        return None

    def result(self, start: FilePosition, stop: Stop) -> Scan:
        """All that was read."""
        if stop is Stop.LOG_END and self._is_last_matched:
            self._matches[-1] = replace(self._matches[-1], after_is=Neighbour.LOG_END)
        return Scan(
            start=start,
            end=self._previous.group.end_position if self._previous else start,
            stop=stop,
            matches=tuple(self._matches),
            groups=self._groups,
            bytes=self._bytes,
            textless=self._textless,
        )


def _plain(one: LoggedGroup) -> LoggedGroup:
    """A neighbour, whose rows are not counted."""
    return replace(one, row_events=None)

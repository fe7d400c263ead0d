"""Reads one log from a boundary on, within limits, and collects the groups that match with their neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from backend.core.binlog.events import RowImages
from backend.core.lookup.groups import DumpedGroup, dumped_groups
from backend.core.lookup.log_events import GTID
from backend.core.lookup.matching import Beyond, Filter, matches
from backend.core.lookup.model import Criteria, LoggedGroup, LookupLimits, Match, Neighbour, Scan, Stop
from backend.core.orphans.transactions import RawEvent
from backend.core.positions import FilePosition

_EVENT_HEADER = 19


class Elapsed(Protocol):
    """The seconds since the search of a node began."""

    def __call__(self) -> float: ...


class DumpedLog(Protocol):
    """A log that is read by the dump protocol."""

    @property
    def row_images(self) -> RowImages: ...

    def events(self, start: FilePosition) -> Iterator[RawEvent]:
        """Events from a boundary to the log's end when it is reached; raises NodeError."""
        ...


def scan(
    log: DumpedLog, criteria: Criteria, start: FilePosition, limits: LookupLimits, elapsed: Elapsed, *, is_first: bool
) -> Scan:
    """Read from `start`; `is_first`: no group stands before it. Raises NodeError and UnknownEventError."""
    events = _Limited(log, start, limits, elapsed)
    reading = _Reading(criteria, limits, is_first=is_first, row_images=log.row_images)
    for one in dumped_groups(events, start):
        stop = reading.take(one)
        if stop is not None:
            return reading.result(start, stop)
    return reading.result(start, events.stop or Stop.LOG_END)


class _Limited:
    """The events until a limit is reached; that of bytes ends between two groups, so that each search advances."""

    def __init__(self, log: DumpedLog, start: FilePosition, limits: LookupLimits, elapsed: Elapsed) -> None:
        self._log, self._start, self._limits, self._elapsed = log, start, limits, elapsed
        self.stop: Stop | None = None

    def __iter__(self) -> Iterator[RawEvent]:
        read, has_group = 0, False
        for event in self._log.events(self._start):
            if self._elapsed() > self._limits.seconds:
                self.stop = Stop.TIME
                return
            if event.kind == GTID:
                if has_group and read >= self._limits.bytes:
                    self.stop = Stop.BYTES
                    return
                has_group = True
            read += _EVENT_HEADER + len(event.body)
            yield event


class _Reading:
    """The matches so far, each with the group before it; the group after it is set by the next one."""

    def __init__(self, criteria: Criteria, limits: LookupLimits, *, is_first: bool, row_images: RowImages) -> None:
        self._criteria, self._limits, self._row_images = criteria, limits, row_images
        self._beyond, self._filter = Beyond(criteria), Filter(criteria)
        self._before_is = Neighbour.LOG_START if is_first else Neighbour.NOT_READ
        self._previous: DumpedGroup | None = None
        self._matches: list[Match] = []
        self._is_last_matched = False
        self._groups = self._bytes = self._textless = 0

    def take(self, one: DumpedGroup) -> Stop | None:
        """Read one group; a reason to stop before it, if there is one."""
        if one.is_open and self._described(one) is None:
            return None  # its end was not sent
        if self._is_last_matched:
            self._matches[-1] = replace(self._matches[-1], after=self._described(one), after_is=Neighbour.GROUP)
        if len(self._matches) >= self._limits.matches:
            self._is_last_matched = False
            return Stop.MATCHES
        if self._beyond.is_after(one):
            self._is_last_matched = False
            return Stop.PAST
        self._groups += 1
        self._bytes += one.end - one.start
        self._match(one)
        self._previous = one
        return None

    def _match(self, one: DumpedGroup) -> None:
        self._is_last_matched = False
        found = None
        if self._filter.may_match(one):
            found = one.described(row_images=self._row_images, counts_rows=True)
        has_text = one.has_text or not one.has_rows or (found is not None and found.has_text)
        self._textless += not has_text
        if found is not None and matches(self._criteria, found):
            before = self._described(self._previous) if self._previous else None
            before_is = Neighbour.GROUP if before else self._before_is
            self._matches.append(Match(found, before=before, before_is=before_is))
            self._beyond.found(found)
            self._is_last_matched = True

    def _described(self, one: DumpedGroup) -> LoggedGroup | None:
        return one.described(row_images=self._row_images)

    def result(self, start: FilePosition, stop: Stop) -> Scan:
        """All that was read."""
        if stop is Stop.LOG_END and self._is_last_matched:
            self._matches[-1] = replace(self._matches[-1], after_is=Neighbour.LOG_END)
        return Scan(
            start=start,
            end=self._previous.end_position if self._previous else start,
            stop=stop,
            matches=tuple(self._matches),
            groups=self._groups,
            bytes=self._bytes,
            textless=self._textless,
        )

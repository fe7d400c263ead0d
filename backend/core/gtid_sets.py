"""MySQL's GTIDs: `UUID:NUMBER` or `UUID:TAG:NUMBER`, and sets of them as intervals.

A server that executed a set has no other transaction of its channels: what is missing is a subtraction, and a
transaction of a GTID that was executed before is skipped without an error (observed on MySQL 9.7.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from backend.core.positions import PositionError

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TAG = re.compile(r"[a-z_][a-z0-9_]{0,31}")
_INTERVAL = re.compile(r"(\d{1,19})(?:-(\d{1,19}))?")
Source = tuple[str, str]
"""UUID and tag; the tag is empty for a GTID without one."""
Interval = tuple[int, int]


@dataclass(frozen=True, slots=True, order=True)
class MysqlGtid:
    """One transaction of one source."""

    uuid: str
    tag: str
    number: int

    def __str__(self) -> str:
        return ":".join(filter(None, (self.uuid, self.tag, str(self.number))))

    @classmethod
    def parse(cls, text: str) -> MysqlGtid:
        """Read one GTID; raises PositionError, also for a set."""
        found = MysqlGtidSet.parse(text)
        if found.count != 1:
            raise PositionError(f"{text!r} is not one GTID")
        (source, ((number, _),)) = next(iter(found.intervals.items()))
        return cls(*source, number)


@dataclass(frozen=True, slots=True)
class MysqlGtidSet:
    """By source the intervals of its numbers: ordered, apart from each other, both ends included."""

    intervals: Mapping[Source, tuple[Interval, ...]]

    @classmethod
    def of(cls, pairs: Iterable[tuple[Source, Interval]]) -> MysqlGtidSet:
        """The set of these intervals, in any order."""
        by_source: dict[Source, list[Interval]] = {}
        for source, interval in pairs:
            by_source.setdefault(source, []).append(interval)
        return cls({source: _merged(by_source[source]) for source in sorted(by_source)})

    @classmethod
    def parse(cls, text: str) -> MysqlGtidSet:
        """Read a set as servers show it, with line breaks behind commas; an empty text is the empty set."""
        return cls.of(pair for part in text.split(",") if part.strip() for pair in _parts(part.strip()))

    @property
    def count(self) -> int:
        """The number of transactions."""
        return sum(last - first + 1 for intervals in self.intervals.values() for first, last in intervals)

    def minus(self, other: MysqlGtidSet) -> MysqlGtidSet:
        """What this set has and the other has not."""
        return MysqlGtidSet.of(
            (source, rest)
            for source, intervals in self.intervals.items()
            for rest in _subtracted(intervals, other.intervals.get(source, ()))
        )

    def plus(self, other: MysqlGtidSet) -> MysqlGtidSet:
        """What one of both has."""
        return MysqlGtidSet.of((*self._pairs(), *other._pairs()))

    def is_contained_in(self, other: MysqlGtidSet) -> bool:
        """Whether the other has every transaction of this set."""
        return self.minus(other).count == 0

    def holds(self, gtid: MysqlGtid) -> bool:
        """Whether the transaction is in the set."""
        return any(first <= gtid.number <= last for first, last in self.intervals.get((gtid.uuid, gtid.tag), ()))

    def of_sources(self, uuids: Iterable[str]) -> MysqlGtidSet:
        """The part that these servers, or clusters, wrote."""
        wanted = frozenset(uuids)
        return MysqlGtidSet({source: found for source, found in self.intervals.items() if source[0] in wanted})

    def without_sources(self, uuids: Iterable[str]) -> MysqlGtidSet:
        """The part that none of these wrote."""
        unwanted = frozenset(uuids)
        return MysqlGtidSet({source: found for source, found in self.intervals.items() if source[0] not in unwanted})

    def beyond(self, other: MysqlGtidSet) -> MysqlGtidSet:
        """The part that follows, of each source, the last number of the other set."""
        last = {source: found[-1][1] for source, found in other.intervals.items()}
        return self.minus(MysqlGtidSet.of((source, (1, last[source])) for source in self.intervals if source in last))

    def shortened(self, most: int = 4) -> str:
        """The set as text for a sentence, at most so many intervals of it."""
        pairs = list(self._pairs())
        shown = str(MysqlGtidSet.of(pairs[:most]))
        return shown if len(pairs) <= most else f"{shown} and {len(pairs) - most:,} more intervals"

    def holes(self) -> MysqlGtidSet:
        """Numbers between the first and the last of a source that are missing; auto-position would fetch them."""
        whole = MysqlGtidSet.of((source, (1, found[-1][1])) for source, found in self.intervals.items())
        return whole.minus(self)

    def _pairs(self) -> Iterator[tuple[Source, Interval]]:
        return ((source, interval) for source, found in self.intervals.items() for interval in found)

    def __str__(self) -> str:
        return ",".join(
            ":".join((*filter(None, source), *(f"{a}-{b}" if a != b else str(a) for a, b in found)))
            for source, found in self.intervals.items()
        )


def _parts(text: str) -> Iterator[tuple[Source, Interval]]:
    """`UUID:1-5:7:TAG:1-2`: a tag holds for the intervals behind it."""
    uuid, *parts = (part.strip().lower() for part in text.split(":"))
    if not _UUID.fullmatch(uuid) or not parts:
        raise PositionError(f"{text[:100]!r} is not a set of GTIDs of MySQL")
    tag, has_interval = "", False
    for part in parts:
        match = _INTERVAL.fullmatch(part)
        if match is None and _TAG.fullmatch(part):
            tag, has_interval = part, False
            continue
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last:
            raise PositionError(f"{part!r} in {text[:100]!r} is not an interval of GTIDs")
        has_interval = True
        yield (uuid, tag), (first, last)
    if not has_interval:
        raise PositionError(f"{text[:100]!r} has no interval behind its tag")


def _merged(intervals: list[Interval]) -> tuple[Interval, ...]:
    merged: list[Interval] = []
    for first, last in sorted(intervals):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return tuple(merged)


def _subtracted(intervals: Sequence[Interval], taken: Sequence[Interval]) -> Iterator[Interval]:
    """Both in order, in one pass: a server that was written at random has thousands of intervals."""
    index = 0
    for first, last in intervals:
        begin = first
        while index < len(taken) and taken[index][1] < begin:
            index += 1
        at = index
        while at < len(taken) and taken[at][0] <= last:
            if taken[at][0] > begin:
                yield begin, taken[at][0] - 1
            begin = taken[at][1] + 1
            at += 1
        index = max(index, at - 1)
        if begin <= last:
            yield begin, last

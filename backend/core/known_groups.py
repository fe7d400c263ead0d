"""The groups of a cluster's own stream that were read of its nodes' logs: what the other side lacks of them is counted.

They are named by seqno, the same number on each node; a group without one (DDL) by the seqno before it and its turn
behind that. A count is a lower bound: the nodes may have written more since their logs were last read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple


class AppliedPlace(NamedTuple):
    """How far a replica applied a stream: the last seqno, and how many groups without one after it."""

    seqno: int
    trailing: int = 0


class Stretch(NamedTuple):
    """All seqnos from `first` to `last` (none where `first` is greater), then so many groups without one."""

    first: int
    last: int
    trailing: int = 0


def time_text(at_s: float) -> str:
    """When a side was last read: a clock time stays true in a plan and in a record."""
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d %H:%M:%S} UTC"


MOST_STRETCHES = 500
"""As many of the newest are stored: where both sides write, each change of the writer begins another one."""


@dataclass(frozen=True, slots=True)
class KnownGroups:
    """In the order of the stream."""

    stretches: tuple[Stretch, ...] = ()

    @classmethod
    def of_log(cls, groups: Iterable[tuple[int | None, bool]]) -> KnownGroups:
        """From one log, oldest first: each group's seqno (None: it has none), and whether it is of the stream.

        A number that falls belongs to another history, or the one before is none of the cluster (node-local writes have
        their own): what was read before it is left out, so that the count stays a lower bound.
        """
        found: list[Stretch] = []
        last: int | None = None
        for seqno, is_of_stream in groups:
            if seqno is None:
                if is_of_stream and last is not None:
                    _add_trailing(found, last)
                continue
            if last is not None and seqno <= last:
                found.clear()
            last = seqno
            if is_of_stream:
                _add(found, seqno)
        return cls(tuple(found))

    def joined(self, other: KnownGroups) -> KnownGroups:
        """What either log shows: a neighbour's may have been read further than that of the node that failed first."""
        if not other.stretches or self == other:
            return self
        if not self.stretches:
            return other
        both = (*self.stretches, *other.stretches)
        trailing: dict[int, int] = {}
        for one in both:
            if one.trailing:
                trailing[one.last] = max(one.trailing, trailing.get(one.last, 0))
        return KnownGroups(tuple(_with_trailing(_merged(both), sorted(trailing.items()))))

    def after(self, place: AppliedPlace) -> int:
        """How many groups follow the place."""
        return max(0, sum(_after(one, place.seqno) for one in self.stretches) - place.trailing)

    def ends_before(self, place: AppliedPlace) -> bool:
        """Whether the place lies beyond everything that was read: more was written since."""
        return not self.stretches or (self.stretches[-1].last, self.stretches[-1].trailing) < place

    def to_json(self) -> list[list[int]]:
        """The newest of them, as plain data."""
        return [list(one) for one in self.stretches[-MOST_STRETCHES:]]

    @classmethod
    def from_json(cls, data: Sequence[Sequence[int]]) -> KnownGroups:
        """Inverse of `to_json`."""
        return cls(tuple(Stretch(*one) for one in data))


def _add(found: list[Stretch], seqno: int) -> None:
    if found and seqno == found[-1].last + 1 and not found[-1].trailing:
        found[-1] = found[-1]._replace(last=seqno)
    else:
        found.append(Stretch(seqno, seqno))


def _add_trailing(found: list[Stretch], seqno: int) -> None:
    """One more group without a seqno behind that one, which may be of another stream."""
    if found and found[-1].last == seqno:
        found[-1] = found[-1]._replace(trailing=found[-1].trailing + 1)
    else:
        found.append(Stretch(seqno + 1, seqno, 1))


def _after(one: Stretch, seqno: int) -> int:
    if one.last > seqno:
        return max(0, one.last - max(one.first - 1, seqno)) + one.trailing
    return one.trailing if one.last == seqno else 0


def _merged(stretches: Iterable[Stretch]) -> list[tuple[int, int]]:
    """The seqnos of all, as ranges that neither touch nor overlap."""
    found: list[tuple[int, int]] = []
    for first, last, _ in sorted(stretches):
        if first > last:
            continue
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found


def _with_trailing(ranges: Iterable[tuple[int, int]], trailing: Sequence[tuple[int, int]]) -> list[Stretch]:
    """The ranges, divided behind each seqno that groups without one follow."""
    found: list[Stretch] = []
    waiting = list(trailing)
    for begin, end in ranges:
        first = begin
        while waiting and waiting[0][0] <= end:
            seqno, count = waiting.pop(0)
            found.append(Stretch(first, seqno, count) if seqno >= first else Stretch(seqno + 1, seqno, count))
            first = max(first, seqno + 1)
        if first <= end:
            found.append(Stretch(first, end))
    return found + [Stretch(seqno + 1, seqno, count) for seqno, count in waiting]

"""The topology before and after a run as a comparison: one row for each role and each channel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from backend.core.history.stored_run import StoredRun
from backend.core.history.topology import ChannelPlace, Topology, after, before
from backend.core.topology import Direction

UNKNOWN: Final = "unknown"
NONE: Final = "none"


class Change(StrEnum):
    """How a row differs; unknown where one of its ends is."""

    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A role or a channel before and after the run."""

    component: ClassVar[str] = "TopologyRow"
    subject: str
    before: str
    after: str
    change: Change


def diff(run: StoredRun) -> tuple[DiffRow, ...]:
    """Both roles, then the channels of each direction; directions keep their names of before the run."""
    old, new = before(run), after(run)
    return (
        _role("active side", old.active, new.active),
        _role("standby side", old.standby, new.standby),
        *_channels(old, new),
    )


def as_text(rows: tuple[DiffRow, ...]) -> str:
    """The comparison as text, one line a row, in the signs of a diff."""
    return "\n".join(line for row in rows for line in _lines(row))


def _lines(row: DiffRow) -> Iterator[str]:
    if row.change is Change.SAME:
        yield f"  {row.subject}: {row.after}"
        return
    if row.before != NONE:
        yield f"- {row.subject}: {row.before}"
    if row.after != NONE:
        yield f"+ {row.subject}: {row.after}"


def _role(subject: str, old: str | None, new: str | None) -> DiffRow:
    if old is None or new is None:
        return DiffRow(subject, old or UNKNOWN, new or UNKNOWN, Change.UNKNOWN)
    return DiffRow(subject, old, new, Change.SAME if old == new else Change.CHANGED)


def _channels(old: Topology, new: Topology) -> Iterator[DiffRow]:
    for direction in Direction:
        subject = f"{direction.value} channel"
        if old.channels is None or new.channels is None:
            yield DiffRow(subject, UNKNOWN, UNKNOWN, Change.UNKNOWN)
            continue
        left = [one for one in old.channels if one.direction is direction]
        came = [one for one in new.channels if one.direction is direction]
        if direction in old.unread and not came:
            yield DiffRow(subject, UNKNOWN, UNKNOWN, Change.UNKNOWN)
        yield from _paired(subject, left, came)


def _paired(subject: str, left: list[ChannelPlace], came: list[ChannelPlace]) -> Iterator[DiffRow]:
    """Channels that stay on their node are compared with themselves, the moved ones with each other."""
    for one in list(left):
        twin = next((other for other in came if other.replica == one.replica), None)
        if twin is not None:
            left.remove(one)
            came.remove(twin)
            yield _row(subject, one, twin)
    for index in range(max(len(left), len(came))):
        yield _row(subject, _at(left, index), _at(came, index))


def _at(places: list[ChannelPlace], index: int) -> ChannelPlace | None:
    return places[index] if index < len(places) else None


def _row(subject: str, old: ChannelPlace | None, new: ChannelPlace | None) -> DiffRow:
    if old is None:
        return DiffRow(subject, NONE, _shown(new), Change.ADDED)
    if new is None:
        return DiffRow(subject, _shown(old), NONE, Change.REMOVED)
    if new.source is None or new.replica is None:
        return DiffRow(subject, _shown(old), _shown(new), Change.UNKNOWN)
    return DiffRow(subject, _shown(old), _shown(new), Change.SAME if _shown(old) == _shown(new) else Change.CHANGED)


def _shown(channel: ChannelPlace | None) -> str:
    if channel is None:
        return NONE
    state = {True: "running", False: "stopped", None: "state unknown"}[channel.is_running]
    seen = state if channel.is_observed else "as recorded; its node did not respond"
    return f"{channel.source or UNKNOWN} → {channel.replica or UNKNOWN} ({seen})"

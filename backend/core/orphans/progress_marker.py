"""The progress of a replay or undo, stored on the server itself: one row of hawser.probe, written with the rows.

Its key is the divergence, not the run, so that a later run resumes where an earlier one stopped.
The token names the list of orphans it counts in; it is not valid for another list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_PLAIN = re.compile(r"[A-Za-z0-9_.\-]{1,40}")
_TOKEN = re.compile(r"([0-9a-f]{16}):(\d{1,9})")
_DIGITS = 16


class OrphanAction(StrEnum):
    """What is done with the orphans' rows."""

    REPLAY = "replay"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class MarkerProgress:
    """The last orphan done, in the list with this digest (its first 16 digits)."""

    digest: str
    index: int

    def is_of(self, digest: str) -> bool:
        """Whether it counts in the list with that digest."""
        return digest[:_DIGITS] == self.digest


def write_marker(key: str, way: OrphanAction, digest: str, index: int, node: str) -> str:
    """The statement that writes the marker of one transaction."""
    for value in (key, digest, node):
        if not _PLAIN.fullmatch(value[:_DIGITS] if value == digest else value):
            raise ValueError(f"{value!r} is not allowed in a progress marker")
    return (
        "REPLACE INTO hawser.probe (link_id, direction, token, written_on, written_at) "
        f"VALUES ('{key}', '{way.value}', '{digest[:_DIGITS]}:{index}', '{node}', UTC_TIMESTAMP(6))"
    )


def read_marker(key: str, way: OrphanAction) -> str:
    """The statement that reads the marker."""
    if not _PLAIN.fullmatch(key):
        raise ValueError(f"{key!r} is not allowed in a progress marker")
    return f"SELECT token FROM hawser.probe WHERE link_id='{key}' AND direction='{way.value}'"


def parse_marker(token: str) -> MarkerProgress:
    """Inverse of the token written; ValueError for another text."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise ValueError(f"{token!r} is not a progress marker of Hawser")
    return MarkerProgress(match[1], int(match[2]))


def pending_range(way: OrphanAction, count: int, reached: MarkerProgress | None) -> range:
    """The indexes still to be done of `count`, in order: a replay counts up, an undo counts down."""
    if way is OrphanAction.REPLAY:
        return range(0 if reached is None else reached.index + 1, count)
    return range(count - 1 if reached is None else reached.index - 1, -1, -1)

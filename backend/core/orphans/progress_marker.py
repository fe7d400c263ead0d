"""How far replay or undo went, told by the server itself: one row of hawser.probe, written with the rows.

It is keyed by the divergence, not by the run, so that a later run goes on where an earlier one stopped.
The token names the list of orphans it counts in: another list is another matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_PLAIN = re.compile(r"[A-Za-z0-9_.\-]{1,40}")
_TOKEN = re.compile(r"([0-9a-f]{16}):(\d{1,9})")
_DIGITS = 16


class OrphanAction(StrEnum):
    """Which way the orphans' rows go."""

    REPLAY = "replay"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class MarkerProgress:
    """The last orphan that was done, in the list with that digest (its first 16 digits)."""

    digest: str
    index: int

    def is_of(self, digest: str) -> bool:
        """Whether it counts in the list of that digest."""
        return digest[:_DIGITS] == self.digest


def write_marker(key: str, way: OrphanAction, digest: str, index: int, node: str) -> str:
    """The marker of one transaction."""
    for value in (key, digest, node):
        if not _PLAIN.fullmatch(value[:_DIGITS] if value == digest else value):
            raise ValueError(f"{value!r} cannot stand in a marker")
    return (
        "REPLACE INTO hawser.probe (link_id, direction, token, written_on, written_at) "
        f"VALUES ('{key}', '{way.value}', '{digest[:_DIGITS]}:{index}', '{node}', UTC_TIMESTAMP(6))"
    )


def read_marker(key: str, way: OrphanAction) -> str:
    """Read it back."""
    if not _PLAIN.fullmatch(key):
        raise ValueError(f"{key!r} cannot stand in a marker")
    return f"SELECT token FROM hawser.probe WHERE link_id='{key}' AND direction='{way.value}'"


def parse_marker(token: str) -> MarkerProgress:
    """Inverse of the token written; ValueError for another text."""
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise ValueError(f"{token!r} is no marker of ours")
    return MarkerProgress(match[1], int(match[2]))


def pending_range(way: OrphanAction, count: int, reached: MarkerProgress | None) -> range:
    """What is still to be done of so many, in its order: replay goes up, undo goes down."""
    if way is OrphanAction.REPLAY:
        return range(0 if reached is None else reached.index + 1, count)
    return range(count - 1 if reached is None else reached.index - 1, -1, -1)

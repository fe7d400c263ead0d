"""A place in a binary log."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Coordinate:
    """A place in one server's own binlog."""

    file: str
    position: int

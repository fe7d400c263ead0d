"""Traces: what is done to two sites' servers, drawn from a seed, with valid and invalid moves alike."""

from __future__ import annotations

import random
from dataclasses import dataclass

REPLICAS = {"b1": ("a1", "a2"), "a1": ("b1",)}
"""Where a channel may stand, and its possible sources."""
SLAVE = (
    "STOP SLAVE",
    "STOP SLAVE IO_THREAD",
    "STOP SLAVE SQL_THREAD",
    "START SLAVE",
    "START SLAVE",
    "START SLAVE IO_THREAD",
    "START SLAVE SQL_THREAD",
    "RESET SLAVE ALL",
)


@dataclass(frozen=True, slots=True)
class Move:
    """One move on one node; `what` is write, ddl, local, rotate, a statement on its channel, or point (at `source`)."""

    node: str
    what: str
    source: str = ""


def trace(seed: int, moves: int) -> tuple[Move, ...]:
    """So many moves; the same for the same seed. At the end both channels are pointed and started."""
    draw = random.Random(seed)
    found = []
    for _ in range(moves):
        kind = draw.choice(("write", "write", "write", "ddl", "local", "rotate", "slave", "slave", "point"))
        if kind == "slave":
            found.append(Move(draw.choice(tuple(REPLICAS)), draw.choice(SLAVE)))
        elif kind == "point":
            replica = draw.choice(tuple(REPLICAS))
            found.append(Move(replica, kind, draw.choice(REPLICAS[replica])))
        else:
            found.append(Move(draw.choice(("a1", "a2", "b1")), kind))
    return tuple(found)

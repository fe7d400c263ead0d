"""Traces: what is done to two sites' servers, drawn from a seed, with valid and invalid moves alike."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.honesty.answers import NODES

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


LONE = "b1"
"""The only node of its site: killed, its side is gone until it returns."""
READ_ONLY = ("SET GLOBAL read_only=ON", "SET GLOBAL read_only=OFF")
KINDS = (
    *("write", "write", "write", "ddl", "local", "rotate", "slave", "slave", "point") * 2,
    *("purge", "purge", "read_only", "death"),
)


@dataclass(frozen=True, slots=True)
class Move:
    """One move on one node.

    `what` is write, ddl, local, rotate, purge, a statement on its channel or of its own, point (at `source`), kill
    or return.
    """

    node: str
    what: str
    source: str = ""


def trace(seed: int, moves: int) -> tuple[Move, ...]:
    """So many moves, the same for the same seed; at the end every node lives."""
    draw = random.Random(seed)
    found: list[Move] = []
    is_dead = False
    for _ in range(moves):
        move = Move(LONE, "return") if is_dead and draw.random() < 0.4 else _drawn(draw, is_dead=is_dead)
        is_dead = move.what == "kill" or (is_dead and move.what != "return")
        found.append(move)
    return (*found, Move(LONE, "return")) if is_dead else tuple(found)


def _drawn(draw: random.Random, *, is_dead: bool) -> Move:
    """A move that can be made while the lone node is dead, or lives."""
    alive = tuple(name for name in NODES if not (is_dead and name == LONE))
    replica = draw.choice([name for name in REPLICAS if name in alive])
    sources = [name for name in REPLICAS[replica] if name in alive]
    kind = draw.choice(KINDS)
    if kind == "slave" or (kind == "point" and not sources) or (kind == "death" and is_dead):
        return Move(replica, draw.choice(SLAVE))
    if kind == "point":
        return Move(replica, kind, draw.choice(sources))
    if kind == "death":
        return Move(LONE, "kill")
    node = draw.choice(alive)
    return Move(node, draw.choice(READ_ONLY) if kind == "read_only" else kind)

"""Traces: what is done to two sites' servers, drawn from a seed, with valid and invalid moves alike."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

from tests.conformance.observations import NODES

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
"""The only node of its site: killed or frozen, its side is down until it returns."""
CROWDED = "a1"
"""One of three: frozen, it is expelled."""
BACK = {"kill": "return", "freeze": "thaw"}
SETTINGS = {
    "read_only": ("SET GLOBAL read_only=ON", "SET GLOBAL read_only=OFF"),
    "wsrep_on": ("SET GLOBAL wsrep_on=OFF", "SET GLOBAL wsrep_on=ON", "SET GLOBAL wsrep_on=ON"),
}
KINDS = (
    *("write", "write", "write", "ddl", "local", "rotate", "slave", "slave", "point") * 4,
    *("purge", "purge", "read_only", "kill") * 2,
    *("reset", "reset", "wsrep_on", "wsrep_on", "freeze"),
)
GTID_KINDS = tuple(kind for kind in KINDS if kind not in ("local", "wsrep_on"))
"""What a node writes alone has a GTID of its own there: a position of another node brings it again, and 1062."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move on one node.

    `what` is write, ddl, local, rotate, purge, reset, a statement on its channel or of its own, point (at the end of
    `source`'s log, in GTID mode by a gtid_slave_pos set first), kill or return, freeze or thaw.
    """

    node: str
    what: str
    source: str = ""


def trace(seed: int, moves: int, kinds: Collection[str] = KINDS) -> tuple[Move, ...]:
    """So many moves, the same for the same seed; at the end every node is up."""
    draw = random.Random(seed)
    found: list[Move] = []
    back: Move | None = None
    for _ in range(moves):
        move = back if back is not None and draw.random() < 0.4 else _drawn(draw, tuple(kinds), back)
        if move is back:
            back = None
        elif move.what in BACK:
            back = Move(move.node, BACK[move.what])
        found.append(move)
    return (*found, back) if back is not None else tuple(found)


def _drawn(draw: random.Random, kinds: tuple[str, ...], back: Move | None) -> Move:
    """A move that can be made while all nodes live, or all but the one that is to return."""
    alive = tuple(name for name in NODES if back is None or name != back.node)
    replica = draw.choice([name for name in REPLICAS if name in alive])
    sources = [name for name in REPLICAS[replica] if name in alive]
    kind = draw.choice(kinds)
    if kind == "slave" or (kind == "point" and not sources) or (kind in BACK and back is not None):
        return Move(replica, draw.choice(SLAVE))
    if kind == "point":
        return Move(replica, kind, draw.choice(sources))
    if kind in BACK:
        return Move(draw.choice((LONE, CROWDED)) if kind == "freeze" else LONE, kind)
    return Move(draw.choice(alive), draw.choice(SETTINGS[kind]) if kind in SETTINGS else kind)

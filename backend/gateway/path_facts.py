"""Reads what a node says of its network, and how long the console waits for the least answer of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.adviser.network.sql_facts import ROUND_TRIP_SQL, STATUS_SQL, NodeNetwork, read_status
from backend.core.ports import NodeError
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.parallel_reads import read_each
from backend.gateway.reader import Reader

ROUND_TRIPS = 10
READ_S = 2.0
DEADLINE_S = 6.0


@dataclass(frozen=True, slots=True)
class NodePath:
    """A node's answer; `error` says why there is none."""

    network: NodeNetwork | None = None
    round_trip_ms: float | None = None
    error: str = ""


def read_paths(accesses: Sequence[NodeAccess]) -> dict[str, NodePath]:
    """All nodes at once, by id; one that does not respond in time does not delay the others."""
    seen = read_each(accesses, _read, lambda _: DEADLINE_S)
    late = NodePath(error=f"no response within {DEADLINE_S:g} s")
    return {access.ref.id: seen.get(access.ref.id, late) for access in accesses}


def _read(access: NodeAccess) -> NodePath:
    reader = Reader(access.ref, access.monitor, read_s=READ_S)
    try:
        network = read_status(reader.query(STATUS_SQL))
        return NodePath(network, min(_round_trip_ms(reader) for _ in range(ROUND_TRIPS)))
    except NodeError as error:
        return NodePath(error=error.message)
    finally:
        reader.close()


def _round_trip_ms(reader: Reader) -> float:
    began = time.perf_counter()
    reader.query(ROUND_TRIP_SQL)
    return round((time.perf_counter() - began) * 1000, 3)

"""What the statements that fence and open a side take when nothing else is sent: the bound of a write pause."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from backend.gateway.connection.endpoint import NodeEndpoint, Tls, TlsMode
from backend.gateway.connection.session import Session
from bench.console import Console

TIMES = 15


def bare_fence_s(console: Console) -> float:
    """Median seconds to fence all nodes of the active side at once and to open them again, over open sessions."""
    sessions = _sessions(console)
    try:
        return statistics.median(_once(sessions) for _ in range(TIMES))
    finally:
        for session in sessions:
            session.close()


def _once(sessions: Sequence[Session]) -> float:
    began = time.perf_counter()
    with ThreadPoolExecutor(len(sessions)) as pool:
        for value in ("ON", "OFF"):
            list(pool.map(lambda session, text=f"SET GLOBAL read_only={value}": session.change(text), sessions))
    return time.perf_counter() - began


def _sessions(console: Console) -> list[Session]:
    description = console.lab.describe()
    active = console.link()["clusters"]["active"]["name"]
    cluster = next(one for one in description["clusters"] if one["name"] == active)
    tls, given = Tls(TlsMode(cluster["tls"]["mode"]), cluster["ca_pem"]), cluster["credentials"]["operator"]
    sessions = [
        Session(
            node["name"],
            NodeEndpoint(node["host"], node["port"], given["user"], given["password"], tls),
            read_only=False,
        )
        for node in cluster["nodes"]
    ]
    for session in sessions:
        session.open()
    return sessions

"""Asking several nodes at once, where a hung one delays nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Sequence

from backend.core.topology import NodeFacts, Reach
from backend.gateway.endpoint import NodeAccess
from backend.gateway.poll import READ_BUDGET_S, poll_node
from backend.gateway.session import CONNECT_S, Session

DEADLINE_S = CONNECT_S + READ_BUDGET_S + 0.5
IMPATIENT_S = 0.4


def observe_once(access: NodeAccess) -> NodeFacts:
    """Poll one node over a connection of its own."""
    session = Session(access.ref.name, access.monitor, read_only=True, read_s=READ_BUDGET_S)
    try:
        return poll_node(session, access.ref)
    finally:
        session.close()


def observe_all(
    accesses: Sequence[NodeAccess],
    *,
    deadline_s: float = DEADLINE_S,
    impatient: Collection[str] = (),
) -> dict[str, NodeFacts]:
    """Poll all nodes concurrently; one that has not answered by the deadline counts as hung.

    Nodes named `impatient` (ids that hung a moment ago) are not waited for as long as the others.
    """
    found: dict[str, NodeFacts] = {}

    def ask(access: NodeAccess) -> None:
        found[access.ref.id] = observe_once(access)

    threads = [threading.Thread(target=ask, args=(access,), daemon=True) for access in accesses]
    for thread in threads:
        thread.start()
    started = time.monotonic()
    for access, thread in zip(accesses, threads, strict=True):
        limit_s = IMPATIENT_S if access.ref.id in impatient else deadline_s
        thread.join(max(0.0, started + limit_s - time.monotonic()))
    seen = dict(found)
    for access in accesses:
        if access.ref.id not in seen:
            seen[access.ref.id] = hung(access, f"no answer within {deadline_s:g} s")
    return seen


def hung(access: NodeAccess, error: str) -> NodeFacts:
    """Facts of a node that is asked and stays silent."""
    return NodeFacts(access.ref, time.time(), Reach.HUNG, error=error)

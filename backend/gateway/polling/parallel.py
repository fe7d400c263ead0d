"""Polls several nodes at once, so that a hung one does not delay the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from backend.core.topology import NodeFacts, Reach
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.connection.session import Session
from backend.gateway.parallel_reads import read_each
from backend.gateway.polling.poll import poll_node

MARGIN_S = 0.5
SHORT_DEADLINE_S = 0.4


class SessionPool:
    """Sessions reused from poll to poll: a new one costs a TLS handshake and five more round trips.

    A session in use, possibly by a hung poll, is not shared: the next poll opens another one.
    """

    def __init__(self) -> None:
        self._idle: dict[str, Session] = {}
        self._is_closed = False
        self._lock = threading.Lock()

    @contextmanager
    def one(self, access: NodeAccess) -> Iterator[Session]:
        """A session with the node, open or not, for one poll."""
        with self._lock:
            session = self._idle.pop(access.ref.id, None)
        if session is None:
            session = Session(access.ref.name, access.monitor, read_only=True, read_s=access.answers_s, joins=True)
        try:
            yield session
        finally:
            with self._lock:
                is_kept = not self._is_closed and self._idle.setdefault(access.ref.id, session) is session
            if not is_kept:
                session.close()

    def close(self) -> None:
        """End the idle sessions; those in use end with their poll."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = list(self._idle.values()), {}
        for session in idle:
            session.close()


def observe_once(
    access: NodeAccess, sessions: SessionPool | None = None, *, changing: Collection[str] = ()
) -> NodeFacts:
    """Poll one node, over a session of its own where none are reused.

    `changing`: ids of nodes whose channels a statement changes now.
    """
    pool = sessions or SessionPool()
    try:
        with pool.one(access) as session:
            return poll_node(session, access.ref, changes=access.ref.id in changing)
    finally:
        if sessions is None:
            pool.close()


def observe_all(
    accesses: Sequence[NodeAccess],
    *,
    impatient: Collection[str] = (),
    sessions: SessionPool | None = None,
    changing: Collection[str] = (),
) -> dict[str, NodeFacts]:
    """Poll all nodes concurrently; one that has not responded by its deadline counts as hung.

    For nodes in `impatient` (ids that hung a moment ago) the wait is shorter than for the others. `changing` as of
    `observe_once`.
    """
    seen = read_each(
        accesses,
        lambda access: observe_once(access, sessions, changing=changing),
        lambda access: SHORT_DEADLINE_S if access.ref.id in impatient else _deadline_s(access),
    )
    for access in accesses:
        if access.ref.id not in seen:
            seen[access.ref.id] = hung_facts(access, f"no response within {_deadline_s(access):g} s")
    return seen


def _deadline_s(access: NodeAccess) -> float:
    return access.connect_s + access.answers_s + MARGIN_S


def hung_facts(access: NodeAccess, error: str) -> NodeFacts:
    """Facts of a node that does not respond to its poll."""
    return NodeFacts(access.ref, time.time(), Reach.HUNG, error=error)

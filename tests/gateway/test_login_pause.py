"""A server that refuses the monitor's login is not asked again at every look."""

from __future__ import annotations

import time

import pytest

from backend.core.topology import NodeFacts, NodeRef, Reach
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint, Tls
from backend.gateway.connection.session import Session
from backend.gateway.polling import node_poller
from backend.gateway.polling.pollers import PollerSet
from tests.support.waiting import wait_for

THERE = NodeEndpoint("127.0.0.1", 1, "hawser_monitor", "old", Tls())
PAUSE_S = 5.0
NODE = NodeRef("n1", "db-a1", "127.0.0.1", 1, "milan")


@pytest.mark.parametrize(("reach", "asked"), [(Reach.REFUSED, 1), (Reach.DOWN, 5)])
def test_poll_set__login_refused__looked_at_again_only_after_a_pause(
    reach: Reach, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[float] = []

    def poll(session: Session, node: NodeRef, **_: object) -> NodeFacts:
        seen.append(time.monotonic())
        return NodeFacts(node, time.time(), reach)

    monkeypatch.setattr(node_poller, "poll_node", poll)
    monkeypatch.setattr(node_poller, "REFUSED_PAUSE_S", PAUSE_S)
    polls = PollerSet()
    polls.set_nodes([NodeAccess(NODE, THERE, THERE)])
    try:
        shown = [polls.tick(PAUSE_S)["n1"].facts.reach for _ in range(5)]
        assert (shown, len(seen)) == ([reach] * 5, asked)
        wait_for(lambda: polls.tick(PAUSE_S) and len(seen) == asked + 1, "another look")
    finally:
        polls.close()

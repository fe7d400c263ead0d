"""Polls over kept connections: what a session tells, in one round trip, from one thread for all nodes."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from backend.core.topology import NodeFacts, Reach
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.connection.session import Session
from backend.gateway.polling import node_poller
from backend.gateway.polling.exchange import Exchange, open_exchange
from backend.gateway.polling.poll import poll_node
from backend.gateway.polling.poll_loop import PollLoop
from backend.gateway.polling.pollers import Polled, PollerSet
from backend.gateway.polling.results import as_tuple
from deploy.services.net import free_port
from tests.gateway.stand_in import StandIn, stand_in
from tests.support.waiting import wait_for

NAMES = ("a1", "a2", "a3")
CHANNELS = "SHOW ALL SLAVES STATUS"


@pytest.fixture
def nodes() -> Iterator[StandIn]:
    """Three nodes that write two transactions a second."""
    with stand_in({name: free_port() for name in NAMES}, rate=2.0) as made:
        yield made


@pytest.fixture
def polls(nodes: StandIn) -> Iterator[PollerSet]:
    """All of them polled, over a kept connection from the second tick on."""
    made = PollerSet()
    made.set_nodes([nodes.access(name) for name in NAMES])
    connected(made)
    yield made
    made.close()


def connected(polls: PollerSet) -> dict[str, Polled]:
    """A tick of which every node was polled over its kept connection."""

    def is_kept() -> bool:
        polls.tick(2.0)
        return all(poller._exchange is not None for poller in polls._pollers.values())

    wait_for(is_kept, "a kept connection with each node", 10)
    return polls.tick(2.0)


def without_times(facts: NodeFacts) -> NodeFacts:
    """What does not change from poll to poll."""
    still = {name: value for name, value in facts.variables.items() if "gtid" not in name}
    return replace(
        facts, observed_at_s=0.0, clock_offset_s=None, probe_ms=None, variables=still, wsrep=None, binlog=None
    )


def test_kept__poll__same_facts_as_over_a_session(nodes: StandIn, polls: PollerSet) -> None:
    seen = connected(polls)["a1"]
    there = nodes.access("a1")
    session = Session("a1", there.monitor, read_only=True)
    alone = poll_node(session, there.ref)
    session.close()
    assert without_times(seen.facts) == without_times(alone)
    assert seen.facts.wsrep is not None
    assert seen.facts.probe_ms is not None
    assert seen.facts.clock_offset_s is not None
    assert abs(seen.facts.clock_offset_s) < 60, "it is the clock of this machine"


def test_kept__node_writes__its_log_is_followed_and_the_sample_exact(polls: PollerSet) -> None:
    first = polls.tick(2.0)["a1"].sample

    def moved() -> bool:
        seen = polls.tick(2.0)["a1"]
        assert seen.tail.is_current
        sample = seen.sample
        return first is not None and sample is not None and sample.exact and sample.seqno > first.seqno

    wait_for(moved, "a later sample, of a group that was read", 10)


def test_kept__channels_change__not_read_where_that_may_end_the_server_and_the_last_known_kept(
    polls: PollerSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = polls.tick(2.0)["a1"].facts.channels
    asked, send = list[str](), Exchange.send

    def noted(exchange: Exchange, statements: list[str], *args: Any, **more: Any) -> None:
        asked.extend(statements)
        send(exchange, statements, *args, **more)

    monkeypatch.setattr(Exchange, "send", noted)
    monkeypatch.setattr(node_poller, "may_end_when_read", lambda version: True)
    seen = polls.tick(2.0, NAMES)["a1"].facts
    assert asked
    assert CHANNELS not in asked
    assert (seen.channels, seen.error, seen.is_up) == (known, "", True)
    polls.tick(2.0)
    assert CHANNELS in asked


def test_kept__many_nodes__no_thread_for_each(polls: PollerSet) -> None:
    polls.tick(2.0)
    names = [thread.name for thread in threading.enumerate() if thread.name.startswith("poll")]
    assert names.count("poll-loop") == 1


def test_kept__one_falls_silent__the_others_are_seen_at_once_and_it_is_hung(nodes: StandIn, polls: PollerSet) -> None:
    nodes.change("a3", "hang")
    looks: list[dict[str, Polled]] = []

    def is_hung() -> bool:
        looks.append(polls.tick(0.3))
        return looks[-1]["a3"].facts.reach is Reach.HUNG

    wait_for(is_hung, "the silent node to be hung", 15, 0.05)
    assert len({look["a1"].facts.observed_at_s for look in looks}) > 2, "the others were seen again and again"
    assert "no response" in looks[-1]["a3"].facts.error
    assert looks[-1]["a1"].facts.is_up


def test_kept__one_dies__down_with_the_next_poll_and_up_when_it_is_back(nodes: StandIn, polls: PollerSet) -> None:
    nodes.change("a2", "kill")
    wait_for(lambda: polls.tick(2.0)["a2"].facts.reach is Reach.DOWN, "the node to be down", 5)
    assert polls.tick(2.0)["a1"].facts.is_up
    nodes.change("a2", "start")
    wait_for(lambda: polls.tick(2.0)["a2"].facts.is_up, "the node to be up", 10)


def test_kept__connection_cut__polled_over_another_in_the_same_tick(nodes: StandIn, polls: PollerSet) -> None:
    nodes.change("a1", "kill")
    nodes.change("a1", "start")
    assert polls.tick(5.0)["a1"].facts.is_up


def test_kept__statement_that_changes_something__not_sent() -> None:
    with stand_in({"a1": free_port()}) as nodes:
        exchange = open_exchange("a1", nodes.access("a1").monitor, read_s=2.0)
        try:
            with pytest.raises(NotAllowedError):
                exchange.send(["SELECT 1", "SET GLOBAL read_only=0"], as_tuple)
            assert exchange.results is None
        finally:
            exchange.close()


def test_kept__never_asked_while_many_wait_their_turn__not_called_hung(nodes: StandIn) -> None:
    waiting: list[object] = []
    poller = node_poller.NodePoller(nodes.access("a1"), PollLoop(), lambda work, _: waiting.append(work), print)
    assert poller.begin()
    poller.start()
    poller.busy_since = time.monotonic() - 60
    assert (len(waiting), poller.seen()) == (1, None)


def test_kept__no_login_for_it__polled_over_a_session(nodes: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise node_poller.NodeError("a1", "login refused")

    monkeypatch.setattr(node_poller, "open_exchange", refuse)
    polls = PollerSet()
    polls.set_nodes([nodes.access("a1")])
    try:
        for _ in range(2):
            assert polls.tick(5.0)["a1"].facts.is_up
    finally:
        polls.close()


def test_kept__cut_between_the_begin_and_the_start_of_a_poll__polled_once() -> None:
    with stand_in({"a1": free_port()}) as nodes:
        waiting: list[object] = []
        loop = PollLoop()
        poller = node_poller.NodePoller(nodes.access("a1"), loop, lambda work, _: waiting.append(work), print)
        poller._exchange = exchange = open_exchange("a1", nodes.access("a1").monitor, read_s=2.0)
        loop.remove = lambda fileno, who: None  # type: ignore[method-assign]
        assert poller.begin()
        exchange.results = None
        nodes.change("a1", "kill")
        wait_for(lambda: _is_cut(exchange), "the end of the connection", 2.0)
        poller.on_ready(time.monotonic())
        poller.start()
    assert len(waiting) == 1


def _is_cut(exchange: Exchange) -> bool:
    return bool(select.select([exchange.fileno()], [], [], 0)[0])

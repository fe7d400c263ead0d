"""While a run has a statement on a node's channels under way, no other session of the console reads them there."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.core.dialects.known_defects import changes_channels
from backend.core.ports import Row
from backend.core.runner import Outcome
from backend.core.topology import NodeFacts, NodeRef, Reach
from backend.gateway import gateway as gateways
from backend.gateway.connection.errors import LostError
from backend.gateway.polling.poll import CHANGING, poll_node
from backend.gateway.polling.pollers import Polled
from backend.monitoring.channel_statements import changing_nodes
from backend.monitoring.link_gateway import gateway_for_link
from backend.monitoring.monitor import Monitor
from backend.operations.runs.models import Run, Statement
from tests.backend.execution.open_statements import START, STEPS, STOP, intent, run, worker

__all__ = ["run"]
CHANNELS = "SHOW ALL SLAVES STATUS"
AFFECTED, FIXED = "10.11.18-MariaDB-log", "10.11.19-MariaDB-log"
NODE = NodeRef("n_b1", "b1", "127.0.0.1", 3306, "c_b")


@pytest.mark.parametrize(
    ("sql", "does"),
    [
        ("STOP SLAVE 'x'", True), ("START SLAVE", True), ("RESET SLAVE 'x' ALL", True), ("CHANGE MASTER TO\n", True),
        ("BEGIN NOT ATOMIC\n  STOP SLAVE;\nEND", True), ("STOP REPLICA FOR CHANNEL 'x'", True),
        ("CHANGE REPLICATION SOURCE TO", True), ("SET GLOBAL read_only=ON", False), ("REPLACE INTO hawser.x", False),
    ],
)  # fmt: skip
def test_changes_channels__by_its_first_words(sql: str, *, does: bool) -> None:
    assert changes_channels(sql) is does


def test_changing_nodes__from_the_intent_to_the_outcome__of_others_than_the_run(run: Run) -> None:
    recorder = worker(run)
    assert changing_nodes() == frozenset()
    recorder.record(intent(0, STOP))
    assert changing_nodes() == {"n_b1"}
    assert changing_nodes(run.pk) == frozenset()
    recorder.record(Outcome(STEPS[0], "ok", (), "", 1.0))
    assert changing_nodes() == frozenset()
    recorder.record(intent(0, START, is_undo=True))
    assert changing_nodes() == {"n_b1"}


def test_changing_nodes__statement_without_an_answer__still_under_way_until_its_effect_is_known(run: Run) -> None:
    recorder = worker(run)
    recorder.record(intent(0, STOP))
    recorder.record(Outcome(STEPS[0], "indeterminate", (), "no response", 60_000.0))
    assert changing_nodes() == {"n_b1"}
    Statement.objects.update(state="observed")
    assert changing_nodes() == frozenset()


def test_changing_nodes__intent_of_a_worker_that_died_long_ago__read_again(run: Run) -> None:
    worker(run).record(intent(0, STOP))
    Statement.objects.update(sent_at=timezone.now() - timedelta(minutes=10))
    assert changing_nodes() == frozenset()


def test_changing_nodes__statement_that_touches_no_channel__not_counted(run: Run) -> None:
    worker(run).record(intent(0, "SET GLOBAL read_only=ON"))
    assert changing_nodes() == frozenset()


class Greeting:
    """A session that notes what it is asked, and answers nothing of it."""

    def __init__(self, version: str) -> None:
        self.name, self.server_version, self.joins = "b1", version, True
        self.left_behind: tuple[int, str] | None = None
        self.endpoint: Any = type("Endpoint", (), {"round_trip_ms": 0.0})()
        self.first_answer_s = 0.001
        self.asked: list[str] = []

    def open(self) -> None:
        """It is open."""

    def run_joined(self, statements: list[str], *, timeout_s: float) -> list[list[Row]]:
        self.asked += statements
        return []

    def run(self, sql: str, *, timeout_s: float) -> Sequence[Row]:
        self.asked.append(sql)
        raise LostError(self.name, "no response", timed_out=True)


@pytest.mark.parametrize(
    ("version", "changes", "is_asked"), [(AFFECTED, True, False), (AFFECTED, False, True), (FIXED, True, True)]
)
def test_poll__channels_change__not_read_where_that_may_end_the_server(
    version: str, *, changes: bool, is_asked: bool
) -> None:
    session: Any = Greeting(version)
    assert poll_node(session, NODE, changes=changes).reach is Reach.HUNG
    assert (CHANNELS in session.asked) is is_asked
    assert CHANGING


@pytest.mark.parametrize(("version", "is_told"), [(None, True), (AFFECTED, True), (FIXED, False)])
def test_monitor__statement_under_way__its_polls_are_told_unless_every_node_bears_it(
    run: Run, version: str | None, *, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker(run).record(intent(0, STOP))
    monitor, told = Monitor(threading.Event()), list[Collection[str]]()

    def tick(wait_s: float, changing: Collection[str]) -> dict[str, Polled]:
        told.append(changing)
        return {}

    for part in ("_refresh_inventory", "_lead"):
        monkeypatch.setattr(monitor, part, lambda: None)
    monkeypatch.setattr(monitor._polls, "tick", tick)
    if version is not None:
        monitor._observed.observe({"n_b1": NodeFacts(NODE, 1.0, Reach.UP, version=version)})
    monitor.tick()
    assert told == [{"n_b1"} if is_told else frozenset()]


@pytest.mark.parametrize(("version", "is_told"), [(AFFECTED, True), (FIXED, False)])
def test_plan__statement_of_a_run_under_way__its_look_at_the_nodes_is_told(
    run: Run, version: str, *, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run's own looks are not: it reads between its statements."""
    worker(run).record(intent(0, STOP))
    node_id, told = run.link.active_cluster.nodes.all()[0].pk, list[Collection[str]]()

    def observe(access: Any, sessions: Any, *, changing: Collection[str]) -> NodeFacts:
        told.append(changing)
        return NodeFacts(replace(NODE, id=node_id), 1.0, Reach.UP, version=version)

    monkeypatch.setattr(gateways, "observe_once", observe)
    for run_id in ("", run.pk):
        gateway = gateway_for_link(run.link, run_id=run_id)
        for _ in range(2):
            gateway.observe_node(node_id)
        gateway.close()
    of_others = [{"n_b1"}, {"n_b1"} if is_told else ()]
    assert told == [*of_others, frozenset(), frozenset() if is_told else ()]

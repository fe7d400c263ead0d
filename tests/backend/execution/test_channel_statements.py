"""While a run has a statement on a node's channels under way, no other session of the console reads them there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.core.dialects.known_defects import changes_channels
from backend.core.ports import Row
from backend.core.runner import Outcome
from backend.core.topology import NodeRef, Reach
from backend.gateway.connection.errors import LostError
from backend.gateway.polling.poll import CHANGING, poll_node
from backend.monitoring.channel_statements import changing_nodes
from backend.runs.models import Run, Statement
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

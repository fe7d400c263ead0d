"""Workers take what operators start first, and keep a process for it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from kombu import Connection, Consumer, Exchange
from kombu import Queue as BrokerQueue

from backend.common.priority import Priority, is_last_kept
from backend.config.celery import app
from backend.operations.runs.models import Plan
from backend.operations.runs.services import run_start
from backend.operations.runs.tasks import drive_run
from tests.support.console import confirmation, make_user

PROCESSES = 3


@pytest.mark.parametrize(
    ("processes", "under_way", "is_kept"),
    [
        (4, [], False),
        (4, [Priority.AUTOMATIC, Priority.BACKGROUND], False),
        (4, [Priority.AUTOMATIC, Priority.AUTOMATIC, Priority.BACKGROUND], True),
        (4, [Priority.OPERATORS, Priority.OPERATORS, Priority.OPERATORS], False),
        (2, [Priority.BACKGROUND], True),
        (1, [], False),
    ],
)
def test_last_process__by_what_is_under_way__is_kept_for_operators(
    processes: int, under_way: list[int], is_kept: bool
) -> None:
    assert is_last_kept(processes, under_way) is is_kept


class Taker:
    """What a worker of three processes receives, and what it acknowledges."""

    def __init__(self, connection: Connection) -> None:
        name = f"priority-{uuid4().hex[:8]}"
        self.queue = BrokerQueue(name, Exchange(name), routing_key=name)
        self.connection = connection
        self.received: list[Any] = []
        channel: Any = connection.channel()
        channel.basic_qos(0, PROCESSES, False)
        self._consumer = Consumer(channel, [self.queue], on_message=self.received.append, accept=["json"])
        self._consumer.consume()

    def send(self, *priorities: Priority) -> None:
        """A message of each priority."""
        for priority in priorities:
            drive_run.apply_async(
                args=(priority.name,), priority=priority.value, queue=self.queue, connection=self.connection
            )

    def names(self, count: int) -> list[str]:
        """What was received so far, once there are so many or nothing comes any more."""
        with suppress(socket.timeout):
            while len(self.received) < count:
                self.connection.drain_events(timeout=0.3)
        return [message.payload[0][0] for message in self.received]


@pytest.fixture
def taker() -> Iterator[Taker]:
    with app.connection_for_read() as connection:
        made = Taker(connection)
        yield made
        made.queue(connection.default_channel).delete()


def test_worker__everything_waits__operators_first_and_one_process_is_kept(taker: Taker) -> None:
    taker.send(Priority.BACKGROUND, Priority.AUTOMATIC, Priority.AUTOMATIC)
    assert taker.names(PROCESSES) == ["AUTOMATIC", "AUTOMATIC"]
    taker.send(Priority.OPERATORS)
    assert taker.names(PROCESSES) == ["AUTOMATIC", "AUTOMATIC", "OPERATORS"]
    for message in taker.received[:2]:
        message.ack()
    assert taker.names(PROCESSES + 1)[PROCESSES:] == ["BACKGROUND"]


@pytest.mark.parametrize("priority", [Priority.OPERATORS, Priority.AUTOMATIC])
def test_run__of_each_priority__is_dispatched_and_dispatched_again_at_it(
    db: None,
    plan: Plan,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
    priority: Priority,
) -> None:
    from backend.operations.runs.services.dispatch import dispatch_run

    sent: list[int] = []
    monkeypatch.setattr(drive_run, "apply_async", lambda **options: sent.append(options["priority"]))
    make_user("nora", "operator")
    with django_capture_on_commit_callbacks(execute=True):
        run = run_start(actor="nora", plan=plan, priority=priority, **confirmation(plan))
    dispatch_run(run.id)
    assert sent == [priority, priority]


def test_tasks__that_no_operator_waits_for__come_later() -> None:
    routes: Any = app.conf.task_routes
    assert {name: route["priority"] for name, route in routes.items()} == {
        "incidents.*": Priority.AUTOMATIC,
        "hooks.*": Priority.AUTOMATIC,
        "web_push.*": Priority.AUTOMATIC,
        "rehearsals.*": Priority.BACKGROUND,
        "table_comparison.*": Priority.BACKGROUND,
    }

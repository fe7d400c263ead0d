"""What a stranger can put into the queue in Redis: dropped with a log line, and the worker continues."""

from __future__ import annotations

import json
from collections.abc import Iterator
from queue import Empty
from typing import Any

import pytest

from backend.common import broker
from tests.backend.execution.queued_message import message
from tests.support.celery_worker import WorkerProcess, broker_url, running_worker

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]
GARBAGE = [
    "garbage",
    b"\xff\xfe",
    "[" * 100_000,
    "",
    "null",
    "1",
    '"x"',
    "[]",
    "[1]",
    "{}",
    '{"a":1}',
    '{"properties":1}',
]


FOREIGN = {
    "pickle": message(**{"content-type": "application/x-python-serialize"}),
    "yaml": message(**{"content-type": "application/x-yaml"}),
    "no type": message(**{"content-type": None}),
    "charset": message(**{"content-encoding": "no-such-charset"}),
    "compressed": message(headers={"compression": "zlib"}),
    "no base64": message(body="%%%"),
    "no json": message(body="Z2FyYmFnZQ=="),
    "body of another shape": message(body={"a": 1}),
    "body too short": message(body=[[]]),
    "arguments of another type": message(body=["x", {}, {}]),
    "headers of another type": message() | {"headers": [1]},
    "no headers": message() | {"headers": None},
    "task of another type": message(task={"a": 1}),
    "no delivery tag": message(properties={"delivery_tag": None}),
    "delivery elsewhere": message(properties={"delivery_info": {"exchange": 1, "routing_key": []}}),
    "no delivery info": message(properties={"delivery_info": None}),
    "plain body": message(properties={"body_encoding": "none"}),
}
TAKEN_AND_REFUSED = {
    "unknown task": message(task="os.system", headers={"id": "t2"}, properties={"delivery_tag": "d2"}),
    "wrong arguments": message(body=[[1, 2, 3], {"x": 1}, {}], headers={"id": "t3"}, properties={"delivery_tag": "d3"}),
    "a run that is none": message(
        task="runs.drive_run", body=[[{"a": 1}], {}, {}], headers={"id": "t4"}, properties={"delivery_tag": "d4"}
    ),
    "expires never": message(headers={"id": "t5", "expires": "never"}, properties={"delivery_tag": "d5"}),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_fault__message_that_the_console_never_sends__named(name: str) -> None:
    assert broker.message_fault(FOREIGN[name])


def test_fault__message_of_the_console__none() -> None:
    assert broker.message_fault(message()) == ""
    assert broker.message_fault(message(body=[["r_aaaaaaaaaaaa"], {}, {"chain": None}])) == ""


def test_deliver__foreign_message__dropped_before_anything_looks_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    delivered: list[Any] = []
    monkeypatch.setattr(broker.RedisTransport, "_deliver", lambda _, message, queue: delivered.append(message))
    transport = object.__new__(broker.Transport)
    for foreign in FOREIGN.values():
        transport._deliver(foreign, "runs")
        assert delivered == []
    transport._deliver(message(), "runs")
    assert len(delivered) == 1


def test_deliver__limits_and_delays_of_the_sender__taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time limit in a header would kill a run between a statement and its proof."""
    delivered: list[Any] = []
    monkeypatch.setattr(broker.RedisTransport, "_deliver", lambda _, message, queue: delivered.append(message))
    forged = message(headers={"timelimit": [1, 1], "eta": "2099-01-01T00:00:00Z", "retries": 9, "shadow": "x"})
    object.__new__(broker.Transport)._deliver(forged, "runs")
    headers = delivered[0]["headers"]
    assert (headers["timelimit"], headers["eta"], headers["retries"]) == ([None, None], None, 0)
    assert "shadow" not in headers


def test_read__no_json__as_if_nothing_had_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything but Empty ends the worker's loop, and with it the worker."""
    monkeypatch.setattr(broker.RedisChannel, "_brpop_read", lambda _: json.loads("garbage"))
    channel = object.__new__(broker.Channel)
    try:
        channel._brpop_read()
    except Empty:
        return
    except ValueError:
        pytest.fail("the loop of the worker ends")


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerProcess]:
    """A worker that takes messages."""
    with running_worker(tmp_path_factory.mktemp("worker"), broker_url()) as running:
        yield running


def test_worker__garbage_and_foreign_messages__dropped_and_the_next_proper_one_is_carried_out(
    worker: WorkerProcess,
) -> None:
    assert worker.takes_messages(), worker.text()
    sent = [*GARBAGE, *(json.dumps(one) for one in (*FOREIGN.values(), *TAKEN_AND_REFUSED.values()))]
    for text in sent:
        worker.queue.lpush("runs", text)
        assert worker.waits_for(lambda: not worker.queue.llen("runs"), 20), (str(text)[:80], worker.text()[-3000:])
    assert worker.takes_messages(), worker.text()[-3000:]
    assert worker.is_alive
    assert worker.text().count("broker.message_dropped") == len(GARBAGE) + len(FOREIGN)
    assert worker.waits_for(lambda: not worker.queue.hlen("unacked"), 10), worker.queue.hgetall("unacked")


def test_worker__garbage_among_the_unacknowledged__dropped_when_it_would_be_restored(worker: WorkerProcess) -> None:
    worker.queue.hset("unacked", mapping={"d8": "garbage", "d9": '["x"]'})
    worker.queue.zadd("unacked_index", {"d8": 1.0, "d9": 1.0})
    assert worker.waits_for(lambda: not worker.queue.hlen("unacked"), 60), worker.text()[-3000:]
    assert worker.takes_messages(), worker.text()[-3000:]


def test_worker__started__shows_its_life_to_health_checks(worker: WorkerProcess) -> None:
    assert worker.waits_for(lambda: worker.last_seen("worker process"), 20), worker.text()


def test_worker__orders_of_remote_control__no_answer_and_no_effect(worker: WorkerProcess) -> None:
    assert worker.app.control.ping(timeout=2) == []
    worker.app.control.rate_limit("runs.worker_probe", "1/h")
    worker.app.control.shutdown()
    assert worker.takes_messages(), worker.text()[-3000:]
    assert worker.takes_messages(), worker.text()[-3000:]

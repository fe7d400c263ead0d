"""A Redis that becomes a replica under a worker: Sentinel does that to a former master that returns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
import redis
from kombu import Connection

from backend.common import broker
from deploy.services.redis import Redis as RedisServer
from deploy.services.redis import start_redis
from tests.support.celery_worker import WorkerProcess, running_worker

pytestmark = pytest.mark.server


@contextmanager
def demoted(queue: redis.Redis) -> Iterator[None]:
    """It refuses every write in the block, and keeps the connections that it has."""
    queue.replicaof("127.0.0.1", "1")
    try:
        yield
    finally:
        queue.replicaof("NO", "ONE")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis of its own."""
    folder: Path = tmp_path_factory.mktemp("redis")
    running = start_redis(folder / "redis", folder / "redis.log")
    try:
        yield running
    finally:
        running.child.stop()


@pytest.fixture(scope="module")
def worker(server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerProcess]:
    """A worker on it."""
    with running_worker(tmp_path_factory.mktemp("failover"), server.url) as running:
        yield running


def test_worker__its_redis_becomes_a_replica__connects_anew_until_it_may_write(worker: WorkerProcess) -> None:
    assert worker.takes_messages(), worker.text()[-3000:]
    with demoted(worker.queue):
        assert worker.waits_for(lambda: "Trying to re-establish the connection" in worker.text(), 20), worker.text()
    assert worker.takes_messages(40), worker.text()[-3000:]
    assert worker.is_alive


def test_ack__server_became_a_replica__error_and_the_next_message_is_asked_for(server: RedisServer) -> None:
    """With the slot still in use the worker would ask for none, and never meet the lost connection."""
    with Connection(server.url, transport=broker.Transport) as connection:
        queue = connection.SimpleQueue("acknowledged", serializer="json")
        queue.consumer.qos(prefetch_count=1)
        queue.put([[], {}, {}], headers={"task": "runs.worker_probe", "id": "t1"})
        received = queue.get(timeout=5)
        qos = queue.channel.qos
        assert not qos.can_consume()
        with demoted(redis.Redis.from_url(server.url)), pytest.raises(redis.ReadOnlyError):
            received.ack()
        assert qos.can_consume()


def test_read__server_became_a_replica__is_a_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other error would end the worker."""
    channel = object.__new__(broker.Channel)
    monkeypatch.setattr(broker.RedisChannel, "_brpop_read", _unblocked)
    monkeypatch.setattr(broker.Channel, "client", Mock(), raising=False)
    try:
        channel._brpop_read()
    except broker.Transport.connection_errors:
        return
    except redis.ResponseError:
        pass
    pytest.fail("the loop of the worker ends")


def _unblocked(_: object) -> None:
    raise redis.ResponseError("UNBLOCKED force unblock from blocking operation, instance state changed")

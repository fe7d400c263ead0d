"""A Redis that becomes a replica under a worker: Sentinel does that to a former master that returns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
import redis

from backend.common import broker
from deploy.services.redis import start_redis
from tests.support.celery_worker import WorkerProcess, running_worker


@contextmanager
def demoted(worker: WorkerProcess) -> Iterator[None]:
    """It refuses every write in the block, and keeps the connections that it has."""
    worker.queue.replicaof("127.0.0.1", "1")
    try:
        yield
    finally:
        worker.queue.replicaof("NO", "ONE")


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerProcess]:
    """A worker with a Redis of its own."""
    folder: Path = tmp_path_factory.mktemp("failover")
    server = start_redis(folder / "redis", folder / "redis.log")
    try:
        with running_worker(folder, server.url) as running:
            yield running
    finally:
        server.child.stop()


@pytest.mark.no_database
def test_worker__its_redis_becomes_a_replica__connects_anew_until_it_may_write(worker: WorkerProcess) -> None:
    assert worker.takes_messages(), worker.text()[-3000:]
    with demoted(worker):
        assert worker.waits_for(lambda: "Trying to re-establish the connection" in worker.text(), 20), worker.text()
    assert worker.takes_messages(40), worker.text()[-3000:]
    assert worker.is_alive


@pytest.mark.no_database
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

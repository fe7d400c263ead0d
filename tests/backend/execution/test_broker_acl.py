"""The one user of Redis in the deployment files: enough for publishers and workers, and nothing beside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError

from deploy.services.net import free_port, port_open
from deploy.services.process import Child, wait_until
from tests.support.celery_worker import running_worker

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]
ROOT = Path(__file__).resolve().parents[3]
REFUSED = (
    "CONFIG GET *",
    "FLUSHALL",
    "FLUSHDB",
    "KEYS *",
    "SCAN 0",
    "SHUTDOWN",
    "MONITOR",
    "ACL LIST",
    "CLIENT LIST",
    "CLIENT KILL TYPE normal",
    "MODULE LIST",
    "REPLICAOF 127.0.0.1 1",
    "INFO",
    "SAVE",
    "MIGRATE 127.0.0.1 1 runs 0 1",
    "GET other",
    "SET other x",
    "DEL other",
    "LPUSH other x",
    "LPUSH celery@host.celery.pidbox x",
    "SADD _kombu.binding.celery.pidbox x",
    "PUBLISH /0.celery.pidbox x",
    "SUBSCRIBE /0.celeryev",
)
SCRIPTS = ("return(redis.call('FLUSHALL'))", "return(redis.call('GET','other'))", "return(redis.call('KEYS','*'))")


@dataclass(frozen=True)
class Broker:
    """A Redis of its own with the users of the deployment files, and one user more who may look on."""

    url: str
    looking_on: str


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A Redis that is started with `redis-acl.conf`."""
    folder, port = tmp_path_factory.mktemp("redis"), free_port()
    users = (ROOT / "deploy/compose/conf/redis-acl.conf").read_text().replace("PASSWORD", "sesame")
    config = folder / "redis.conf"
    config.write_text(
        f'bind 127.0.0.1\nport {port}\ndir {folder}\nsave ""\n{users}user onlooker on nopass ~* &* +@all\n'
    )
    server = Child("redis", ["redis-server", str(config)], folder / "log", grace_s=5).start()
    try:
        assert wait_until(lambda: port_open(port), 10, server), server.tail()
        yield Broker(f"redis://hawser:sesame@127.0.0.1:{port}/0", f"redis://onlooker:x@127.0.0.1:{port}/0")
    finally:
        server.stop()


@pytest.mark.parametrize("command", REFUSED)
def test_user__anything_but_the_queue__refused(guarded: Broker, command: str) -> None:
    with closing(redis.Redis.from_url(guarded.url)) as client, pytest.raises(NoPermissionError):
        client.execute_command(*command.split())


def test_user__script_that_does_what_the_user_may_not__refused(guarded: Broker) -> None:
    with closing(redis.Redis.from_url(guarded.url)) as client:
        for script in SCRIPTS:
            with pytest.raises(ResponseError, match="user executing the script"):
                client.execute_command("EVAL", script, "0")


def test_user__nobody_in_particular__refused(guarded: Broker) -> None:
    anonymous = guarded.url.replace("hawser:sesame@", "")
    with closing(redis.Redis.from_url(anonymous)) as client, pytest.raises(AuthenticationError):
        client.ping()


def test_user__publisher_and_worker__messages_are_carried_out_and_restored_and_nothing_was_refused(
    guarded: Broker, tmp_path: Path
) -> None:
    with closing(redis.Redis.from_url(guarded.looking_on)) as onlooker, running_worker(tmp_path, guarded.url) as worker:
        onlooker.acl_log_reset()
        assert worker.takes_messages(), worker.text()
        worker.queue.zadd("unacked_index", {"gone": 1.0})  # due to be restored: the mutex and its script are used
        assert worker.waits_for(lambda: not onlooker.zcard("unacked_index"), 60), worker.text()
        assert worker.takes_messages(), worker.text()
        assert worker.queue.llen("runs") == 0
        assert worker.queue.ping()
        # The driver tells its name on connecting (from Redis 7.2 on) and takes a refusal.
        refused = [entry for entry in onlooker.acl_log() if entry["object"] != "client|setinfo"]
        assert refused == [], worker.text()[-3000:]
        assert "NOPERM" not in worker.text()

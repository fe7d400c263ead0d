"""A console whose Redis is down: a process of its own, because a broker's address is read once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from deploy.services.redis import start_redis

pytestmark = pytest.mark.server

ROOT = Path(__file__).resolve().parents[3]
MOST_TRIES = 3
"""Connections to Redis that one request may try: it sends its message once."""
SCRIPT = """
import json
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from datetime import timedelta
from django.utils import timezone
from redis.connection import AbstractConnection
from backend.operations.runs.models import Run
from backend.operations.runs.services import probe_workers, redispatch_stale
from tests.support.console import confirmation, make_caller, make_link, store_plan
plan = store_plan(make_link())
caller = make_caller("nora", "operator")
tries = []
real = AbstractConnection.connect
AbstractConnection.connect = lambda self: (tries.append(self.socket_connect_timeout), real(self))
answer = caller.post(f"/plans/{plan.id}/runs", confirmation(plan))
AbstractConnection.connect = real
Run.objects.update(dispatched_at=timezone.now() - timedelta(minutes=1))
rung = redispatch_stale()
probe_workers()
read = caller.get(f"/runs/{answer.body['id']}")
ready = caller.client.get("/readyz").json()
print(json.dumps({"status": answer.status, "state": read.body["state"], "tries": tries, "rung": rung,
                  "ready": ready["status"], "redis": ready["parts"]["redis"]["ok"]}))
"""


@pytest.fixture(params=["nothing there", "a replica"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A Redis that takes no message."""
    if request.param == "nothing there":
        yield "redis://127.0.0.1:1/0"
        return
    server = start_redis(tmp_path / "redis", tmp_path / "redis.log")
    client = redis.Redis.from_url(server.url)
    client.replicaof("127.0.0.1", "1")
    try:
        yield server.url
    finally:
        client.close()
        server.child.stop()


@pytest.mark.timeout(300)
def test_redis_down__run_is_stored_and_queued_quickly_and_dispatching_again_is_no_fault(
    tmp_path: Path, url: str
) -> None:
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "HAWSER_DEBUG": "1",
        "HAWSER_DATABASE_URL": f"sqlite:///{tmp_path / 'console.sqlite3'}",
        "HAWSER_REDIS_URL": url,
    }
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=env, capture_output=True, text=True, timeout=200, check=False
    )
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout.splitlines()[-1])
    tries = result.pop("tries")
    assert 0 < len(tries) <= MOST_TRIES, tries
    assert max(tries) <= 2, "seconds"
    assert result == {"status": 202, "state": "queued", "rung": 0, "ready": "degraded", "redis": False}
    assert "run.dispatch_failed" in ended.stderr

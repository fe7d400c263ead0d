"""A Celery worker of its own: a process on a database file of its own and on database 5 of the tests' Redis."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import redis
from celery import Celery

from deploy.services.process import wait_until

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [
    *(sys.executable, "-m", "celery", "-A", "backend.config.celery", "worker", "--loglevel", "INFO"),
    *("--concurrency", "1", "--without-gossip", "--without-mingle", "--without-heartbeat"),
]


def broker_url() -> str:
    """Database 5 of the Redis that the tests are given."""
    return urlsplit(os.environ["HAWSER_REDIS_URL"])._replace(path="/5").geturl()


@dataclass
class WorkerProcess:
    """The process with its queue, its log and its console's database."""

    process: subprocess.Popen[bytes]
    log: Path
    database: Path
    queue: redis.Redis = field(repr=False)
    app: Celery = field(repr=False)

    @property
    def is_alive(self) -> bool:
        """Whether the very process that was started still runs."""
        return self.process.poll() is None

    def clear(self) -> None:
        """Remove the keys of the queue and no others."""
        for key in ("runs", "unacked", "unacked_index", "unacked_mutex", "_kombu.binding.runs"):
            self.queue.delete(key)

    def text(self) -> str:
        """What it logged."""
        return self.log.read_text(encoding="utf-8")

    def last_seen(self, kind: str) -> str:
        """When a process last showed that sign of life; empty where none did."""
        with closing(sqlite3.connect(self.database)) as database:
            query = "SELECT MAX(seen_at) FROM common_processheartbeat WHERE kind = ?"
            return str(database.execute(query, (kind,)).fetchone()[0] or "")

    def takes_messages(self, limit_s: float = 60.0) -> bool:
        """Whether a proper message that is sent now is carried out."""
        before = self.last_seen("worker")
        self.app.send_task("runs.worker_probe", queue="runs")
        return self.waits_for(lambda: self.last_seen("worker") != before, limit_s)

    def waits_for(self, condition: Callable[[], bool], limit_s: float) -> bool:
        """Whether the condition holds in time, while the process is up."""
        return wait_until(lambda: not self.is_alive or condition(), limit_s) and self.is_alive


@contextmanager
def running_worker(folder: Path, url: str) -> Iterator[WorkerProcess]:
    """A worker that takes messages; stopped, and its keys removed, when the block ends."""
    database, log = folder / "console.sqlite3", folder / "worker.log"
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "HAWSER_DEBUG": "1",
        "HAWSER_DATABASE_URL": f"sqlite:///{database}",
        "HAWSER_REDIS_URL": url,
    }
    migrate = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(migrate, cwd=ROOT, env=env, check=True, timeout=180, capture_output=True)
    queue = redis.Redis.from_url(url)
    with log.open("wb") as output, closing(queue):
        process = subprocess.Popen(COMMAND, cwd=ROOT, env=env, stdout=output, stderr=output, start_new_session=True)
        worker = WorkerProcess(process, log, database, queue, Celery("sender", broker=url))
        try:
            worker.clear()
            assert worker.waits_for(lambda: " ready." in worker.text(), 60), worker.text()
            yield worker
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(60)
            worker.clear()

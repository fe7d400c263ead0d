"""A rolling upgrade: a worker of the released tree is told to end in mid-run, and one of this tree ends the run."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from celery import Celery

from tests.backend.upgrade.released import released_version
from tests.support.celery_worker import COMMAND
from tests.support.waiting import wait_for
from tests.support.webhook_receiver import Receiver

ROOT = Path(__file__).resolve().parents[3]
pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]
FINISH_WITHIN = "FINISH_WITHIN_S: Final = 15.0"
DATABASE_OF_ITS_OWN = "/15"
KEYS = ("runs", "unacked", "unacked_index", "unacked_mutex", "_kombu.binding.runs")


def broker_url() -> str:
    """The Redis that the tests are given; in a database in which no other worker takes messages."""
    return urlsplit(os.environ["HAWSER_REDIS_URL"])._replace(path=DATABASE_OF_ITS_OWN).geturl()


@pytest.fixture
def old_tree(tmp_path: Path) -> Path:
    """The code of the last release; before the first one, of the last commit. Its worker lets go once it is told."""
    version = released_version()
    commit = "HEAD" if version == "none" else f"v{version}"
    folder = tmp_path / "old"
    folder.mkdir()
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x"], cwd=folder, input=packed.stdout, check=True)
    shutdown = folder / "backend/operations/runs/execution/worker_shutdown.py"
    code = shutdown.read_text()
    assert FINISH_WITHIN in code
    shutdown.write_text(code.replace(FINISH_WITHIN, "FINISH_WITHIN_S: Final = 0.0"))
    return folder


class Console:
    """A database file and a queue, and the processes on them."""

    def __init__(self, folder: Path) -> None:
        self.database, self.folder = folder / "console.sqlite3", folder
        self.queue = redis.Redis.from_url(broker_url())
        self.app = Celery("sender", broker=broker_url())

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its processes."""
        return os.environ | {
            "DJANGO_SETTINGS_MODULE": "backend.config.settings",
            "HAWSER_DEBUG": "1",
            "HAWSER_DATABASE_URL": f"sqlite:///{self.database}",
            "HAWSER_REDIS_URL": broker_url(),
        }

    def python(self, tree: Path, *arguments: str) -> str:
        """Python of one tree."""
        command = [sys.executable, "-W", "ignore", *arguments]
        done = subprocess.run(
            command, cwd=tree, env=self.environment, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def worker(self, tree: Path, name: str) -> Iterator[subprocess.Popen[bytes]]:
        """A worker of one tree that takes messages."""
        log = self.folder / f"{name}.log"
        with log.open("wb") as output:
            child = subprocess.Popen(
                COMMAND, cwd=tree, env=self.environment, stdout=output, stderr=output, start_new_session=True
            )
            try:
                self.wait_for_log(name, " ready.")
                assert Path(f"/proc/{child.pid}/cwd").readlink() == tree
                yield child
            finally:
                if child.poll() is None:
                    os.killpg(child.pid, signal.SIGKILL)
                child.wait(20)

    def wait_for_log(self, name: str, text: str) -> None:
        """Until the worker of that name says so."""
        wait_for(lambda: text in (self.folder / f"{name}.log").read_text(), f"the {name} worker to say {text!r}", 60)

    def dispatch(self, run_id: str) -> None:
        """Wake a worker, as the monitor does."""
        self.app.send_task("runs.drive_run", args=(run_id,), queue="runs")

    def sql(self, statement: str, *values: Any) -> list[Any]:
        """One statement on the database."""
        with closing(sqlite3.connect(self.database, timeout=20, isolation_level=None)) as session:
            return session.execute(statement, values).fetchall()

    def clear(self) -> None:
        """Remove the keys of the queue and no others."""
        self.queue.delete(*KEYS)


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Console]:
    """A console without processes."""
    found = Console(tmp_path)
    found.clear()
    yield found
    found.clear()
    found.queue.close()


def test_worker_of_the_released_tree__told_to_end_mid_run_on_the_new_schema__a_new_one_ends_the_run(
    console: Console, old_tree: Path, receiver: Receiver
) -> None:
    receiver.released.clear()
    console.python(old_tree, "manage.py", "migrate", "--no-input", "-v0")
    run_id = console.python(old_tree, "-m", "tests.backend.upgrade.long_run", receiver.url).split()[-1]
    console.python(ROOT, "manage.py", "migrate", "--no-input", "-v0")
    with console.worker(old_tree, "old") as old:
        console.dispatch(run_id)
        wait_for(lambda: receiver.calls, "the run's first step", 60)
        console.sql("ALTER TABLE runs_run ADD COLUMN of_a_later_release varchar(20) NULL")
        old.terminate()
        console.wait_for_log("old", "Warm shutdown")
        receiver.released.set()
        assert old.wait(60) == 0
    state = console.sql("SELECT state, owner, epoch FROM runs_run WHERE id = ?", run_id)
    assert state == [("running", "", 1)], "released at a boundary, not ended"
    with console.worker(ROOT, "new"):
        console.dispatch(run_id)
        ended = "SELECT ended_at FROM runs_run WHERE id = ?"
        wait_for(lambda: console.sql(ended, run_id)[0][0], "the end of the run", 60)
    outcome = console.sql("SELECT state, epoch, takeovers FROM runs_run WHERE id = ?", run_id)
    assert outcome == [("succeeded", 2, 0)]
    claims = console.sql("SELECT facts FROM audit_auditrecord WHERE action = 'worker:run:claim' ORDER BY seq")
    assert [json.loads(row[0])["epoch"] for row in claims] == [1, 2]
    assert len(receiver.calls) == 1, "the webhook was called once"

"""The monitor as a process: it outlives the console's database, and ends at once when told to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.waiting import wait_for

pytestmark = pytest.mark.server

ROOT = Path(__file__).resolve().parents[2]


def manage(database: Path, *arguments: str, output: Path) -> subprocess.Popen[bytes]:
    env = {**os.environ, "HAWSER_DEBUG": "1", "HAWSER_DATABASE_URL": f"sqlite:///{database}"}
    env["HAWSER_POLL_INTERVAL_S"] = "0.2"
    with output.open("ab") as log:
        return subprocess.Popen([sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, stdout=log, stderr=log)


def test_monitor__no_usable_database_then_one__goes_on_and_ends_when_told(tmp_path: Path) -> None:
    database, output = tmp_path / "console.sqlite3", tmp_path / "out.log"
    monitor = manage(database, "hawser_monitor", output=output)
    try:
        wait_for(lambda: b"database_unavailable" in output.read_bytes(), "the monitor to miss its database", 60)
        assert monitor.poll() is None
        migrate = manage(database, "migrate", "--verbosity=0", output=tmp_path / "migrate.log")
        assert migrate.wait(60) == 0
        wait_for(lambda: _heartbeats(database) > 0, "its sign of life", 60)
        monitor.send_signal(signal.SIGTERM)
        assert monitor.wait(20) == 0
    finally:
        monitor.kill()
        monitor.wait()


def _heartbeats(database: Path) -> int:
    import sqlite3

    with sqlite3.connect(database, timeout=5) as connection:
        row = connection.execute("SELECT COUNT(*) FROM common_processheartbeat WHERE kind = 'monitor'").fetchone()
    return int(row[0])

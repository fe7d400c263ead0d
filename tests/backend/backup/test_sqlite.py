"""In development, on SQLite, with the commands as they are typed: an older archive, and a second restore."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.console import PASSWORD

ROOT = Path(__file__).resolve().parents[3]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def _manage(database: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HAWSER_DEBUG": "1", "HAWSER_DATABASE_URL": f"sqlite:///{database}"}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=env,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def _ok(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _sql(database: Path, statement: str) -> list[Any]:
    with closing(sqlite3.connect(database)) as session:
        return session.execute(statement).fetchall()


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A console whose monitoring is at an earlier migration, as a release before this one left it."""
    database = tmp_path_factory.mktemp("older") / "c.sqlite3"
    _ok(_manage(database, "migrate", "-v0"))
    _ok(_manage(database, "hawser_user", "nora", "--role", "admin", "--password-stdin", stdin=PASSWORD + "\n"))
    _ok(_manage(database, "migrate", "monitoring", "0001", "-v0"))
    return database


def test_restore__of_an_older_archive__is_migrated_and_verifies(older: Path, tmp_path: Path) -> None:
    archive, database = tmp_path / "b.zip", tmp_path / "c.sqlite3"
    _ok(_manage(older, "hawser_backup", "--to", str(archive)))
    _ok(_manage(database, "hawser_restore", str(archive), "--reason", "new machine"))
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        _sql(older, "SELECT * FROM monitoring_nodelog")
    assert _sql(database, "SELECT * FROM monitoring_nodelog") == []
    assert _sql(database, "SELECT username FROM accounts_user") == [("nora",)]
    _ok(_manage(database, "migrate", "--check"))
    assert _ok(_manage(database, "hawser_audit", "verify", "--full")).startswith("ok: ")
    second = _manage(database, "hawser_restore", str(archive), "--reason", "new machine")
    assert second.returncode == 1
    assert "The schema is not empty" in second.stderr

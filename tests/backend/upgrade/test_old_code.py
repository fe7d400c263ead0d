"""The released code on the next schema, with rows in every table: it reads, changes and inserts as before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.services.mariadb import start_mariadb
from tests.backend.upgrade.released import PAGE, released_migrations

ROOT = Path(__file__).resolve().parents[3]
OLD_CODE = "tests.backend.upgrade.old_code"
pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]


def _python(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "HAWSER_DEBUG": "1",
        "HAWSER_DATABASE_URL": url,
    }
    command = [sys.executable, "-W", "ignore", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=200, check=False)


def _after_upgrade(url: str, released: Path) -> subprocess.CompletedProcess[str]:
    """The released code wrote, the schema was upgraded, and the released code goes on."""
    wrote = _python(url, "-m", OLD_CODE, "write", str(released))
    assert wrote.returncode == 0, wrote.stderr
    upgraded = _python(url, "manage.py", "migrate", "-v0")
    assert upgraded.returncode == 0, upgraded.stderr
    return _python(url, "-m", OLD_CODE, "use", str(released))


def test_upgrade__from_the_released_schema_with_rows__released_code_goes_on(tmp_path: Path) -> None:
    done = _after_upgrade(f"sqlite:///{tmp_path}/c.sqlite3", PAGE)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[0]) > 60


@pytest.mark.server
def test_upgrade__on_mariadb__released_code_goes_on(tmp_path: Path) -> None:
    running = start_mariadb(tmp_path / "server", tmp_path / "log")
    try:
        done = _after_upgrade(running.url, PAGE)
    finally:
        running.child.stop()
    assert done.returncode == 0, done.stderr


def test_upgrade__that_moves_a_column_in_one_release__breaks_the_code_before_it(tmp_path: Path) -> None:
    """As the webhooks' addresses were sealed before there was a release: this test sees such a break."""
    older: dict[str, list[str]] = {}
    for app, name in released_migrations():
        if app != "hooks" or name < "0002":
            older.setdefault(app, []).append(name)
    (tmp_path / "older.json").write_text(json.dumps({"version": "0.0.1", "migrations": older}))
    done = _after_upgrade(f"sqlite:///{tmp_path}/c.sqlite3", tmp_path / "older.json")
    assert done.returncode != 0
    assert "no such column: hooks_hook.url" in done.stderr
